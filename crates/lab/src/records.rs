//! Conversion between played games, records and summaries.
//!
//! Records are text, for files and databases. Data without a field of its own is stored in tags: `opening` (plies),
//! `forfeit` (the message), and for every seat `cost-N` (decisions, nodes, microseconds) and `engines-N`. Only this
//! module reads and writes these tags.

use std::{collections::BTreeSet, time::Duration};

use arena::{Cost, End, GameSummary, Played, SeatSummary, final_ranks, fingerprint};
use game::{Seat, SeatPermutation};
use record::{GameRecord, Recorded, on_game};

use crate::LabError;

/// Completes the record of a played game with its moves, its result, and the cost of every seat.
pub(crate) fn complete<P: Recorded>(mut record: GameRecord, game: &Played<P>) -> GameRecord {
    let mut position = P::new(&game.last.config());
    for &m in &game.moves {
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    match &game.forfeit {
        None => record.conclude(&position),
        Some(forfeit) => {
            record.forfeit(&position, forfeit.kind);
            record.tags.insert("forfeit".to_owned(), forfeit.message.clone());
        }
    }
    record.tags.insert("opening".to_owned(), game.summary.opening_plies.to_string());
    for (number, seat) in (1..).zip(&game.summary.seats) {
        let engines: Vec<&str> = seat.engines.iter().map(String::as_str).collect();
        record.tags.insert(engines_tag(number), engines.join(","));
        if let Some(cost) = &seat.cost {
            record.tags.insert(cost_tag(number), cost_text(cost));
        }
    }
    record
}

/// The summary of a recorded game, as game `index` of an event. `players` are in the initial seat order. Replays the
/// game.
///
/// # Errors
/// If the record is not a legal, finished game.
pub fn summary<T>(index: u64, record: &GameRecord, players: Vec<T>) -> Result<GameSummary<T>, LabError> {
    let (ranks, end) = on_game!(record.config, P => ending::<P>(record)?);
    let seat = |((number, player), rank): ((usize, T), u8)| SeatSummary {
        player,
        rank,
        engines: engines(record, number),
        cost: record.tags.get(&cost_tag(number)).and_then(|text| parse_cost(text)),
    };
    Ok(GameSummary {
        index,
        seats: (1..).zip(players).zip(ranks).map(seat).collect(),
        plies: record.moves.len() as u32,
        opening_plies: record.tags.get("opening").and_then(|text| text.parse().ok()).unwrap_or(0),
        end,
        fingerprint: fingerprint(&record.moves),
    })
}

/// The ranks of a recorded game in the initial seat order, and the reason for its end.
fn ending<P: Recorded>(record: &GameRecord) -> Result<(Vec<u8>, End), LabError> {
    let mut permutation = SeatPermutation::default();
    let last = record.replay_as::<P>(|position, m| permutation.advance(position, m))?;
    let result = record.result.as_ref().ok_or_else(|| LabError::Unfinished(record.id.clone()))?;
    let end = End::from_name(&result.reason);
    // With three or four seats, the rules may leave a forfeited game without ranks, but a match needs them.
    let forfeited = matches!(end, End::Forfeit(_)) && last.seats() > 2;
    let after = if forfeited { final_ranks(&last, true) } else { result.ranking.clone() };
    let ranks = Seat::all(after.len()).map(|seat| after[permutation.of(seat).index()]).collect();
    Ok((ranks, end))
}

fn engines_tag(seat: usize) -> String {
    format!("engines-{seat}")
}

fn cost_tag(seat: usize) -> String {
    format!("cost-{seat}")
}

fn engines(record: &GameRecord, seat: usize) -> BTreeSet<String> {
    let text = record.tags.get(&engines_tag(seat)).map_or("", String::as_str);
    text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The cost of a seat as text: decisions, nodes, microseconds.
fn cost_text(cost: &Cost) -> String {
    format!("{} {} {}", cost.decisions, cost.nodes, cost.time.as_micros())
}

fn parse_cost(text: &str) -> Option<Cost> {
    let numbers: Vec<u64> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [decisions, nodes, micros] = numbers[..] else { return None };
    Some(Cost { decisions, nodes, time: Duration::from_micros(micros) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_survive_a_round_trip() {
        let cost = Cost { decisions: 3, nodes: 600, time: Duration::from_micros(1234) };
        assert_eq!(parse_cost(&cost_text(&cost)), Some(cost));
        for text in ["", "1 2", "1 2 x", "1 2 3 4", "-1 2 3"] {
            assert_eq!(parse_cost(text), None, "{text:?}");
        }
    }
}
