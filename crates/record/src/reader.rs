//! Streaming readers for files of JSON Lines, plain or compressed.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
};

use serde::de::IgnoredAny;

use crate::{
    BadRecord, Compression, GameRecord,
    compression::{FrameEvent, FrameReader},
};

/// An error in a file or one of its lines. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The content does not have the compression that the name implies.
    #[error(
        "{}: the content is not {}, as the name implies: rename the file so that it ends in .gz for gzip, .zst for zstd, or neither",
        path.display(), expected.name()
    )]
    Packing {
        /// The file.
        path: PathBuf,
        /// The compression that the name implies.
        expected: Compression,
    },
    /// The file ends in the middle of a record, after an unfinished write. Everything before has been read.
    #[error(
        "{}: torn after line {lines}: the last {bytes} bytes, from byte {offset}, are not a complete record; opening the file for appending repairs it",
        path.display()
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// The number of lines before the unfinished part.
        lines: u64,
        /// The file offset of the unfinished part.
        offset: u64,
        /// Its length in bytes.
        bytes: u64,
    },
    /// A compressed frame in the middle is damaged. Reading can continue after it.
    #[error("{}: damaged after line {lines}: {bytes} bytes from byte {offset} cannot be decompressed", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of lines before the damage.
        lines: u64,
        /// The file offset of the damaged frame.
        offset: u64,
        /// Its length in bytes.
        bytes: u64,
    },
    /// A line exceeds the maximum length. Reading can continue after it.
    #[error("{}:{line}: longer than {} bytes", path.display(), LineReader::MAX_LINE)]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The line number.
        line: u64,
    },
    /// A line is not UTF-8. Reading can continue after it.
    #[error("{}:{line}: not UTF-8 text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line number.
        line: u64,
    },
    /// A line is not a valid game record. Reading can continue after it.
    #[error("{}:{line}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line number.
        line: u64,
        /// The reason.
        source: BadRecord,
    },
}

/// An iterator over the decompressed lines of a file.
///
/// After an error in a line, or a damaged frame of a compressed file, it continues with what follows. It ends after
/// [`ReadError::Torn`] and [`ReadError::Io`]. Empty lines are skipped but counted.
pub struct LineReader {
    path: PathBuf,
    frames: FrameReader,
    chunk: Vec<u8>,
    /// The unread part of `chunk`.
    unused: std::ops::Range<usize>,
    /// The incomplete current line.
    line: Vec<u8>,
    too_long: bool,
    /// The number of complete lines.
    lines: u64,
    /// The number of decompressed bytes that were read.
    used: u64,
    /// The last file offset at which both a frame and a line start, where the file can be truncated to complete lines.
    clean: u64,
    terminated: bool,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Going,
    /// The rest of the chunk comes from a torn frame at the end of the file.
    Torn,
    Done,
}

impl LineReader {
    /// Frames up to this size are decompressed as a whole, so that their checksum is verified before any of their lines is
    /// returned. Larger frames, which only other programs write, are streamed.
    const MAX_BUFFERED_FRAME: usize = 1 << 23;

    /// The maximum length of a line in bytes, which bounds the memory used for damaged files.
    pub const MAX_LINE: usize = 1 << 28;

    /// Opens a file, with the compression that its name implies.
    ///
    /// # Errors
    /// If it cannot be opened, or has another compression.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ReadError> {
        let path = path.into();
        match File::open(&path) {
            Ok(file) => Self::from_file(file, path),
            Err(source) => Err(ReadError::Io { path, source }),
        }
    }

    /// Reads `file` from its start; `path` is its name in errors.
    pub(crate) fn from_file(mut file: File, path: PathBuf) -> Result<Self, ReadError> {
        let compression = Compression::of_path(&path);
        let mut head = Vec::new();
        // Plain text may come from a pipe, which cannot seek; then the bytes read here are the first chunk.
        let read = (&mut file).take(4).read_to_end(&mut head);
        let rewound = match compression {
            Compression::Plain => read.map(|_| ()),
            _ => read.and_then(|_| file.rewind()),
        };
        if let Err(source) = rewound {
            return Err(ReadError::Io { path, source });
        }
        if !compression.fits(&head) {
            return Err(ReadError::Packing { path, expected: compression });
        }
        let kept = if compression == Compression::Plain { head.len() } else { 0 };
        head.truncate(kept);
        Ok(Self {
            path,
            frames: FrameReader::new(file, compression),
            chunk: head,
            unused: 0..kept,
            line: Vec::new(),
            too_long: false,
            lines: 0,
            used: 0,
            clean: 0,
            terminated: true,
            progress: Progress::Going,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the last line read, from 1.
    pub fn line_number(&self) -> u64 {
        self.lines
    }

    /// The last file offset up to which the file consists of complete frames and lines, at or before the last line read.
    pub(crate) fn clean_offset(&self) -> u64 {
        self.clean
    }

    /// Whether the last line read ended with a line break.
    pub(crate) fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Moves the unread bytes up to and including the next line break to the current line. Returns whether there was a line
    /// break.
    fn take_line(&mut self) -> bool {
        let unused = &self.chunk[self.unused.clone()];
        let line_break = unused.iter().position(|&byte| byte == b'\n');
        let count = line_break.map_or(unused.len(), |place| place + 1);
        if self.line.len() + count > Self::MAX_LINE {
            self.too_long = true;
            self.line.clear();
        }
        if !self.too_long {
            self.line.extend_from_slice(&unused[..count]);
        }
        self.unused.start += count;
        self.used += count as u64;
        line_break.is_some()
    }

    /// Completes the current line; `None` if it is empty.
    fn finish_line(&mut self) -> Option<Result<String, ReadError>> {
        self.lines += 1;
        let (path, line) = (|| self.path.clone(), self.lines);
        if std::mem::take(&mut self.too_long) {
            return Some(Err(ReadError::TooLong { path: path(), line }));
        }
        let bytes = std::mem::take(&mut self.line);
        match String::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => None,
            Ok(mut text) => {
                text.truncate(text.trim_end_matches(['\n', '\r']).len());
                Some(Ok(text))
            }
            Err(_) => Some(Err(ReadError::NotText { path: path(), line })),
        }
    }

    /// Handles the end of the file: the rest is nothing, a complete line without a line break, or a torn line.
    fn finish_file(&mut self) -> Option<Result<String, ReadError>> {
        self.progress = Progress::Done;
        if self.line.is_empty() && !self.too_long {
            return None;
        }
        self.terminated = false;
        // No proper prefix of a JSON object is valid JSON, so the line is complete.
        if !self.too_long && serde_json::from_slice::<IgnoredAny>(&self.line).is_ok() {
            return self.finish_line();
        }
        Some(Err(self.torn()))
    }

    /// Ends the iteration with the error for an unfinished tail.
    fn torn(&mut self) -> ReadError {
        self.progress = Progress::Done;
        let offset = self.clean;
        let path = self.path.clone();
        match std::fs::metadata(&path) {
            Ok(metadata) => {
                // If the length of the file is unknown, use the bytes read so far.
                let used = if self.is_plain() { self.used } else { 0 };
                let bytes = metadata.len().max(used).saturating_sub(offset);
                ReadError::Torn { path, lines: self.lines, offset, bytes }
            }
            Err(source) => ReadError::Io { path, source },
        }
    }

    /// Reads the next chunk; `None` at the end of the file.
    fn fill(&mut self) -> Option<Result<(), ReadError>> {
        self.chunk.clear();
        let enough = if self.is_plain() { 1 } else { Self::MAX_BUFFERED_FRAME };
        while self.chunk.len() < enough {
            match self.frames.read(&mut self.chunk) {
                Ok(FrameEvent::Bytes) => {}
                Ok(FrameEvent::FrameStart(offset)) => {
                    if self.line.is_empty() && !self.too_long {
                        self.clean = offset;
                    }
                }
                Ok(FrameEvent::FrameEnd) if self.chunk.is_empty() => {}
                Ok(FrameEvent::FrameEnd) => break,
                Ok(FrameEvent::End) => return None,
                Ok(FrameEvent::Bad) => return Some(self.skip_bad_frame()),
                Err(source) => return Some(Err(self.fail(source))),
            }
        }
        self.unused = 0..self.chunk.len();
        Some(Ok(()))
    }

    /// Skips a damaged frame. If it is the last one, its decompressed part is kept, because an interrupted write is
    /// correct up to where it stops.
    fn skip_bad_frame(&mut self) -> Result<(), ReadError> {
        let start = self.frames.frame_start();
        match self.frames.skip_bad_frame() {
            Ok(Some(next)) => {
                self.line.clear();
                self.too_long = false;
                self.unused = 0..0;
                let (path, lines, bytes) = (self.path.clone(), self.lines, next - start);
                Err(ReadError::Damaged { path, lines, offset: start, bytes })
            }
            Ok(None) => {
                self.progress = Progress::Torn;
                self.unused = 0..self.chunk.len();
                Ok(())
            }
            Err(source) => Err(self.fail(source)),
        }
    }

    fn fail(&mut self, source: io::Error) -> ReadError {
        self.progress = Progress::Done;
        ReadError::Io { path: self.path.clone(), source }
    }

    fn is_plain(&self) -> bool {
        Compression::of_path(&self.path) == Compression::Plain
    }
}

impl Iterator for LineReader {
    type Item = Result<String, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.progress != Progress::Done {
            if self.is_plain() && self.line.is_empty() && !self.too_long {
                self.clean = self.used;
            }
            if self.take_line() {
                if let Some(line) = self.finish_line() {
                    return Some(line);
                }
            } else if self.progress == Progress::Torn {
                return Some(Err(self.torn()));
            } else {
                match self.fill() {
                    Some(Ok(())) => {}
                    Some(Err(error)) => return Some(Err(error)),
                    None => return self.finish_file(),
                }
            }
        }
        None
    }
}

/// An iterator over the game records of a file.
///
/// It continues after an invalid line, like [`LineReader`].
pub struct RecordReader(LineReader);

impl RecordReader {
    /// Opens a file of game records, with the compression that its name implies.
    ///
    /// # Errors
    /// If it cannot be opened, or has another compression.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ReadError> {
        LineReader::open(path).map(Self)
    }

    /// The number of the last line read, from 1.
    pub fn line_number(&self) -> u64 {
        self.0.line_number()
    }
}

impl Iterator for RecordReader {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.0.next()?.and_then(|line| {
            GameRecord::from_line(&line).map_err(|source| ReadError::Record {
                path: self.0.path.clone(),
                line: self.0.lines,
                source,
            })
        });
        Some(record)
    }
}
