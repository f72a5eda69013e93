//! Plain or compressed files, and the frames that compressed ones consist of.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use flate2::{bufread::GzDecoder, write::GzEncoder};

/// How the bytes of a file are packed. The file's name decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// As they are.
    Plain,
    /// A row of gzip members, in files that end in `.gz`.
    Gzip,
    /// A row of Zstandard frames, in files that end in `.zst`.
    Zstd,
}

impl Compression {
    /// What the ending of a file's name says.
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

    /// What to call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain text",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The bytes every frame begins with.
    const fn magic(self) -> &'static [u8] {
        match self {
            Self::Plain => &[],
            Self::Gzip => &[0x1f, 0x8b, 0x08],
            Self::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
        }
    }

    /// The packing that the first bytes of a file speak of, as far as there are any.
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

    /// `bytes` as one frame, which can be unpacked without anything before or after it.
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

/// A file that knows how many of its bytes were used.
struct Counted {
    inner: BufReader<File>,
    at: u64,
}

impl Read for Counted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.at += count as u64;
        self.inner.consume(count);
    }
}

/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// Unpacks a file frame by frame.
pub(crate) struct Frames {
    compression: Compression,
    stage: Stage,
    /// Where the present frame starts.
    start: u64,
}

enum Stage {
    Between(Counted),
    Gzip(GzDecoder<Counted>),
    Zstd(zstd::Decoder<'static, Counted>),
    Spent,
}

/// What a call of [`Frames::read`] came to.
pub(crate) enum Unpacked {
    /// Some bytes of the present frame were added.
    Bytes,
    /// The present frame ended, checksum and all.
    FrameEnd,
    /// A frame begins here; nothing was read.
    FrameStart(u64),
    /// The end of the file.
    End,
    /// The present frame cannot be unpacked to its end.
    Bad,
}

impl Frames {
    pub(crate) fn new(file: File, compression: Compression) -> Self {
        let source = Counted { inner: BufReader::with_capacity(CHUNK, file), at: 0 };
        Self { compression, stage: Stage::Between(source), start: 0 }
    }

    /// Where the present frame starts.
    pub(crate) fn frame_start(&self) -> u64 {
        self.start
    }

    /// Adds some bytes to `out`.
    pub(crate) fn read(&mut self, out: &mut Vec<u8>) -> io::Result<Unpacked> {
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
            Ok(0) if self.compression == Compression::Plain => Ok(Unpacked::End),
            Ok(0) => {
                self.leave_frame();
                Ok(Unpacked::FrameEnd)
            }
            Ok(_) => Ok(Unpacked::Bytes),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Unpacked::Bytes),
            // Decoders make up errors of their own; one from the system is no matter of the content.
            Err(error) if error.raw_os_error().is_some() => Err(error),
            Err(_) => Ok(Unpacked::Bad),
        }
    }

    fn begin_frame(&mut self) -> io::Result<Unpacked> {
        let Stage::Between(mut source) = std::mem::replace(&mut self.stage, Stage::Spent) else {
            return Ok(Unpacked::End);
        };
        if source.fill_buf()?.is_empty() {
            return Ok(Unpacked::End);
        }
        self.start = source.at;
        self.stage = match self.compression {
            Compression::Plain => Stage::Between(source),
            Compression::Gzip => Stage::Gzip(GzDecoder::new(source)),
            Compression::Zstd => Stage::Zstd(zstd::Decoder::with_buffer(source)?.single_frame()),
        };
        Ok(Unpacked::FrameStart(self.start))
    }

    fn leave_frame(&mut self) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Spent) {
            Stage::Gzip(decoder) => Stage::Between(decoder.into_inner()),
            Stage::Zstd(decoder) => Stage::Between(decoder.finish()),
            other => other,
        };
    }

    /// Goes to the first whole frame after the start of the present one and returns where it starts; without one,
    /// goes to the end and returns `None`.
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
                self.stage = Stage::Between(Counted { inner, at: candidate });
                return Ok(Some(candidate));
            }
            from = candidate + 1;
        }
        Ok(None)
    }

    /// Reads one frame to its end.
    fn is_frame_whole(&mut self) -> io::Result<bool> {
        self.begin_frame()?;
        let mut scratch = Vec::new();
        loop {
            scratch.clear();
            match self.read(&mut scratch)? {
                Unpacked::Bytes => {}
                Unpacked::FrameEnd => return Ok(true),
                Unpacked::FrameStart(_) | Unpacked::End | Unpacked::Bad => return Ok(false),
            }
        }
    }
}

/// Where `pattern` first occurs in the file at or after `from`.
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
        // The pattern may lie across two chunks.
        let used = window.len().saturating_sub(pattern.len() - 1);
        window.drain(..used);
        window_start += used as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_have_to_agree_with_the_name() {
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
