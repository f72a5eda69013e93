//! The pages in `tests/rules`: each case is a position, moves, and the position they lead to, with drawn boards.
//!
//! A case is a fenced block. Its first line is a position text, followed by its drawing. A line `> move` plays the
//! move; `> move refused: reason` expects the engine to refuse it with that reason; `legal: a, b, c` lists the legal
//! moves. After the moves follows the resulting position, as text and drawing. With `BLESS=1` the test rewrites the
//! drawings, positions, reasons and lists.

use std::fmt::Write;

use game::{Game, Notation, Setup};
use ringrift::{Board, Geometry, Position, on_board};

use crate::bless;

fn run_case<B: Geometry>(title: &str, block: &str) -> String {
    let start = block.lines().next().expect("a case starts with a position");
    let mut position =
        Position::<B>::from_text(start).unwrap_or_else(|faults| panic!("{title}: {start}: {faults}"));
    let mut fresh = format!("{}\n{}", position.to_text(), position.draw());
    let mut moved = false;
    for line in block.lines() {
        if let Some(m) = line.strip_prefix("> ") {
            let text = m.split(" refused:").next().expect("split yields a part").trim();
            let parsed = position.parse_move(text).unwrap_or_else(|fault| panic!("{title}: {text}: {fault}"));
            match position.play(parsed) {
                Ok(()) => {
                    moved = true;
                    writeln!(fresh, "> {text}").unwrap();
                }
                Err(reason) => writeln!(fresh, "> {text} refused: {reason}").unwrap(),
            }
        } else if line.starts_with("legal:") {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let texts: Vec<String> = moves.iter().map(|&m| position.move_text(m)).collect();
            writeln!(fresh, "legal: {}", texts.join(", ")).unwrap();
        } else if moved && line.is_empty() {
            // A blank line stands for the current position.
            writeln!(fresh, "\n{}\n{}", position.to_text(), position.draw().trim_end()).unwrap();
            moved = false;
        }
    }
    if moved {
        write!(fresh, "\n{}\n{}", position.to_text(), position.draw()).unwrap();
    }
    if let Some(outcome) = position.outcome() {
        writeln!(fresh, "ranks: {:?}", outcome.ranks()).unwrap();
    }
    fresh
}

/// The page with the actual results of every case.
fn run_page(name: &str, page: &str) -> String {
    let mut fresh = String::new();
    let mut title = name.to_owned();
    let mut parts = page.split("```");
    while let Some(prose) = parts.next() {
        fresh += prose;
        if let Some(heading) = prose.lines().rfind(|line| line.starts_with('#')) {
            title = format!("{name}, {}", heading.trim_start_matches(['#', ' ']));
        }
        let Some(block) = parts.next() else { break };
        let Some(case) = block.strip_prefix("ringrift\n") else {
            write!(fresh, "```{block}```").unwrap();
            continue;
        };
        let board = Board::of_text(case).unwrap_or_else(|fault| panic!("{title}: {fault}"));
        let run = on_board!(board, B => run_case::<B>(&title, case));
        write!(fresh, "```ringrift\n{run}```").unwrap();
    }
    fresh
}

#[test]
fn every_page_shows_the_actual_play() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules");
    let mut pages: Vec<String> = std::fs::read_dir(folder)
        .expect("the pages are there")
        .map(|entry| entry.expect("a page").file_name().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    assert!(pages.len() >= 10, "one page per family of rules: {pages:?}");
    let mut cases = 0;
    for page in pages {
        let name = format!("rules/{page}");
        let text = bless::read(&name);
        cases += text.matches("```ringrift").count();
        bless::compare(&name, &text, &run_page(&name, &text));
    }
    assert!(cases >= 30, "only {cases} cases");
}
