//! What a game has to tell so that it can be shown and played on a page.

mod go;
mod ringrift;
mod words;

use game::Seat;
use ladder::Playable;
use record::{GameRecord, Recorded};
use serde::{Deserialize, Serialize};

use crate::{
    Refusal,
    view::{CellView, GoalsView, MoveView, PlayerView, ResultView, ScoreView},
};

/// A game that can be shown.
pub(crate) trait Shown: Playable + Recorded {
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

    /// What both might agree on.
    fn proposal(&self) -> Agreement {
        Agreement::default()
    }

    /// The stones that are dead or alive together with the one on `at`.
    ///
    /// # Errors
    /// If there is no stone.
    fn chain(&self, at: &str) -> Result<Vec<String>, Refusal> {
        Err(Refusal::conflict(format!("nothing on {at} can be dead in this game")))
    }

    /// How it stands by points after an agreement, and how it would end.
    fn counted(&self, agreement: &Agreement) -> Option<(ScoreView, ResultView)> {
        let _ = agreement;
        None
    }

    /// Notes an agreement in a record.
    fn note_agreement(&self, record: &mut GameRecord, agreement: &Agreement) {
        let _ = agreement;
        record.conclude(self);
    }
}

/// What is agreed on after a game of Go: the names of stones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Agreement {
    /// Stones that are dead.
    pub dead: Vec<String>,
    /// Stones that live in seki.
    pub seki: Vec<String>,
}

/// The seats in words: in RingRift they are numbered, in Go they have colours.
fn result(winner: Option<usize>, ranking: Vec<u8>, reason: &str, words: String) -> ResultView {
    ResultView { winner, ranking, reason: reason.to_owned(), words }
}
