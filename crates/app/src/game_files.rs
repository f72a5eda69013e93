//! Finds JSON Lines files of games in folders.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::failure::ErrorWithHint;

/// Returns the files named by `paths`. A folder stands for all JSON Lines files in it at any depth, sorted by name.
pub(crate) fn find(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let context = || format!("{} cannot be read", path.display());
        if fs::metadata(path).with_context(context)?.is_dir() {
            let before = files.len();
            add_folder(path, &mut files).with_context(context)?;
            if files.len() == before {
                let message = format!("{} contains no games", path.display());
                return Err(ErrorWithHint::error(message, "looked for *.jsonl, *.jsonl.gz and *.jsonl.zst"));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            add_folder(&path, files)?;
        } else if is_json_lines(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_json_lines(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    Path::new(name).extension() == Some(OsStr::new("jsonl"))
}
