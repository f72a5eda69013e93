//! Whether a learner's moves lead to the goal of a step.

use game::Seat;
use host::{
    HostedGame,
    view::{CellView, PlayerView, View},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::lesson::{Step, Then};
use crate::Refusal;

/// What a step says to the moves tried so far.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct Verdict {
    /// Whether the goal is reached.
    pub(crate) done: bool,
    /// Whether the last move keeps the goal within reach.
    pub(crate) right: bool,
    /// The position: after the moves, or before the last one if that was wrong.
    pub(crate) view: View,
    /// What to tell the learner.
    pub(crate) words: String,
}

/// Judges moves that were chosen in a step; what a turn brings without a choice is played in between.
///
/// # Errors
/// If a move is not legal, or there is nothing to do in the step.
pub(crate) fn judge(step: &Step, moves: &[String]) -> Result<Verdict, Refusal> {
    if step.goal.is_none() || moves.len() > step.accept.len() {
        return Err(Refusal::conflict("there is nothing more to do in this step"));
    }
    let mut attempt = Attempt::start(step)?;
    for text in moves {
        let view = attempt.view();
        if !attempt.play(text)? || !attempt.can_succeed() {
            return Ok(Verdict { done: false, right: false, view, words: step.hint.clone() });
        }
    }
    let view = attempt.view();
    let done = attempt.is_done();
    let words = if done { step.reply.clone() } else { format!("Right so far. {}", view.prompt) };
    Ok(Verdict { done, right: true, view, words })
}

/// A step being tried.
struct Attempt<'a> {
    step: &'a Step,
    game: Box<dyn HostedGame>,
    /// The seat of the learner.
    learner: Seat,
    /// How the learner stood in the beginning.
    before: PlayerView,
    /// How many decisions were made.
    made: usize,
}

impl<'a> Attempt<'a> {
    fn start(step: &'a Step) -> Result<Self, Refusal> {
        let game = host::open_position(&step.start)?;
        let over = || Refusal::internal("a step starts with a finished game");
        let learner = game.to_move().ok_or_else(over)?;
        let before = game.view().players.swap_remove(learner.index());
        Ok(Self { step, game, learner, before, made: 0 })
    }

    fn fork(&self) -> Self {
        Self { game: self.game.fork(), before: self.before.clone(), ..*self }
    }

    fn view(&self) -> View {
        self.game.view()
    }

    fn is_done(&self) -> bool {
        self.made == self.step.accept.len()
            && self.step.then.holds_in(&self.view(), self.learner, &self.before)
    }

    /// Makes a decision, and tells whether the step takes moves of that kind.
    fn play(&mut self, text: &str) -> Result<bool, Refusal> {
        let played = self.game.play(text)?.text.clone();
        let accepted = &self.step.accept[self.made];
        self.made += 1;
        self.settle();
        Ok(accepted.iter().any(|pattern| fits(pattern, &played)))
    }

    /// Plays what leaves no choice: notes, and the single moves of whoever the learner plays against.
    fn settle(&mut self) {
        while let Some(index) = self.game.forced_move() {
            let theirs = self.game.to_move() != Some(self.learner);
            if !theirs && !self.game.is_bookkeeping(index) {
                return;
            }
            self.game.play_forced();
        }
    }

    /// Whether some accepted moves lead on to the goal.
    fn can_succeed(&self) -> bool {
        let Some(accepted) = self.step.accept.get(self.made) else { return self.is_done() };
        if self.game.to_move() != Some(self.learner) {
            return false;
        }
        let offers = self.game.legal_moves().iter().map(|offer| &offer.text);
        offers.filter(|text| accepted.iter().any(|pattern| fits(pattern, text))).any(|text| {
            let mut next = self.fork();
            next.play(text).is_ok() && next.can_succeed()
        })
    }
}

impl Then {
    fn holds_in(&self, view: &View, learner: Seat, before: &PlayerView) -> bool {
        let now = &view.players[learner.index()];
        let gained = |wanted: Option<u32>, count: fn(&PlayerView) -> Option<u32>| {
            wanted.is_none_or(|wanted| {
                count(before).zip(count(now)).is_some_and(|(was, is)| is == was + wanted)
            })
        };
        let contents: Vec<String> = view.cells.iter().map(content).collect();
        self.holds.iter().all(|cell| contents.contains(cell))
            && !view.cells.iter().any(|cell| self.empty.contains(&cell.at))
            && gained(self.credits, |player| player.eliminated)
            && gained(self.territory, |player| player.territory)
            && gained(self.prisoners, |player| player.prisoners)
            && (!self.wins
                || view.result.as_ref().is_some_and(|result| result.winner == Some(learner.number())))
    }
}

/// A cell as a position text has it: `d4:211`, `d4*1`, `d4#1`; `D4=1` for a stone.
fn content(cell: &CellView) -> String {
    let at = &cell.at;
    match (cell.marker, cell.collapsed, cell.stone) {
        (Some(seat), ..) => format!("{at}*{seat}"),
        (_, Some(seat), _) => format!("{at}#{seat}"),
        (.., Some(seat)) => format!("{at}={seat}"),
        _ => format!("{at}:{}", cell.stack.iter().rev().map(ToString::to_string).collect::<String>()),
    }
}

/// Whether a text has the form of a pattern, in which `*` stands for anything.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            let mut ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            ends.any(|at| fits(rest, &tail[at..]))
        }),
    }
}
