//! Fuzz tests: no input makes a reader panic.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

#[path = "../../record/tests/support/mod.rs"]
mod support;

use interchange::trace::{Trace, TraceMove};
use proptest::prelude::*;
use record::{GameRecord, LineReader};
use ringrift::{Board, Rules};
use support::{cases, random_game, shared};

/// Passes a line to every reader.
fn digest(line: &str) {
    let _ = interchange::detect_format(line);
    if let Ok(imported) = interchange::import_line(line, "fuzz") {
        let _ = imported.record.replay();
        let _ = imported.record.to_line();
    }
    if let Ok(record) = GameRecord::from_line(line) {
        let _ = record.replay();
    }
    if let Ok(trace) = serde_json::from_str::<Trace>(line) {
        let _ = trace.replay();
    }
    if let Ok(m) = serde_json::from_str::<TraceMove>(line) {
        let _ = m.key();
    }
}

/// One line of each format to start from.
fn seeds() -> Vec<String> {
    let mut seeds = vec![
        random_game(Board::Square8, Rules { swap: true, ..Rules::new(2) }, 1, usize::MAX).to_line().unwrap(),
        random_game(Board::Hex8, Rules::new(3), 2, 60).to_line().unwrap(),
        TRAINING.to_owned(),
        TRACE.to_owned(),
    ];
    if let Some(folder) = shared("traces") {
        let lines = LineReader::open(folder.join("constructed.jsonl.gz")).unwrap().map(Result::unwrap);
        seeds.extend(lines.filter(|line| line.len() < 9_000).take(4));
    }
    seeds
}

const TRAINING: &str = r#"{"initial_state":{"boardType":"square8","board":{"stacks":{"3,3":{"rings":[1,2],"controllingPlayer":1,"capHeight":1}},"markers":{"0,0":{"player":2}},"collapsedSpaces":{"7,7":1}},"players":[{"playerNumber":1,"ringsInHand":3,"eliminatedRings":2},{"playerNumber":2,"ringsInHand":4}],"currentPlayer":1,"currentPhase":"movement","mustMoveFromStackKey":"3,3","lpsTracking":{"consecutiveExclusiveRounds":1,"consecutiveExclusivePlayer":1},"moveHistory":[{"type":"place_ring","player":1,"to":{"x":3,"y":3}}]},"moves":[{"type":"move_stack","player":1,"from":{"x":3,"y":3},"to":{"x":3,"y":5}}],"winner":1,"board_type":"square8"}"#;

const TRACE: &str = r#"{"v":1,"id":"t","board":"square8","players":2,"variant":"base","swap":false,"lpsRounds":3,"start":"1|ring_placement|h:3,5|e:3,3|t:0,1|S:5,5=12;7,7=2|M:0,0=1|C:1,1=2","plies":[{"p":1,"f":"ring_placement","n":3,"l":"x","d":"y","m":{"t":"place_ring","to":"3,3","n":1}}],"result":{"winner":1,"reason":"ring_elimination","fd":"z"}}"#;

/// Words with a meaning for one of the readers.
const WORDS: [&str; 24] = [
    "0",
    "-1",
    "1",
    "2",
    "5",
    "255",
    "256",
    "65535",
    "65536",
    "99999999999999999999",
    "1e300",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "\"hex8\"",
    "\"1,1\"",
    "\"movement\"",
    "\"chain_capture\"",
    "\"swap_sides\"",
    "\"-a1\"",
    "\u{e9}",
    ",",
];

const NUMBERS: [&str; 12] =
    ["0", "1", "2", "3", "4", "5", "-1", "18", "255", "1000", "65535", "18446744073709551615"];

/// Mutates a line. Most mutations replace a value by another of the same type, so that the line passes the first checks;
/// some overwrite arbitrary bytes with a word.
fn changed(line: &str, changes: &[(prop::sample::Index, usize, prop::sample::Index)]) -> String {
    let mut text = line.to_owned();
    for (place, sort, word) in changes {
        let starts: Vec<usize> = text.match_indices([':', '[', ',']).map(|(at, _)| at + 1).collect();
        let start = *place.get(&starts);
        let old = &text[start..start + text[start..].find([',', ']', '}']).unwrap_or(0)];
        let texts: Vec<&str> =
            text.split([':', '[', ',', ']', '}']).filter(|part| part.starts_with('"')).collect();
        let is_number = old.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        let (length, new) = match sort {
            0 => (old.len(), *word.get(&WORDS)),
            1 => (word.index(4).min(old.len()), *word.get(&WORDS)),
            _ if is_number => (old.len(), *word.get(&NUMBERS)),
            _ if old.starts_with('"') && !texts.is_empty() => (old.len(), *word.get(&texts)),
            _ => continue,
        };
        let end = (start + length..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        let new = new.to_owned();
        text.replace_range(start..end, &new);
    }
    text
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn any_text(line in ".{0,200}") {
        digest(&line);
    }

    #[test]
    fn any_bytes_in_a_file(bytes in proptest::collection::vec(any::<u8>(), 0..300), name in "x(\\.gz|\\.zst|)", magic in any::<bool>()) {
        let folder = support::memory_folder();
        let path = folder.path().join(&name);
        let head: &[u8] = match &*name {
            "x.gz" if magic => &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff],
            "x.zst" if magic => &[0x28, 0xb5, 0x2f, 0xfd, 0x04],
            _ => &[],
        };
        std::fs::write(&path, [head, &bytes].concat()).unwrap();
        if let Ok(reader) = interchange::ImportReader::open(&path) {
            for item in reader {
                let _ = item.map(|imported| imported.record.replay());
            }
        }
    }

    #[test]
    fn changed_lines(
        seed in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..16, any::<prop::sample::Index>()), 1..4),
    ) {
        thread_local!(static SEEDS: Vec<String> = seeds());
        SEEDS.with(|seeds| digest(&changed(&seeds[seed.index(seeds.len())], &changes)));
    }
}
