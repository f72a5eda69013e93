//! Expected texts in files. With `BLESS=1` in the environment, a difference rewrites the file instead of failing the
//! test; review the diff.

use std::{fs, path::PathBuf};

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", name].iter().collect()
}

/// Returns the text of a file; empty if the file does not exist yet.
pub(crate) fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_default()
}

/// Fails if `fresh` differs from the file, or rewrites the file under `BLESS=1`.
pub(crate) fn compare(name: &str, expected: &str, fresh: &str) {
    if expected == fresh {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(path(name), fresh).unwrap_or_else(|error| panic!("writing {name}: {error}"));
        return;
    }
    let line = expected.lines().zip(fresh.lines()).position(|(old, new)| old != new);
    let line = line.unwrap_or_else(|| expected.lines().count().min(fresh.lines().count()));
    panic!(
        "{name}, line {}:\n  expected {:?}\n  found    {:?}\nBLESS=1 accepts the new text",
        line + 1,
        expected.lines().nth(line),
        fresh.lines().nth(line),
    );
}
