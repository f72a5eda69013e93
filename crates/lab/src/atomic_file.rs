//! Atomic writing of files.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The path with `ending` appended to the file name.
pub fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file atomically and durably.
///
/// # Errors
/// If it cannot be written. An existing file is then unchanged.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let temporary = with_suffix(path, &format!(".{}.tmp", std::process::id()));
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(content.as_ref())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })?;
    if cfg!(unix) {
        // Sync the folder, so that the file's name is on disk before anything written later.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
