//! The dialogues of graphical programs, with the commands that they send, in their order.

use std::{
    io::{self, Read},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use super::*;

/// A stream that ends when its sender is dropped.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// The other end of the output: passes on every line.
struct Printed(Sender<String>, Vec<u8>);

impl io::Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.1)).into_owned();
                // The test may have ended.
                let _ = self.0.send(line);
            } else {
                self.1.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine on its own thread, which a test talks to like a program.
struct Partner {
    input: Sender<Vec<u8>>,
    output: Receiver<String>,
}

impl Partner {
    fn new(agent: &str, size: u8) -> Self {
        let (input, lines) = channel();
        let (said, output) = channel();
        let spec = agent.parse().unwrap();
        let mut engine = Engine::new(EngineOptions::new("riftlab", "1", Rules::new(size)), spec).unwrap();
        thread::spawn(move || engine.serve(Pipe(lines, Vec::new()), &mut Printed(said, Vec::new())));
        Self { input, output }
    }

    fn send(&self, command: &str) {
        self.input.send(format!("{command}\n").into_bytes()).unwrap();
    }

    fn line(&self) -> String {
        self.output.recv_timeout(Duration::from_mins(5)).expect("the engine answers")
    }

    /// The rest of a reply, up to its empty line.
    fn reply(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                return lines;
            }
            lines.push(line);
        }
    }

    fn ask(&self, command: &str) -> String {
        self.send(command);
        self.reply().join("\n")
    }
}

const TREE_SEARCH: &str = "mcts(sims=200,leaves=rollout,select=uct,c=0.3,rave=1000)";

/// The value after a key of an `info`.
fn value<'a>(info: &'a str, key: &str) -> &'a str {
    let mut words = info.split(' ').skip_while(|word| *word != key);
    words.nth(1).unwrap_or_else(|| panic!("no {key} in {info}"))
}

/// The moves of a line of analysis, each with its principal variation.
fn variations(line: &str) -> Vec<&str> {
    line.split("info ").skip(1).map(str::trim).collect()
}

#[test]
fn lizzie_starts_and_ponders() {
    let engine = Partner::new(TREE_SEARCH, 19);
    let name = engine.ask("1 name");
    assert!(name.starts_with("=1 ") && !name.starts_with("=1 KataGo"));
    // Lizzie splits the first word at dots and expects a second number of at least 15.
    let version = engine.ask("2 version");
    let minor: u32 = version.split(' ').nth(1).unwrap().split('.').nth(1).unwrap().parse().unwrap();
    assert!(minor >= 15, "{version}");
    assert_eq!(engine.ask("3 boardsize 9"), "=3");
    assert_eq!(engine.ask("4 komi 7.5"), "=4");
    engine.send("5 lz-analyze 1");
    assert_eq!(engine.line(), "=5");
    let info = engine.line();
    for shown in variations(&info) {
        assert!(
            value(shown, "visits").parse::<u32>().is_ok() && value(shown, "winrate").parse::<u32>().is_ok()
        );
        assert!(value(shown, "lcb").parse::<u32>().unwrap() <= value(shown, "winrate").parse().unwrap());
        assert_eq!(value(shown, "pv"), value(shown, "move"));
    }
    // A move ends pondering, which begins again in the new position.
    engine.send("6 play B E5");
    let rest = engine.reply();
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
    assert_eq!(engine.reply(), ["=6"]);
    engine.send("7 lz-analyze 1 avoid b C3,D4,E4 1 avoid w C3,D4,E4 1");
    assert_eq!(engine.line(), "=7");
    let info = engine.line();
    assert!(
        variations(&info).iter().all(|shown| !["C3", "D4", "E4"].contains(&value(shown, "move"))),
        "{info}"
    );
    engine.send("8 name");
    engine.reply();
    assert_eq!(engine.reply(), ["=8 riftlab"]);
    assert!(engine.ask("9 genmove w").starts_with("=9 "));
    assert_eq!(engine.ask("10 undo"), "=10");
    assert_eq!(engine.ask("11 clear_board"), "=11");
    assert!(engine.ask("12 fixed_handicap 2").starts_with("=12 C3 G7"));
    assert_eq!(engine.ask("13 time_settings 0 2 1"), "=13");
    let moved = engine.ask("14 lz-genmove_analyze W 10");
    assert!(moved.lines().last().unwrap().starts_with("play "), "{moved}");
    assert_eq!(engine.ask("15 quit"), "=15");
}

#[test]
fn sabaki_starts_synchronises_and_analyses() {
    let engine = Partner::new(TREE_SEARCH, 19);
    engine.ask("0 name");
    engine.ask("1 version");
    assert_eq!(engine.ask("2 protocol_version"), "=2 2");
    let commands = engine.ask("3 list_commands");
    for known in
        ["set_free_handicap", "undo", "loadsgf", "lz-analyze", "kata-analyze", "kata-genmove_analyze"]
    {
        assert!(commands.lines().any(|line| line.trim_start_matches("=3 ") == known), "{known}");
    }
    // A position with set-up stones of both colours.
    for (command, reply) in [
        ("4 boardsize 9", "=4"),
        ("5 clear_board", "=5"),
        ("6 komi 6.5", "=6"),
        ("7 set_free_handicap C3 C7 G7", "=7"),
        ("8 play W G3", "=8"),
        ("9 play W E5", "=9"),
    ] {
        assert_eq!(engine.ask(command), reply);
    }
    engine.send("10 kata-analyze W 1 ownership true");
    assert_eq!(engine.line(), "=10");
    let line = engine.line();
    // What Sabaki matches: ownership at the end, and infos that end with a variation.
    let (infos, owned) = line.split_once(" ownership ").unwrap();
    assert_eq!(owned.split(' ').filter(|owner| owner.parse::<f32>().is_ok()).count(), 81);
    for shown in variations(infos) {
        assert!(value(shown, "winrate").contains('.') && value(shown, "scoreLead").parse::<f32>().is_ok());
        let line = shown.split(" pv ").nth(1).unwrap();
        assert!(line.split(' ').all(|m| m == "pass" || go::Point::parse(m).is_some()), "{line}");
    }
    // Sabaki shows the highest winrate of all moves, so no move with a few lucky playouts may appear.
    let visits: Vec<u64> =
        variations(infos).iter().map(|shown| value(shown, "visits").parse().unwrap()).collect();
    assert!(visits.iter().all(|&count| count * 50 >= visits[0]), "{visits:?}");
    // This is how it ends an analysis.
    engine.send("11 protocol_version");
    engine.reply();
    assert_eq!(engine.reply(), ["=11 2"]);
    let moved = engine.ask("12 genmove W");
    assert!(moved.starts_with("=12 ") && !moved.contains("pass"), "{moved}");
    assert_eq!(engine.ask("13 undo"), "=13");
    assert_eq!(engine.ask("14 quit"), "=14");
}

#[test]
fn gogui_interrupts_a_search() {
    let engine = Partner::new("mcts(sims=1000000000,leaves=rollout,select=uct)", 9);
    assert_eq!(engine.ask("known_command gogui-interrupt"), "= true");
    engine.send("1 genmove b\n# interrupt");
    let moved = engine.reply();
    assert!(moved[0].starts_with("=1 ") && moved[0] != "=1 pass", "{moved:?}");
    engine.send("2 lz-analyze b 1");
    assert_eq!(engine.line(), "=2");
    engine.send("# interrupt");
    assert!(engine.reply().iter().all(|line| line.starts_with("info ")));
    assert_eq!(engine.ask("3 name"), "=3 riftlab");
}

#[test]
fn moves_are_avoided_only_if_the_agent_can() {
    let engine = Partner::new("random", 9);
    assert!(engine.ask("lz-genmove_analyze b avoid b A1 1").starts_with("? this agent cannot avoid"));
    let engine = Partner::new(TREE_SEARCH, 9);
    let moved =
        engine.ask("kata-genmove_analyze b 100 allow b A1,J9 1 rootInfo true minmoves 2 pvVisits true");
    let last = moved.lines().last().unwrap();
    assert!(["play A1", "play J9"].contains(&last), "{moved}");
    assert!(moved.contains("rootInfo visits "), "{moved}");
    // The restriction ends with its command.
    let free = engine.ask("genmove w");
    assert!(free != "= J9" && free != "= A1", "{free}");
}
