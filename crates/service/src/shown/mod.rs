//! What a game has to tell so that it can be shown and played on a page.

mod go;
mod ringrift;
mod words;

use game::{Notation, Seat, Setup as PositionText};
use ladder::Playable;

use crate::{
    Refusal, Rules,
    view::{CellView, GoalsView, MoveView, PlayerView, ResultView, ScoreView},
};

/// A game that can be shown.
pub(crate) trait Shown: Playable + Notation + PositionText {
    /// The game's rules as they cross the border.
    fn agreed(&self) -> Rules;

    /// Cells that are not empty.
    fn cells(&self) -> Vec<CellView>;

    /// How the seats stand.
    fn players(&self) -> Vec<PlayerView>;

    /// What wins, where a number does.
    fn goals(&self) -> Option<GoalsView>;

    /// The part of the turn.
    fn phase(&self) -> &'static str;

    /// What has to be chosen among `moves`, in a sentence.
    fn prompt(&self, moves: &[Self::Move]) -> String;

    /// A legal move as an offer.
    fn offer(&self, m: Self::Move) -> MoveView;

    /// What a move does, to follow the name of a seat: `moves d4 to d6`.
    fn deed(&self, m: Self::Move) -> String;

    /// Whether a move is a mere note that there was nothing to choose.
    fn is_bookkeeping(&self, m: Self::Move) -> bool;

    /// The cell that a change touches.
    fn touched(change: Self::Change) -> String;

    /// How it ended, once it has.
    fn ending(&self) -> Option<ResultView>;

    /// How it ends if `seat`, whose turn it is, gives up.
    fn resigned(&self, seat: Seat) -> ResultView;

    /// Whether the end has to be agreed on: in Go, which stones are dead.
    fn wants_agreement(&self) -> bool {
        false
    }

    /// Stones that look dead, for both to agree on.
    fn looks_dead(&self) -> Vec<String> {
        Vec::new()
    }

    /// The stones that are dead or alive together with the one on `at`.
    ///
    /// # Errors
    /// If there is no stone.
    fn chain(&self, at: &str) -> Result<Vec<String>, Refusal> {
        Err(Refusal::conflict(format!("nothing on {at} can be dead in this game")))
    }

    /// How it stands by points if these stones are dead, and how it would end.
    fn counted(&self, dead: &[String]) -> Option<(ScoreView, ResultView)> {
        let _ = dead;
        None
    }
}

/// The seats in words: in RingRift they are numbered, in Go they have colours.
fn result(winner: Option<usize>, ranking: Vec<u8>, reason: &str, words: String) -> ResultView {
    ResultView { winner, ranking, reason: reason.to_owned(), words }
}
