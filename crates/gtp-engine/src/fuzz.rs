//! Fuzzing of sessions: random bytes, malformed commands, extreme numbers, long lines.
//!
//! `PROPTEST_CASES=100000` runs more cases.

use std::io::Cursor;

use go::Rules;
use proptest::{collection::vec, prelude::*, sample::select};

use gtp::Command;

use super::{
    Engine, EngineOptions, MAX_COMMAND,
    commands::{NAMES, all_names},
};

/// Lines of real sessions.
const REAL: [&str; 30] = [
    "boardsize 5",
    "boardsize 9",
    "clear_board",
    "komi 6.5",
    "play black C3",
    "play white D4",
    "play b pass",
    "play w pass",
    "genmove b",
    "genmove w",
    "reg_genmove b",
    "kgs-genmove_cleanup w",
    "undo",
    "fixed_handicap 2",
    "place_free_handicap 3",
    "set_free_handicap A1 C3 E5",
    "time_settings 300 30 5",
    "time_left black 12 3",
    "kgs-time_settings byoyomi 60 10 3",
    "final_score",
    "final_status_list dead",
    "final_status_list alive",
    "showboard",
    "printsgf",
    "lz-analyze b 10",
    "kata-analyze 10 maxmoves 3",
    "lz-genmove_analyze w 10",
    "loadsgf game.sgf 12",
    "riftlab-agent random",
    "12 known_command play",
];

/// Arguments for generated commands.
const WORDS: [&str; 24] = [
    "b",
    "w",
    "black",
    "white",
    "A1",
    "T19",
    "I5",
    "Z26",
    "pass",
    "resign",
    "0",
    "-1",
    "2",
    "19",
    "20",
    "7.5",
    "1e308",
    "NaN",
    "inf",
    "18446744073709551616",
    "99999999999999999999999999",
    "dead",
    "seki",
    "../..",
];

fn line() -> impl Strategy<Value = Vec<u8>> {
    let real = select(&REAL[..]).prop_map(|line| line.as_bytes().to_vec());
    // A real line with bytes changed, inserted or removed.
    let broken =
        (select(&REAL[..]), vec((any::<u8>(), any::<u8>(), 0..3_u8), 1..4)).prop_map(|(line, changes)| {
            let mut line = line.as_bytes().to_vec();
            for (place, byte, change) in changes {
                let at = usize::from(place) % line.len().max(1);
                match change {
                    0 if !line.is_empty() => line[at] = byte,
                    1 if !line.is_empty() => drop(line.remove(at)),
                    _ => line.insert(at.min(line.len()), byte),
                }
            }
            line
        });
    let assembled = (select(&NAMES[..]), vec(select(&WORDS[..]), 0..5))
        .prop_map(|(name, words)| format!("{name} {}", words.join(" ")).into_bytes());
    let noise = vec(any::<u8>(), 0..40);
    let long = (1..3_usize, any::<u8>()).prop_map(|(times, byte)| vec![byte; times * (MAX_COMMAND - 10)]);
    prop_oneof![8 => real, 6 => broken, 6 => assembled, 4 => noise, 1 => long]
}

/// The expected replies: the id of every command, and whether its name is known.
fn expected(input: &[u8]) -> Vec<(Option<u32>, bool)> {
    let mut expected = Vec::new();
    let mut lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
    // An empty rest after the last line break is not a line.
    lines.pop_if(|last| last.is_empty());
    for line in lines {
        if line.len() > MAX_COMMAND {
            expected.push((None, false));
            continue;
        }
        let Some(command) = Command::parse(&String::from_utf8_lossy(line)) else { continue };
        let known = all_names().contains(&command.name.as_str());
        expected.push((command.id, known));
        if command.name == "quit" {
            break;
        }
    }
    expected
}

proptest! {
    #[test]
    fn every_command_has_one_well_formed_reply(lines in vec(line(), 1..14), size in 2..=9_u8) {
        let mut input: Vec<u8> = lines.join(&b'\n');
        input.push(b'\n');
        let options = EngineOptions { playouts: 4, ..EngineOptions::new("fuzz", "1", Rules::new(size)) };
        let mut engine = Engine::new(options, "random".parse().unwrap()).unwrap();
        let mut output = Vec::new();
        engine.serve(Cursor::new(input.clone()), &mut output).unwrap();
        let output = String::from_utf8(output).expect("replies are text");
        let replies: Vec<&str> = output.split_terminator("\n\n").collect();
        let expected = expected(&input);
        prop_assert_eq!(replies.len(), expected.len(), "{}", output);
        for (reply, (id, known)) in replies.iter().zip(expected) {
            let number = id.map_or_else(String::new, |id| id.to_string());
            let signs = if known { ["=", "?"] } else { ["?", "?"] }.map(|sign| format!("{sign}{number}"));
            let first = reply.split([' ', '\n']).next().unwrap_or_default();
            prop_assert!(signs.iter().any(|sign| sign == first), "{:?} for {:?}", reply, id);
            prop_assert!(reply.len() < 100_000);
            let silent = first.starts_with('?') && reply.len() <= first.len() + 1;
            prop_assert!(!silent, "a refusal says why");
        }
        // The engine still works afterwards.
        let mut output = Vec::new();
        engine.serve(Cursor::new(&b"name\nclear_board\ngenmove b\n"[..]), &mut output).unwrap();
        prop_assert!(output.starts_with(b"= fuzz\n\n=\n\n= "), "{:?}", String::from_utf8_lossy(&output));
    }
}
