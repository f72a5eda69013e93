//! Writing files of game records so that a crash costs at most what was not yet acknowledged.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::{
    BadRecord, Compression, GameRecord, ReadError,
    repair::{Repair, repair},
};

/// A record or a file that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another writer has the file.
    #[error("{}: another writer is appending to it: wait for it, or write to another file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file there is cannot be appended to.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The record contradicts itself and would not be read back.
    #[error(transparent)]
    Record(#[from] BadRecord),
}

/// Appends games to a file.
///
/// [`append`](RecordWriter::append) returns once the game is on disk. In packed files every write is a frame of
/// its own, so that what was written before stays readable whatever happens. A tail that an earlier crash left
/// unfinished is [repaired](RecordWriter::repair) on opening. While a writer is open, no other can open the file.
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
    /// How much of the file is whole.
    end: u64,
    waiting: Vec<u8>,
    waiting_records: usize,
    batch: usize,
    repair: Option<Repair>,
}

impl RecordWriter {
    /// Opens a file for appending, packed as its name says; makes it if there is none, repairs it if need be.
    ///
    /// # Errors
    /// If another writer has it, its content does not match its name, or the system refuses.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, WriteError> {
        let path = path.into();
        let compression = Compression::of_path(&path);
        let mut file = open_locked(&path)?;
        let repair = repair(&mut file, &path)?;
        let end = file.seek(SeekFrom::End(0)).map_err(io_error(&path))?;
        Ok(Self { path, file, compression, end, waiting: Vec::new(), waiting_records: 0, batch: 1, repair })
    }

    /// Writes `games` at a time instead of each at once: faster and, packed, smaller, but a crash costs up to that
    /// many.
    #[must_use]
    pub fn batch(mut self, games: usize) -> Self {
        self.batch = games.max(1);
        self
    }

    /// What was repaired when the file was opened.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// Appends a game. Unless a [batch](RecordWriter::batch) is still to be filled, it is on disk when this returns.
    ///
    /// # Errors
    /// If the record contradicts itself, or the system refuses. In the second case the file is cut back to whole
    /// records and the game is kept for the next try, be it [`flush`](RecordWriter::flush) or another game.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        let line = record.to_line()?;
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
        self.waiting_records += 1;
        if self.waiting_records >= self.batch { self.flush() } else { Ok(()) }
    }

    /// Puts everything that waits on disk.
    ///
    /// # Errors
    /// If the system refuses; the games are kept for the next try.
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
            // Nobody should find half a frame in front of the next one. If even this fails, readers pass over it.
            let _ = self.file.set_len(self.end);
            return Err(io_error(&self.path)(error));
        }
        self.end += frame.len() as u64;
        self.waiting.clear();
        self.waiting_records = 0;
        Ok(())
    }

    /// Puts everything on disk and closes the file. Dropping does the same but cannot report a failure.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush()
    }
}

impl Drop for RecordWriter {
    fn drop(&mut self) {
        let _ = self.flush();
        // Closing would do, were it not for children just being started, which share open files for a moment.
        let _ = self.file.unlock();
    }
}

/// Writes a whole file at once, packed as its name says, in place of any there is, and returns the number of games.
///
/// Until everything is on disk the work goes to another name in the same folder; so at any time the file holds
/// either all of the old or all of the new content.
///
/// # Errors
/// If a record contradicts itself, a writer is appending to the file, or the system refuses. The file is then as
/// it was.
pub fn write_records<'a>(
    path: impl AsRef<Path>,
    records: impl IntoIterator<Item = &'a GameRecord>,
) -> Result<usize, WriteError> {
    let path = path.as_ref();
    // A writer that goes on appending to the file we replace would write into nothing.
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

/// Frames large enough to pack well and small enough to be passed over if damaged.
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

/// Opens a file, making it if there is none, and takes its lock.
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
        if is_still_there(&file, path) {
            return Ok(file);
        }
    }
}

/// Whether the name still stands for the file that was opened: it may have been replaced before we had the lock.
#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Other systems do not let an open file be replaced.
#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true
}

/// Makes a new or changed name in the folder of `path` last.
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
