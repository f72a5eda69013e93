//! Crash-safe writing of game records: appending to a file, and replacing a file atomically.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::{
    BadRecord, Compression, GameRecord, ReadError,
    repair::{Repair, repair},
};

/// The error for a record or a file that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system reports an error.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another writer has locked the file.
    #[error("{}: another writer is appending to it: wait for it, or write to another file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The existing file cannot be appended to.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The record contradicts itself, so that it could not be read again.
    #[error(transparent)]
    Record(#[from] BadRecord),
}

/// Appends games to a file.
///
/// [`append`](RecordWriter::append) returns once the game is on disk. In compressed files, every write is a separate frame,
/// so that a crash cannot damage earlier games. A tail that an earlier crash left unfinished is
/// [repaired](RecordWriter::repair) on opening. While a writer is open, no other can open the file.
///
/// ```
/// use record::{Config, GameRecord, ReadError, RecordReader, RecordWriter};
/// use ringrift::{Board, Rules};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.jsonl");
/// let config = Config::ringrift(Board::Hex8, Rules::new(2));
/// let game = GameRecord::new("one", config, vec!["a".into(), "b".into()]);
/// RecordWriter::open(&path)?.append(&game)?;
///
/// // A crash in the middle of the next game.
/// let whole = std::fs::read(&path)?;
/// std::fs::write(&path, [&whole[..], b"{\"format\":1,\"id\":\"tw"].concat())?;
/// let found: Vec<_> = RecordReader::open(&path)?.collect();
/// assert!(matches!(&found[..], [Ok(first), Err(ReadError::Torn { bytes: 20, .. })] if *first == game));
///
/// let writer = RecordWriter::open(&path)?;
/// assert_eq!(writer.repair().map(|repair| repair.bytes), Some(20));
/// assert_eq!(std::fs::read(&path)?, whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RecordWriter {
    path: PathBuf,
    file: File,
    compression: Compression,
    /// The length of the file up to the last complete write.
    end: u64,
    waiting: Vec<u8>,
    waiting_records: usize,
    batch: usize,
    repair: Option<Repair>,
}

impl RecordWriter {
    /// Opens a file for appending, with the compression that its name implies. Creates the file if it does not exist, and
    /// repairs it if necessary.
    ///
    /// # Errors
    /// If another writer has locked it, its content does not match its name, or the system reports an error.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, WriteError> {
        let path = path.into();
        let compression = Compression::of_path(&path);
        let mut file = open_locked(&path)?;
        let repair = repair(&mut file, &path)?;
        let end = file.seek(SeekFrom::End(0)).map_err(io_error(&path))?;
        Ok(Self { path, file, compression, end, waiting: Vec::new(), waiting_records: 0, batch: 1, repair })
    }

    /// Sets the number of games to write at a time. Larger batches are faster and compress better, but a crash loses up
    /// to that many games.
    #[must_use]
    pub fn batch(mut self, games: usize) -> Self {
        self.batch = games.max(1);
        self
    }

    /// The repair that was made when the file was opened, if any.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// Appends a game. It is on disk when this returns, unless it is part of an incomplete [batch](RecordWriter::batch).
    ///
    /// # Errors
    /// If the record contradicts itself, or the system reports an error. In the second case the file is truncated to
    /// complete records, and the next [`flush`](RecordWriter::flush) or `append` writes the game again.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        let line = record.to_line()?;
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
        self.waiting_records += 1;
        if self.waiting_records >= self.batch { self.flush() } else { Ok(()) }
    }

    /// Writes all pending games to disk.
    ///
    /// # Errors
    /// If the system reports an error; the games remain pending.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let frame = self.compression.frame(&self.waiting).map_err(io_error(&self.path))?;
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| {
            self.file.write_all(&frame)?;
            self.file.sync_data()
        });
        if let Err(error) = written {
            // Remove the incomplete frame before the next one is written. If this fails, too, readers skip it.
            let _ = self.file.set_len(self.end);
            return Err(io_error(&self.path)(error));
        }
        self.end += frame.len() as u64;
        self.waiting.clear();
        self.waiting_records = 0;
        Ok(())
    }

    /// Writes all pending games to disk and closes the file. Dropping does the same, but cannot report an error.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush()
    }
}

impl Drop for RecordWriter {
    fn drop(&mut self) {
        let _ = self.flush();
        // Closing the file is not enough to unlock it if a child process, just being started, still shares it.
        let _ = self.file.unlock();
    }
}

/// Writes a file of games atomically, with the compression that its name implies, and returns the number of games.
///
/// The games are written to a temporary file in the same folder, which is renamed once it is on disk. An existing file is
/// replaced; at any time it has either the old content or the new, never a mixture.
///
/// # Errors
/// If a record contradicts itself, a writer is appending to the file, or the system reports an error. The file is then
/// unchanged.
pub fn write_records<'a>(
    path: impl AsRef<Path>,
    records: impl IntoIterator<Item = &'a GameRecord>,
) -> Result<usize, WriteError> {
    let path = path.as_ref();
    // A writer that keeps appending to the replaced file would lose its games.
    let old = if path.exists() { Some(open_locked(path)?) } else { None };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = write_frames(&temporary, Compression::of_path(path), records).and_then(|count| {
        fs::rename(&temporary, path).map_err(io_error(path))?;
        sync_folder(path).map_err(io_error(path))?;
        Ok(count)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    if let Some(old) = old {
        let _ = old.unlock();
    }
    written
}

/// The uncompressed size of a frame: large enough to compress well, small enough that a damaged frame loses little.
const FRAME_BYTES: usize = 1 << 20;

fn write_frames<'a>(
    path: &Path,
    compression: Compression,
    records: impl IntoIterator<Item = &'a GameRecord>,
) -> Result<usize, WriteError> {
    let mut file = File::create(path).map_err(io_error(path))?;
    let (mut frame, mut count) = (Vec::new(), 0);
    let mut write = |frame: &mut Vec<u8>| {
        let packed = compression.frame(frame)?;
        frame.clear();
        file.write_all(&packed)
    };
    for record in records {
        frame.extend_from_slice(record.to_line()?.as_bytes());
        frame.push(b'\n');
        count += 1;
        if frame.len() >= FRAME_BYTES {
            write(&mut frame).map_err(io_error(path))?;
        }
    }
    if !frame.is_empty() {
        write(&mut frame).map_err(io_error(path))?;
    }
    file.sync_all().map_err(io_error(path))?;
    Ok(count)
}

/// Opens a file, creating it if it does not exist, and locks it.
fn open_locked(path: &Path) -> Result<File, WriteError> {
    loop {
        let is_new = !path.exists();
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(io_error(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(WriteError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io_error(path)(error)),
        }
        if is_new {
            sync_folder(path).map_err(io_error(path))?;
        }
        if is_current(&file, path) {
            return Ok(file);
        }
    }
}

/// Whether `path` still refers to `file`, which may have been replaced before it was locked.
#[cfg(unix)]
fn is_current(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Other systems do not allow an open file to be replaced.
#[cfg(not(unix))]
fn is_current(_: &File, _: &Path) -> bool {
    true
}

/// Flushes the folder of `path` to disk, so that a new or changed name survives a crash.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

pub(crate) fn io_error(path: &Path) -> impl Fn(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError::Io { path: path.clone(), source }
}
