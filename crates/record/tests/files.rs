//! Files of records after crashes, truncation and bit flips.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

mod support;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proptest::prelude::*;
use record::{GameRecord, ReadError, RecordReader, RecordWriter, WriteError, write_records};
use support::{any_record, cases, memory_folder, short_game};
use tempfile::TempDir;

const NAMES: [&str; 3] = ["games.jsonl", "games.jsonl.gz", "games.jsonl.zst"];

fn write(path: &Path, records: &[GameRecord]) {
    let mut writer = RecordWriter::open(path).unwrap();
    for record in records {
        writer.append(record).unwrap();
    }
    writer.finish().unwrap();
}

/// The games of a file, and the errors.
fn read(path: &Path) -> (Vec<GameRecord>, Vec<ReadError>) {
    let (mut records, mut errors) = (Vec::new(), Vec::new());
    for item in RecordReader::open(path).unwrap() {
        match item {
            Ok(record) => records.push(record),
            Err(error) => errors.push(error),
        }
    }
    (records, errors)
}

fn read_all(path: &Path) -> Vec<GameRecord> {
    let (records, errors) = read(path);
    assert!(errors.is_empty(), "{errors:?}");
    records
}

fn games(count: u64) -> Vec<GameRecord> {
    (0..count).map(short_game).collect()
}

/// The other files in the folder.
fn beside(folder: &TempDir, name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap() != name).collect()
}

#[test]
fn appended_games_are_read_back_in_order() {
    for name in NAMES {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        let games = games(5);
        write(&path, &games[..2]);
        write(&path, &games[2..]);
        assert_eq!(read_all(&path), games, "{name}");
        let mut writer = RecordWriter::open(&path).unwrap().batch(3);
        assert_eq!(writer.repair(), None);
        for game in &games[..4] {
            writer.append(game).unwrap();
        }
        assert_eq!(read_all(&path).len(), 8, "{name}: a batch of three is there, one game waits");
        drop(writer);
        assert_eq!(read_all(&path).len(), 9, "{name}");
    }
}

#[test]
fn a_file_truncated_anywhere_keeps_its_complete_games_and_can_be_appended_to() {
    let (games, extra) = (games(3), short_game(99));
    for name in NAMES {
        let folder = memory_folder();
        let path = folder.path().join(name);
        // The offset at which each game ends.
        let mut ends = vec![0];
        for game in &games {
            write(&path, std::slice::from_ref(game));
            ends.push(fs::metadata(&path).unwrap().len() as usize);
        }
        let bytes = fs::read(&path).unwrap();
        for cut in 0..=bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let whole = ends.iter().filter(|&&end| end <= cut).count() - 1;
            let is_end = ends.contains(&cut);
            let (found, errors) = read(&path);
            // The last bytes of a game are a line break or a checksum, without content.
            let rescued = found.len() - whole;
            assert!(rescued <= 1, "{name} cut at {cut}: {} of {whole} games", found.len());
            assert_eq!(found, games[..found.len()], "{name} cut at {cut}");
            match &errors[..] {
                [] => assert!(is_end || name == NAMES[0] && ends.contains(&(cut + 1)), "{name} cut at {cut}"),
                [ReadError::Torn { path: file, offset, bytes, lines }] => {
                    assert!(!is_end, "{name} cut at {cut}");
                    assert_eq!((*file == path, *offset), (true, ends[whole] as u64), "{name} cut at {cut}");
                    assert_eq!((*bytes, *lines), ((cut - ends[whole]) as u64, found.len() as u64));
                }
                others => panic!("{name} cut at {cut}: {others:?}"),
            }

            let mut writer = RecordWriter::open(&path).unwrap();
            let repair = writer.repair().cloned();
            assert_eq!(repair.is_some(), !errors.is_empty(), "{name} cut at {cut}");
            writer.append(&extra).unwrap();
            drop(writer);
            let mut expected = games[..found.len()].to_vec();
            expected.push(extra.clone());
            assert_eq!(read_all(&path), expected, "{name} cut at {cut}");
            if let Some(repair) = repair {
                assert_eq!(repair.rescued, rescued);
                assert_eq!(fs::read(&repair.saved).unwrap(), bytes[ends[whole]..cut], "{name} cut at {cut}");
                fs::remove_file(repair.saved).unwrap();
            }
            assert_eq!(beside(&folder, name), Vec::<PathBuf>::new());
        }
    }
}

#[test]
fn two_tails_removed_at_the_same_offset_are_both_saved() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.jsonl");
    for tail in ["{\"torn", "{\"tired"] {
        fs::write(&path, tail).unwrap();
        let writer = RecordWriter::open(&path).unwrap();
        assert_eq!(fs::read_to_string(&writer.repair().unwrap().saved).unwrap(), tail);
    }
    assert_eq!(beside(&folder, "games.jsonl").len(), 2);
}

#[test]
fn a_truncated_batch_keeps_its_complete_games() {
    for name in &NAMES[1..] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        let games: Vec<GameRecord> = (0..2_000).map(short_game).collect();
        write_records(&path, &games).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
        let (found, errors) = read(&path);
        assert!(matches!(errors[..], [ReadError::Torn { offset: 0, .. }]), "{errors:?}");
        let writer = RecordWriter::open(&path).unwrap();
        let repair = writer.repair().unwrap();
        assert_eq!(repair.rescued, found.len());
        assert!(repair.to_string().contains("complete games in them were written again"), "{repair}");
        assert_eq!(read_all(&path), games[..found.len()]);
    }
}

#[test]
fn damage_in_the_middle_loses_only_the_damaged_part() {
    for name in NAMES {
        let folder = memory_folder();
        let path = folder.path().join(name);
        let games = games(4);
        write(&path, &games[..1]);
        let start = fs::metadata(&path).unwrap().len() as usize;
        write(&path, &games[1..2]);
        let end = fs::metadata(&path).unwrap().len() as usize;
        write(&path, &games[2..]);
        let bytes = fs::read(&path).unwrap();
        // Any byte but the line break, whose loss would join two lines.
        for place in start..end - 1 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x40;
            fs::write(&path, &damaged).unwrap();
            let (found, errors) = read(&path);
            for index in [0, 2, 3] {
                assert!(found.contains(&games[index]), "{name}, byte {place}: game {index} of {errors:?}");
            }
            if name != NAMES[0] {
                assert!(
                    found.iter().all(|game| games.contains(game)),
                    "{name}, byte {place}: a changed game passes"
                );
                assert!(
                    matches!(errors[..], [] | [ReadError::Damaged { .. }]),
                    "{name}, byte {place}: {errors:?}"
                );
            }
            drop(RecordWriter::open(&path).unwrap());
            assert!(
                fs::read(&path).unwrap() == damaged,
                "{name}, byte {place}: whole games follow, nothing is cut"
            );
        }
    }
}

#[test]
fn invalid_lines_are_reported_and_skipped() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.jsonl");
    let games = games(2);
    let [first, second] = [games[0].to_line().unwrap(), games[1].to_line().unwrap()];
    let mut bytes = format!("{first}\n\n{{\"format\":7}}\nno json\n").into_bytes();
    bytes.extend([0xff, 0xfe, b'\n']);
    bytes.extend(second.as_bytes());
    fs::write(&path, bytes).unwrap();
    let (found, errors) = read(&path);
    assert_eq!(found, games, "the last line only lacks its break");
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].contains("games.jsonl:3: game record format 7"), "{}", errors[0]);
    assert!(errors[1].contains("games.jsonl:4: not a game record"), "{}", errors[1]);
    assert!(errors[2].contains("games.jsonl:5: not UTF-8"), "{}", errors[2]);
    // Appending first completes the last line.
    write(&path, &games[..1]);
    assert_eq!(read(&path).0.len(), 3);
}

#[test]
fn the_content_must_match_the_file_name() {
    let folder = TempDir::new().unwrap();
    let line = short_game(1).to_line().unwrap() + "\n";
    let packed = zstd::encode_all(line.as_bytes(), 3).unwrap();
    for (name, bytes) in
        [("a.gz", line.as_bytes()), ("a.zst", line.as_bytes()), ("a.jsonl", &packed), ("b.gz", &packed)]
    {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = RecordReader::open(&path).err().unwrap().to_string();
        assert!(error.contains("rename the file"), "{error}");
        assert!(RecordWriter::open(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is repaired away");
    }
    let missing = RecordReader::open(folder.path().join("missing")).err().unwrap();
    assert!(matches!(missing, ReadError::Io { .. }), "{missing}");
}

#[test]
fn a_file_has_one_writer() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.jsonl.zst");
    let writer = RecordWriter::open(&path).unwrap();
    let second = RecordWriter::open(&path).err().unwrap();
    assert!(matches!(second, WriteError::Locked { .. }), "{second}");
    let replaced = write_records(&path, &games(1)).unwrap_err();
    assert!(matches!(replaced, WriteError::Locked { .. }), "{replaced}");
    drop(writer);
    RecordWriter::open(&path).unwrap();
}

#[test]
fn a_file_is_replaced_completely_or_not_at_all() {
    for name in NAMES {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        let mut games = games(3);
        assert_eq!(write_records(&path, &games).unwrap(), 3);
        assert_eq!(write_records(&path, &games[..2]).unwrap(), 2);
        assert_eq!(read_all(&path), games[..2]);
        games[2].players.clear();
        assert!(matches!(write_records(&path, &games), Err(WriteError::Record(_))));
        assert_eq!(read_all(&path), games[..2]);
        assert_eq!(beside(&folder, name), Vec::<PathBuf>::new(), "no temporary file stays");
        assert_eq!(write_records(&path, &[]).unwrap(), 0);
        assert!(read_all(&path).is_empty());
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn records_survive_any_truncation(
        records in proptest::collection::vec(any_record(), 1..6),
        place in any::<proptest::sample::Index>(),
        name in proptest::sample::select(NAMES.to_vec()),
        batch in 1_usize..4,
    ) {
        let folder = memory_folder();
        let path = folder.path().join(name);
        let mut writer = RecordWriter::open(&path).unwrap().batch(batch);
        let mut ends = vec![(0, 0)];
        for (index, record) in (1..).zip(&records) {
            writer.append(record).unwrap();
            ends.push((fs::metadata(&path).unwrap().len(), index / batch * batch));
        }
        writer.finish().unwrap();
        let bytes = fs::read(&path).unwrap();
        let cut = place.index(bytes.len() + 1);
        fs::write(&path, &bytes[..cut]).unwrap();
        let safe = ends.iter().filter(|(end, _)| *end <= cut as u64).map(|(_, count)| *count).max().unwrap();
        let (found, _) = read(&path);
        prop_assert!(found.len() >= safe, "{} of {safe}", found.len());
        prop_assert_eq!(&found[..], &records[..found.len()]);
        write(&path, &records[..1]);
        let (again, errors) = read(&path);
        prop_assert!(errors.is_empty(), "{errors:?}");
        prop_assert_eq!(&again[..found.len()], &found[..]);
        prop_assert_eq!(again.len(), found.len() + 1);
    }
}

const CHILD: &str = "RIFTLAB_TEST_APPEND_TO";

/// Not a test by itself: the process that the next test kills.
#[test]
fn child_that_appends_until_killed() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let mut writer = RecordWriter::open(PathBuf::from(path)).unwrap();
    for seed in 0.. {
        writer.append(&short_game(seed)).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nkept {seed}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn a_killed_writer_loses_no_game_it_has_acknowledged() {
    for (round, name) in NAMES.iter().cycle().take(6).enumerate() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_appends_until_killed", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = 0;
        for line in lines.map_while(Result::ok).filter(|line| line.starts_with("kept")) {
            acknowledged = line["kept ".len()..].parse::<usize>().unwrap() + 1;
            if acknowledged == 10 + 7 * round {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        assert!(acknowledged >= 10 + 7 * round);
        let writer = RecordWriter::open(&path).unwrap();
        drop(writer);
        let found = read_all(&path);
        assert!(found.len() >= acknowledged, "{name}: {} of {acknowledged}", found.len());
        for (seed, record) in (0..).zip(&found) {
            assert_eq!(*record, short_game(seed));
        }
    }
}
