//! Reading files of one JSON object per line, as a stream.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
};

use serde::de::IgnoredAny;

use crate::{
    BadRecord, Compression, GameRecord,
    compression::{Frames, Unpacked},
};

/// Something wrong with a file, or with one of its lines. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses to open or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The content is not packed the way the name says.
    #[error(
        "{}: the content is not {}, which the name stands for: rename the file so that it ends in .gz for gzip, .zst for zstd, or neither",
        path.display(), expected.name()
    )]
    Packing {
        /// The file.
        path: PathBuf,
        /// What its name says.
        expected: Compression,
    },
    /// The file breaks off: a write did not finish. Everything before it has been read.
    #[error(
        "{}: torn after line {lines}: the last {bytes} bytes, from byte {offset}, are not a whole record; opening the file for appending repairs it",
        path.display()
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Lines before the break.
        lines: u64,
        /// Where the unfinished part starts in the file.
        offset: u64,
        /// How long it is.
        bytes: u64,
    },
    /// A packed part in the middle cannot be unpacked. Reading can go on behind it.
    #[error("{}: damaged after line {lines}: {bytes} bytes from byte {offset} cannot be unpacked", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Lines before the damage.
        lines: u64,
        /// Where the damaged part starts in the file.
        offset: u64,
        /// How long it is.
        bytes: u64,
    },
    /// A line that no record is as long as. Reading can go on behind it.
    #[error("{}:{line}: longer than {} bytes", path.display(), LineReader::LONGEST)]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Which line.
        line: u64,
    },
    /// A line that is not text. Reading can go on behind it.
    #[error("{}:{line}: not UTF-8 text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Which line.
        line: u64,
    },
    /// A line that is no game record. Reading can go on behind it.
    #[error("{}:{line}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Which line.
        line: u64,
        /// Why not.
        source: BadRecord,
    },
}

/// The lines of a file, unpacked.
///
/// An iterator: after an error in one line, or a damaged part of a packed file, it goes on with what follows. It
/// ends after [`ReadError::Torn`] and [`ReadError::Io`]. Empty lines are passed over but counted.
pub struct LineReader {
    path: PathBuf,
    frames: Frames,
    chunk: Vec<u8>,
    /// The part of `chunk` that was not used yet.
    unused: std::ops::Range<usize>,
    /// The line so far.
    line: Vec<u8>,
    too_long: bool,
    /// Lines that were completed.
    lines: u64,
    /// Unpacked bytes that were used.
    used: u64,
    /// The last place in the file where both a frame and a line start: cutting here leaves whole lines.
    clean: u64,
    terminated: bool,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Going,
    /// The rest of the chunk comes from a frame that is torn, and nothing follows.
    Torn,
    Done,
}

impl LineReader {
    /// Packed frames up to this size are unpacked as a whole, so that no line of them is shown before their
    /// checksum was found right. Larger ones, which only other programs write, are streamed.
    const VERIFIED: usize = 1 << 23;

    /// The longest line, a bound on memory in the face of broken files.
    pub const LONGEST: usize = 1 << 28;

    /// Opens a file, packed as its name says.
    ///
    /// # Errors
    /// If it cannot be opened, or is packed in another way.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ReadError> {
        let path = path.into();
        match File::open(&path) {
            Ok(file) => Self::of_file(file, path),
            Err(source) => Err(ReadError::Io { path, source }),
        }
    }

    /// Reads `file`, called `path`, from its start.
    pub(crate) fn of_file(mut file: File, path: PathBuf) -> Result<Self, ReadError> {
        let compression = Compression::of_path(&path);
        let mut head = Vec::new();
        // Plain text may come from a pipe, where there is no going back; the bytes looked at are kept then.
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
            frames: Frames::new(file, compression),
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

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the line that was read last, from 1.
    pub fn line_number(&self) -> u64 {
        self.lines
    }

    /// The last place up to which the file holds whole frames of whole lines, at or before the line read last.
    pub(crate) fn clean_offset(&self) -> u64 {
        self.clean
    }

    /// Whether the line read last ended with a line break.
    pub(crate) fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Takes the unused bytes up to and with the next line break into the line; tells whether there was one.
    fn take_line(&mut self) -> bool {
        let unused = &self.chunk[self.unused.clone()];
        let line_break = unused.iter().position(|&byte| byte == b'\n');
        let count = line_break.map_or(unused.len(), |place| place + 1);
        if self.line.len() + count > Self::LONGEST {
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

    /// The line collected, or what is wrong with it; `None` if there is nothing on it.
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

    /// What is left when the file ends: nothing, a line that only lacks its break, or a part of one.
    fn finish_file(&mut self) -> Option<Result<String, ReadError>> {
        self.progress = Progress::Done;
        if self.line.is_empty() && !self.too_long {
            return None;
        }
        self.terminated = false;
        // No part of a JSON object is a JSON value, so this is whole.
        if !self.too_long && serde_json::from_slice::<IgnoredAny>(&self.line).is_ok() {
            return self.finish_line();
        }
        Some(Err(self.tear()))
    }

    /// Ends with the report of an unfinished tail.
    fn tear(&mut self) -> ReadError {
        self.progress = Progress::Done;
        let offset = self.clean;
        let path = self.path.clone();
        match std::fs::metadata(&path) {
            Ok(metadata) => {
                // Of a file that cannot tell its length, at least what was read.
                let used = if self.is_plain() { self.used } else { 0 };
                let bytes = metadata.len().max(used).saturating_sub(offset);
                ReadError::Torn { path, lines: self.lines, offset, bytes }
            }
            Err(source) => ReadError::Io { path, source },
        }
    }

    /// Gets the next part of the file; `None` at the end.
    fn fill(&mut self) -> Option<Result<(), ReadError>> {
        self.chunk.clear();
        let enough = if self.is_plain() { 1 } else { Self::VERIFIED };
        while self.chunk.len() < enough {
            match self.frames.read(&mut self.chunk) {
                Ok(Unpacked::Bytes) => {}
                Ok(Unpacked::FrameStart(offset)) => {
                    if self.line.is_empty() && !self.too_long {
                        self.clean = offset;
                    }
                }
                Ok(Unpacked::FrameEnd) if self.chunk.is_empty() => {}
                Ok(Unpacked::FrameEnd) => break,
                Ok(Unpacked::End) => return None,
                Ok(Unpacked::Bad) => return Some(self.skip_bad_frame()),
                Err(source) => return Some(Err(self.give_up(source))),
            }
        }
        self.unused = 0..self.chunk.len();
        Some(Ok(()))
    }

    /// Goes behind a frame that cannot be unpacked. At the end of the file, what could be unpacked is kept: it was
    /// written in one go and is right as far as it goes.
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
            Err(source) => Err(self.give_up(source)),
        }
    }

    fn give_up(&mut self, source: io::Error) -> ReadError {
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
                return Some(Err(self.tear()));
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

/// The games of a file, one after the other.
///
/// An iterator that goes on after a bad line, as [`LineReader`] does.
pub struct RecordReader(LineReader);

impl RecordReader {
    /// Opens a file of game records, packed as its name says.
    ///
    /// # Errors
    /// If it cannot be opened, or is packed in another way.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ReadError> {
        LineReader::open(path).map(Self)
    }

    /// The number of the line that was read last, from 1.
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
