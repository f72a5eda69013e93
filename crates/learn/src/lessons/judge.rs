//! Judges whether a learner's moves reach the goal of a step.

use game::Seat;
use host::{
    HostedGame,
    view::{CellView, PlayerView, View},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Outcome, Step};
use crate::LearnError;

/// The verdict on the moves of an attempt.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Verdict {
    /// Whether the goal is reached.
    pub done: bool,
    /// Whether the last move keeps the goal within reach.
    pub right: bool,
    /// The position after the moves, or before the last one if that was wrong.
    pub view: View,
    /// The text for the learner.
    pub words: String,
}

/// Judges the moves that a learner has chosen in a step. Forced moves are played in between.
///
/// # Errors
/// Returns an error if a move is illegal, or the step requires no more moves.
pub fn judge(step: &Step, moves: &[String]) -> Result<Verdict, LearnError> {
    if step.goal.is_none() || moves.len() > step.accept.len() {
        return Err(LearnError::Finished("this step is complete: start it again or go to the next one"));
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
    let words = if done { step.reply.clone() } else { format!("Correct so far. {}", view.prompt) };
    Ok(Verdict { done, right: true, view, words })
}

/// An attempt at a step.
struct Attempt<'a> {
    step: &'a Step,
    game: Box<dyn HostedGame>,
    learner: Seat,
    /// The learner's counts at the start.
    before: PlayerView,
    /// The number of decisions made.
    made: usize,
}

impl<'a> Attempt<'a> {
    fn start(step: &'a Step) -> Result<Self, LearnError> {
        let game = host::open_position(&step.start)?;
        let learner = game.to_move().ok_or(LearnError::Finished("the game in this step is already over"))?;
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

    /// Plays a move and the forced moves after it. Returns whether the step accepts moves of that form.
    fn play(&mut self, text: &str) -> Result<bool, LearnError> {
        let played = &self.game.play(text)?.text;
        let accepted = self.step.accept[self.made].iter().any(|pattern| matches(pattern, played));
        self.made += 1;
        self.settle();
        Ok(accepted)
    }

    /// Plays bookkeeping moves and the forced moves of opponents.
    fn settle(&mut self) {
        let is_automatic = |game: &dyn HostedGame| {
            let theirs = game.to_move().is_some_and(|seat| seat != self.learner);
            game.forced_move().is_some_and(|index| theirs || game.is_bookkeeping(index))
        };
        while is_automatic(&*self.game) && self.game.play_forced().is_some() {}
    }

    /// Whether the goal can still be reached by accepted moves.
    fn can_succeed(&self) -> bool {
        let Some(accepted) = self.step.accept.get(self.made) else { return self.is_done() };
        if self.game.to_move() != Some(self.learner) {
            return false;
        }
        let moves = self.game.legal_moves().iter().map(|legal| &legal.text);
        moves.filter(|text| accepted.iter().any(|pattern| matches(pattern, text))).any(|text| {
            let mut next = self.fork();
            next.play(text).is_ok() && next.can_succeed()
        })
    }
}

impl Outcome {
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

/// A cell in the form of a position text: `d4:211`, `d4*1`, `d4#1`; `D4=1` for a stone.
fn content(cell: &CellView) -> String {
    let at = &cell.at;
    match (cell.marker, cell.collapsed, cell.stone) {
        (Some(seat), ..) => format!("{at}*{seat}"),
        (_, Some(seat), _) => format!("{at}#{seat}"),
        (.., Some(seat)) => format!("{at}={seat}"),
        _ => format!("{at}:{}", cell.stack.iter().rev().map(ToString::to_string).collect::<String>()),
    }
}

/// Whether a text matches a pattern, in which `*` matches anything.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            let mut ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            ends.any(|at| matches(rest, &tail[at..]))
        }),
    }
}
