//! Compression formats, and a reader that decompresses a file frame by frame.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use flate2::{bufread::GzDecoder, write::GzEncoder};

/// The compression of a file, which its name determines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// No compression.
    Plain,
    /// A sequence of gzip members, in files that end in `.gz`.
    Gzip,
    /// A sequence of Zstandard frames, in files that end in `.zst`.
    Zstd,
}

impl Compression {
    /// Returns the compression for a file name.
    ///
    /// ```
    /// use record::Compression;
    /// assert_eq!(Compression::of_path("games.jsonl.zst"), Compression::Zstd);
    /// assert_eq!(Compression::of_path("games.jsonl"), Compression::Plain);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Self {
        match path.as_ref().extension().and_then(|ending| ending.to_str()) {
            Some(ending) if ending.eq_ignore_ascii_case("gz") => Self::Gzip,
            Some(ending) if ending.eq_ignore_ascii_case("zst") => Self::Zstd,
            _ => Self::Plain,
        }
    }

    /// The name of the format, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain text",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The magic number at the start of every frame.
    const fn magic(self) -> &'static [u8] {
        match self {
            Self::Plain => &[],
            Self::Gzip => &[0x1f, 0x8b, 0x08],
            Self::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
        }
    }

    /// Whether the first bytes of a file, possibly fewer than the magic number, match this compression.
    pub(crate) fn fits(self, head: &[u8]) -> bool {
        let begins = |other: Self| {
            let magic = other.magic();
            head.starts_with(magic) || magic.starts_with(head)
        };
        match self {
            Self::Plain => head.is_empty() || ![Self::Gzip, Self::Zstd].into_iter().any(begins),
            packed => begins(packed),
        }
    }

    /// Compresses `bytes` into an independent frame.
    pub(crate) fn frame(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain => Ok(bytes.to_vec()),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Self::Zstd => {
                let mut encoder = zstd::Encoder::new(Vec::new(), zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                encoder.write_all(bytes)?;
                encoder.finish()
            }
        }
    }
}

/// A reader that counts the consumed bytes of a file.
struct CountingReader {
    inner: BufReader<File>,
    at: u64,
}

impl Read for CountingReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl BufRead for CountingReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.at += count as u64;
        self.inner.consume(count);
    }
}

/// The number of bytes to read at a time.
const CHUNK: usize = 1 << 16;

/// Decompresses a file frame by frame.
pub(crate) struct FrameReader {
    compression: Compression,
    stage: Stage,
    /// The file offset of the current frame.
    start: u64,
}

enum Stage {
    Between(CountingReader),
    Gzip(GzDecoder<CountingReader>),
    Zstd(zstd::Decoder<'static, CountingReader>),
    Spent,
}

/// The result of [`FrameReader::read`].
pub(crate) enum FrameEvent {
    /// Some bytes of the current frame were appended.
    Bytes,
    /// The current frame ended with a valid checksum.
    FrameEnd,
    /// A frame begins at this offset; nothing was read.
    FrameStart(u64),
    /// The end of the file.
    End,
    /// The current frame is damaged or incomplete.
    Bad,
}

impl FrameReader {
    pub(crate) fn new(file: File, compression: Compression) -> Self {
        let source = CountingReader { inner: BufReader::with_capacity(CHUNK, file), at: 0 };
        Self { compression, stage: Stage::Between(source), start: 0 }
    }

    /// The file offset of the current frame.
    pub(crate) fn frame_start(&self) -> u64 {
        self.start
    }

    /// Decompresses the next bytes and appends them to `out`.
    pub(crate) fn read(&mut self, out: &mut Vec<u8>) -> io::Result<FrameEvent> {
        let before = out.len();
        out.resize(before + CHUNK, 0);
        let result = match &mut self.stage {
            Stage::Between(source) if self.compression == Compression::Plain => {
                source.read(&mut out[before..])
            }
            Stage::Gzip(decoder) => decoder.read(&mut out[before..]),
            Stage::Zstd(decoder) => decoder.read(&mut out[before..]),
            Stage::Between(_) | Stage::Spent => {
                out.truncate(before);
                return self.begin_frame();
            }
        };
        out.truncate(before + result.as_ref().map_or(0, |count| *count));
        match result {
            Ok(0) if self.compression == Compression::Plain => Ok(FrameEvent::End),
            Ok(0) => {
                self.leave_frame();
                Ok(FrameEvent::FrameEnd)
            }
            Ok(_) => Ok(FrameEvent::Bytes),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(FrameEvent::Bytes),
            // Errors of decoders have no OS code; an error with one is a failure to read, not damage.
            Err(error) if error.raw_os_error().is_some() => Err(error),
            Err(_) => Ok(FrameEvent::Bad),
        }
    }

    fn begin_frame(&mut self) -> io::Result<FrameEvent> {
        let Stage::Between(mut source) = std::mem::replace(&mut self.stage, Stage::Spent) else {
            return Ok(FrameEvent::End);
        };
        if source.fill_buf()?.is_empty() {
            return Ok(FrameEvent::End);
        }
        self.start = source.at;
        self.stage = match self.compression {
            Compression::Plain => Stage::Between(source),
            Compression::Gzip => Stage::Gzip(GzDecoder::new(source)),
            Compression::Zstd => Stage::Zstd(zstd::Decoder::with_buffer(source)?.single_frame()),
        };
        Ok(FrameEvent::FrameStart(self.start))
    }

    fn leave_frame(&mut self) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Spent) {
            Stage::Gzip(decoder) => Stage::Between(decoder.into_inner()),
            Stage::Zstd(decoder) => Stage::Between(decoder.finish()),
            other => other,
        };
    }

    /// Seeks to the first complete frame after the start of the current one and returns its offset. If there is none,
    /// seeks to the end of the file and returns `None`.
    pub(crate) fn skip_bad_frame(&mut self) -> io::Result<Option<u64>> {
        self.leave_frame();
        let Stage::Between(source) = std::mem::replace(&mut self.stage, Stage::Spent) else {
            return Ok(None);
        };
        let mut file = source.inner.into_inner();
        let mut from = self.start + 1;
        while let Some(candidate) = find(&mut file, self.compression.magic(), from)? {
            file.seek(SeekFrom::Start(candidate))?;
            let mut trial = Self::new(file, self.compression);
            let whole = trial.is_frame_whole()?;
            trial.leave_frame();
            let Stage::Between(source) = trial.stage else { return Ok(None) };
            file = source.inner.into_inner();
            if whole {
                file.seek(SeekFrom::Start(candidate))?;
                let inner = BufReader::with_capacity(CHUNK, file);
                self.stage = Stage::Between(CountingReader { inner, at: candidate });
                return Ok(Some(candidate));
            }
            from = candidate + 1;
        }
        Ok(None)
    }

    /// Whether the frame at the current offset can be read to its end.
    fn is_frame_whole(&mut self) -> io::Result<bool> {
        self.begin_frame()?;
        let mut scratch = Vec::new();
        loop {
            scratch.clear();
            match self.read(&mut scratch)? {
                FrameEvent::Bytes => {}
                FrameEvent::FrameEnd => return Ok(true),
                FrameEvent::FrameStart(_) | FrameEvent::End | FrameEvent::Bad => return Ok(false),
            }
        }
    }
}

/// Returns the offset of the first occurrence of `pattern` at or after `from`.
fn find(file: &mut File, pattern: &[u8], from: u64) -> io::Result<Option<u64>> {
    file.seek(SeekFrom::Start(from))?;
    let (mut window, mut window_start) = (Vec::new(), from);
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = file.read(&mut chunk)?;
        if count == 0 {
            return Ok(None);
        }
        window.extend_from_slice(&chunk[..count]);
        if let Some(place) = window.windows(pattern.len()).position(|bytes| bytes == pattern) {
            return Ok(Some(window_start + place as u64));
        }
        // The pattern may span two chunks.
        let used = window.len().saturating_sub(pattern.len() - 1);
        window.drain(..used);
        window_start += used as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_must_match_the_file_name() {
        assert!(Compression::Plain.fits(b"{\"f") && Compression::Plain.fits(b""));
        assert!(
            !Compression::Plain.fits(&[0x1f, 0x8b, 8, 0])
                && !Compression::Plain.fits(&[0x28, 0xb5, 0x2f, 0xfd])
        );
        assert!(Compression::Gzip.fits(&[0x1f, 0x8b]) && !Compression::Gzip.fits(b"{\"f"));
        assert!(Compression::Zstd.fits(b"") && !Compression::Zstd.fits(&[0x1f, 0x8b, 8]));
    }

    #[test]
    fn a_pattern_across_two_chunks_is_found() {
        let mut file = tempfile::tempfile().unwrap();
        let mut bytes = vec![7; 1 << 16];
        bytes[(1 << 16) - 2..].copy_from_slice(&[0x28, 0xb5]);
        bytes.extend([0x2f, 0xfd]);
        file.write_all(&bytes).unwrap();
        assert_eq!(find(&mut file, Compression::Zstd.magic(), 1).unwrap(), Some((1 << 16) - 2));
        assert_eq!(find(&mut file, Compression::Zstd.magic(), (1 << 16) - 1).unwrap(), None);
    }
}
