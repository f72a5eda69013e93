//! The conditions of an event: start position and openings.

use game::{Game, Notation};

use crate::Balance;

/// What all games of an event have in common, and how to describe a game in its summary.
#[derive(Clone, Debug)]
pub struct Conditions<G: Game> {
    /// The start position of every opening.
    pub start: G,
    /// The number of random decisions in an opening, not counting forced moves.
    pub opening_plies: u32,
    /// How openings are balanced, or `None` for random ones.
    pub balance: Option<Balance<G>>,
    /// Names the rule that ended a finished game.
    pub end_reason: fn(&G) -> String,
    /// Formats a move that is about to be played, for the [fingerprint](crate::GameSummary::fingerprint) of a game.
    pub move_text: fn(&G, G::Move) -> String,
}

impl<G: Game> Conditions<G> {
    /// Conditions with random openings, a generic end reason, and moves formatted by their debug output.
    pub fn new(start: G, opening_plies: u32) -> Self {
        let (end_reason, move_text) = (|_: &G| "end".to_owned(), |_: &G, m| format!("{m:?}"));
        Self { start, opening_plies, balance: None, end_reason, move_text }
    }

    /// Uses the notation of the game and the given end reasons.
    #[must_use]
    pub fn in_notation(self, end_reason: fn(&G) -> String) -> Self
    where
        G: Notation,
    {
        Self { end_reason, move_text: |position, m| position.move_text(m), ..self }
    }
}
