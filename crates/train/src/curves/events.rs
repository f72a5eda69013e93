//! Scalars as TensorBoard reads them: records of protocol buffers, each with its length and checksums.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::TrainError;

/// A file of events, open for more.
pub(super) struct EventFile {
    path: PathBuf,
    file: File,
}

impl EventFile {
    /// Creates a file of events for steps from `step`, at `time` in seconds since 1970. Files of the same run from before
    /// remain: TensorBoard reads files in the order of their names, and follows a run only if none of them disappears.
    pub(super) fn create(folder: &Path, time: f64, step: u64) -> Result<Self, TrainError> {
        let named = |path: &Path, source| TrainError::Io { path: path.to_owned(), source };
        let mut number = time as u64;
        for entry in fs::read_dir(folder).map_err(|source| named(folder, source))? {
            let name = entry.map_err(|source| named(folder, source))?.file_name();
            let old =
                name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('.').next()?.parse().ok());
            number = number.max(old.map_or(0, |old: u64| old.saturating_add(1)));
        }
        let path = folder.join(format!("{PREFIX}{number}.riftlab"));
        let file = File::create_new(&path).map_err(|source| named(&path, source))?;
        let mut events = Self { path, file };
        let version = bytes_field(FILE_VERSION, b"brain.Event:2");
        // The start of a session makes TensorBoard forget this step and later ones of the files before.
        let start = bytes_field(SESSION_LOG, &number_field(SESSION_STATUS, SESSION_START));
        let written = events.write(time, 0, &version).and_then(|()| events.write(time, step, &start));
        written.map_err(|source| named(&events.path, source))?;
        Ok(events)
    }

    /// Appends the values of a step.
    pub(super) fn push(&mut self, time: f64, step: u64, scalars: &[(&str, f32)]) -> Result<(), TrainError> {
        let values = scalars.iter().flat_map(|(tag, value)| {
            let mut fields = bytes_field(VALUE_TAG, tag.as_bytes());
            fields.push(key(VALUE_SIMPLE, FOUR_BYTES));
            fields.extend(value.to_le_bytes());
            bytes_field(SUMMARY_VALUE, &fields)
        });
        let summary = bytes_field(SUMMARY, &values.collect::<Vec<u8>>());
        self.write(time, step, &summary).map_err(|source| TrainError::Io { path: self.path.clone(), source })
    }

    /// Appends an event with one more field besides time and step.
    fn write(&mut self, time: f64, step: u64, field: &[u8]) -> io::Result<()> {
        let mut event = vec![key(WALL_TIME, EIGHT_BYTES)];
        event.extend(time.to_le_bytes());
        event.extend(number_field(STEP, step));
        event.extend(field);
        self.file.write_all(&record(&event))
    }
}

const PREFIX: &str = "events.out.tfevents.";

// Fields of `Event`.
const WALL_TIME: u8 = 1;
const STEP: u8 = 2;
const FILE_VERSION: u8 = 3;
const SUMMARY: u8 = 5;
const SESSION_LOG: u8 = 7;
// Fields of `SessionLog`, and a value of its status.
const SESSION_STATUS: u8 = 1;
const SESSION_START: u64 = 1;
// Fields of `Summary` and its values.
const SUMMARY_VALUE: u8 = 1;
const VALUE_TAG: u8 = 1;
const VALUE_SIMPLE: u8 = 2;

// How the content of a field is stored.
const VARIABLE: u8 = 0;
const EIGHT_BYTES: u8 = 1;
const LENGTH_FIRST: u8 = 2;
const FOUR_BYTES: u8 = 5;

/// The byte before a field; it holds field numbers below 16.
fn key(field: u8, storage: u8) -> u8 {
    field << 3 | storage
}

fn number_field(field: u8, number: u64) -> Vec<u8> {
    let mut bytes = vec![key(field, VARIABLE)];
    push_variable(&mut bytes, number);
    bytes
}

fn bytes_field(field: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![key(field, LENGTH_FIRST)];
    push_variable(&mut bytes, content.len() as u64);
    bytes.extend(content);
    bytes
}

/// Appends a number in groups of seven bits, the lowest first. All groups but the last have the high bit set.
fn push_variable(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A record: the length of the content, its checksum, the content, its checksum.
fn record(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u64).to_le_bytes();
    [&length[..], &masked(crc32c(&length)), content, &masked(crc32c(content))].concat()
}

/// A checksum as records store it, so that a checksum over bytes with checksums is not trivial.
fn masked(checksum: u32) -> [u8; 4] {
    checksum.rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

/// The cyclic redundancy check with the polynomial of Castagnoli.
fn crc32c(bytes: &[u8]) -> u32 {
    let mut remainder = u32::MAX;
    for &byte in bytes {
        remainder ^= u32::from(byte);
        for _ in 0..8 {
            let polynomial = if remainder & 1 == 1 { 0x82f6_3b78 } else { 0 };
            remainder = remainder >> 1 ^ polynomial;
        }
    }
    !remainder
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The contents of the records in `bytes`, whose checksums must be right.
    pub(in crate::curves) fn records(mut bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut contents = Vec::new();
        while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
            let (check, rest) = rest.split_at(4);
            assert_eq!(check, masked(crc32c(length)));
            let (content, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
            let (check, rest) = rest.split_at(4);
            assert_eq!(check, masked(crc32c(content)));
            contents.push(content.to_vec());
            bytes = rest;
        }
        contents
    }

    #[test]
    fn checksums_are_those_of_the_standard() {
        // The examples of RFC 3720, appendix B.4, and the usual check value.
        let ascending: Vec<u8> = (0..32).collect();
        let descending: Vec<u8> = (0..32).rev().collect();
        for (bytes, expected) in [
            (&[0; 32][..], 0x8a91_36aa),
            (&[0xff; 32], 0x62a8_ab43),
            (&ascending, 0x46dd_794e),
            (&descending, 0x113f_db5c),
            (b"123456789", 0xe306_9283),
        ] {
            assert_eq!(crc32c(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn records_are_framed_as_tensorboard_frames_them() {
        // What TensorBoard's own writer produces at time 1.5.
        let expected = b"\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\x09\0\0\0\0\0\0\xf8\x3f\x1a\x0dbrain.Event:2\x2a\x28\x64\x6c";
        let mut event = vec![key(WALL_TIME, EIGHT_BYTES)];
        event.extend(1.5_f64.to_le_bytes());
        event.extend(bytes_field(FILE_VERSION, b"brain.Event:2"));
        assert_eq!(record(&event), expected);
    }

    #[test]
    fn long_numbers_take_several_bytes() {
        assert_eq!(number_field(STEP, 5), [0x10, 5]);
        assert_eq!(number_field(STEP, 300), [0x10, 0xac, 0x02]);
        assert_eq!(number_field(STEP, u64::MAX).len(), 1 + 10);
    }

    #[test]
    fn a_new_file_has_a_later_name_and_says_from_which_step() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = EventFile::create(folder.path(), 1000.25, 0).unwrap();
        first.push(1001.0, 7, &[("loss", f32::NAN)]).unwrap();
        let contents = records(&fs::read(&first.path).unwrap());
        assert_eq!(contents.len(), 3);
        let mut value = b"\x0a\x04loss\x15".to_vec();
        value.extend(f32::NAN.to_le_bytes());
        assert!(contents[2].ends_with(&value), "{contents:?}");
        let second = EventFile::create(folder.path(), 1000.5, 5).unwrap();
        assert!(first.path.exists() && second.path > first.path, "{:?}", second.path);
        let contents = records(&fs::read(&second.path).unwrap());
        assert!(contents[1].ends_with(b"\x10\x05\x3a\x02\x08\x01"), "{contents:?}");
    }
}
