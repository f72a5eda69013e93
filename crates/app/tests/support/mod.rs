//! Runs the `riftlab` binary and captures its output.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// Standard output of a run that must succeed.
    #[track_caller]
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, 0, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self.out
    }

    /// Standard error of a run that must fail.
    #[track_caller]
    pub(crate) fn failure(self) -> String {
        assert_eq!(self.code, 2, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        self.err
    }

    #[track_caller]
    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.success()).unwrap()
    }
}

/// The command with these arguments.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riftlab"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

pub(crate) fn riftlab(arguments: &[&str]) -> Run {
    typed(arguments, "")
}

/// Runs with `input` on standard input.
pub(crate) fn typed(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The process may have exited without reading its input; the result of the run shows that.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A temporary folder, deleted when it is dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.path().join(name).into_os_string().into_string().unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(PathBuf::from(self.file(name)), text).unwrap();
        self.file(name)
    }
}
