//! RingRift: the winner under best play, by best-first search to the end of every line that matters.

use anyhow::Context;
use game::{Outcome, Seat};
use host::{HostedGame, view::ReportView};
use ladder::{Player, Spec, WithoutNet};
use search::{Limits, Stop};
use serde_json::{Value, json};

use super::Proof;

/// The values of all seats.
type Values = Vec<f64>;

pub(super) fn prove(game: &dyn HostedGame, max_nodes: u64, megabytes: u16) -> anyhow::Result<Proof> {
    // The heuristic only decides which lines are searched first.
    let spec: Spec = format!("descent(leaves=heuristic,choice=best,megabytes={megabytes})").parse()?;
    let solver = Solver { player: Player::new(&spec, game.venue(), WithoutNet::Refuse)?, max_nodes };
    let mut nodes = 0;
    let report = solver.search(game, &mut nodes).context("a game that is not over has a report")?;
    let mut moves: Vec<(String, Option<Values>)> = Vec::new();
    let resolved = is_resolved(&report) || report.legal == 1;
    for candidate in &report.candidates {
        let known = candidate.values.clone().filter(|_| candidate.solved);
        let values = match known {
            // If the position itself is too hard, so are most of its moves.
            None if resolved => solver.value_after(game, &candidate.text, &mut nodes)?,
            known => known,
        };
        moves.push((candidate.text.clone(), values));
    }
    let mover = report.seat - 1;
    let value = best(&moves, mover);
    moves.sort_by(|(_, one), (_, other)| {
        let of = |values: &Option<Values>| values.as_ref().map_or(f64::NEG_INFINITY, |values| values[mover]);
        of(other).total_cmp(&of(one))
    });
    let described = |values: Values| (words(game, &values), fields(&values));
    Ok(Proof {
        value: value.map(described),
        moves: moves.into_iter().map(|(text, values)| (text, values.map(described))).collect(),
        conditions: vec![
            "Every seat plays for itself, and a win counts the same however late it comes.".to_owned(),
        ],
        nodes,
    })
}

/// Searches positions with the same settings.
struct Solver {
    player: Player,
    max_nodes: u64,
}

impl Solver {
    fn search(&self, game: &dyn HostedGame, nodes: &mut u64) -> Option<ReportView> {
        let limits = Limits::nodes(self.max_nodes);
        let report = game.analyse(&self.player, &limits, 1, usize::MAX, &Stop::default(), &mut |_| ())?;
        *nodes += report.nodes;
        Some(report)
    }

    /// The proven values after a move, in the present order of seats.
    fn value_after(
        &self,
        game: &dyn HostedGame,
        text: &str,
        nodes: &mut u64,
    ) -> anyhow::Result<Option<Values>> {
        let mut after = game.fork();
        after.play(text)?;
        while after.play_forced().is_some() {}
        let values = match after.result() {
            Some(result) => {
                let values = Outcome::from_ranks(&result.ranking).values();
                Some(values.0[..game.seats()].iter().map(|&value| value.into()).collect())
            }
            None => self.search(after.as_ref(), nodes).and_then(|report| {
                let moves = report.candidates.iter();
                let moves = moves.map(|of| (of.text.clone(), of.values.clone().filter(|_| of.solved)));
                best(&moves.collect::<Vec<_>>(), report.seat - 1)
            }),
        };
        // The pie rule may have exchanged seats.
        let seat_now = |seat: Seat| {
            Seat::all(game.seats()).find(|&now| after.participant(now) == game.participant(seat))
        };
        Ok(values.map(|values| {
            Seat::all(game.seats()).map(|seat| values[seat_now(seat).unwrap_or(seat).index()]).collect()
        }))
    }
}

/// Whether the search of the position is complete.
fn is_resolved(report: &ReportView) -> bool {
    report.details.get("resolved").is_some_and(|&resolved| resolved > 0.0)
}

/// The proven values of a position by those of its moves: a win, or else the best of all moves, if it is unique.
fn best(moves: &[(String, Option<Values>)], mover: usize) -> Option<Values> {
    let known = || moves.iter().filter_map(|(_, values)| values.as_ref());
    if let Some(win) = known().find(|values| values[mover] >= 1.0) {
        return Some(win.clone());
    }
    if known().count() < moves.len() {
        return None;
    }
    let most = known().map(|values| values[mover]).fold(f64::NEG_INFINITY, f64::max);
    let mut choices = known().filter(|values| values[mover] >= most);
    // With more than two seats, moves that are equal for the mover may favour different opponents.
    let first = choices.next()?;
    choices.all(|other| other == first).then(|| first.clone())
}

fn words(game: &dyn HostedGame, values: &[f64]) -> String {
    let winner = Seat::all(game.seats()).find(|seat| values[seat.index()] >= 1.0);
    winner.map_or_else(|| "nobody wins".to_owned(), |seat| format!("{} wins", game.seat_name(seat)))
}

fn fields(values: &[f64]) -> Value {
    let winner = values.iter().position(|&value| value >= 1.0);
    json!({ "winner": winner.map(|index| index + 1), "values": values })
}
