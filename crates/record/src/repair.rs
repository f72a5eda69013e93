//! Repairs a file that ends in the middle of a record after a crash.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::{
    Compression, LineReader, ReadError, WriteError,
    writer::{io_error, sync_folder},
};

/// A report of the repair of a file with an unfinished tail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The offset of the unfinished part, to which the file was truncated.
    pub offset: u64,
    /// The number of bytes that were removed.
    pub bytes: u64,
    /// The number of complete games in the removed part, which were written again.
    pub rescued: usize,
    /// The file in the same folder to which the removed bytes were copied.
    pub saved: PathBuf,
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { offset, bytes, rescued, saved } = self;
        write!(
            f,
            "removed {bytes} unfinished bytes from byte {offset} and saved them in {}",
            saved.display()
        )?;
        if *rescued > 0 {
            write!(f, "; {rescued} complete games in them were written again")?;
        }
        Ok(())
    }
}

/// Repairs `file`, which the caller has locked, so that it consists of complete frames and lines and ends with a line break.
///
/// Damage in the middle is left unchanged, because everything after it is readable, including what will be appended.
pub(crate) fn repair(file: &mut File, path: &Path) -> Result<Option<Repair>, WriteError> {
    let io = io_error(path);
    file.rewind().map_err(&io)?;
    let mut reader = LineReader::from_file(file.try_clone().map_err(&io)?, path.to_owned())?;
    // Complete lines since the last offset at which the file could be truncated.
    let (mut since, mut clean) = (Vec::new(), 0);
    let mut torn = None;
    while let Some(line) = reader.next() {
        if clean != reader.clean_offset() {
            clean = reader.clean_offset();
            since.clear();
        }
        match line {
            Ok(line) => since.push(line),
            Err(ReadError::Torn { offset, bytes, .. }) => torn = Some((offset, bytes)),
            Err(error @ ReadError::Io { .. }) => return Err(error.into()),
            Err(_) => {}
        }
    }
    let compression = Compression::of_path(path);
    let Some((offset, bytes)) = torn else {
        if !reader.is_terminated() {
            append(file, &compression.frame(b"\n").map_err(&io)?).map_err(&io)?;
        }
        return Ok(None);
    };
    let saved = save_tail(file, path, offset).map_err(&io)?;
    file.set_len(offset).map_err(&io)?;
    if !since.is_empty() {
        let text: String = since.iter().map(|line| format!("{line}\n")).collect();
        append(file, &compression.frame(text.as_bytes()).map_err(&io)?).map_err(&io)?;
    }
    file.sync_all().map_err(&io)?;
    Ok(Some(Repair { offset, bytes, rescued: since.len(), saved }))
}

fn append(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::End(0))?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// Copies everything from `offset` on to a new file in the same folder, and flushes it to disk.
fn save_tail(file: &mut File, path: &Path, offset: u64) -> io::Result<PathBuf> {
    let mut attempt = 0;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".torn-{offset}"));
        if attempt > 0 {
            name.push(format!("-{attempt}"));
        }
        let saved = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&saved) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
            Err(error) => return Err(error),
            Ok(mut copy) => {
                file.seek(SeekFrom::Start(offset))?;
                io::copy(&mut file.take(u64::MAX), &mut copy)?;
                copy.sync_all()?;
                sync_folder(&saved)?;
                return Ok(saved);
            }
        }
    }
}
