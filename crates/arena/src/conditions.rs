//! The conditions of an event: start position and openings.

use game::{Game, Notation, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// What all games of an event have in common, and how to describe a game in its summary.
#[derive(Clone, Debug)]
pub struct Conditions<G: Game> {
    /// The start position of every opening.
    pub start: G,
    /// The number of random decisions in an opening, not counting forced moves.
    pub opening_plies: u32,
    /// Names the rule that ended a finished game.
    pub end_reason: fn(&G) -> String,
    /// Formats a move that is about to be played, for the [fingerprint](crate::GameSummary::fingerprint) of a game.
    pub move_text: fn(&G, G::Move) -> String,
}

impl<G: Game> Conditions<G> {
    /// Conditions with a generic end reason, and with moves formatted by their debug output.
    pub fn new(start: G, opening_plies: u32) -> Self {
        let (end_reason, move_text) = (|_: &G| "end".to_owned(), |_: &G, m| format!("{m:?}"));
        Self { start, opening_plies, end_reason, move_text }
    }

    /// Uses the notation of the game and the given end reasons.
    #[must_use]
    pub fn in_notation(self, end_reason: fn(&G) -> String) -> Self
    where
        G: Notation,
    {
        Self { end_reason, move_text: |position, m| position.move_text(m), ..self }
    }

    /// The opening for `seed`: random legal moves that do not end the game.
    ///
    /// If nearly every opening of that length would end the game, the opening is shorter.
    pub(crate) fn opening(&self, seed: u64) -> Vec<G::Move> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut legal = Vec::new();
        for attempt in 0.. {
            let mut wanted = self.opening_plies.saturating_sub(attempt / 8);
            let (mut position, mut line) = (self.start.clone(), Vec::new());
            while wanted > 0 && !position.is_over() {
                position.legal_moves(&mut legal);
                wanted -= u32::from(legal.len() > 1);
                let m = legal[pick(&mut rng, legal.len())];
                position.play_unchecked(m, &mut ());
                line.push(m);
            }
            if line.is_empty() || !position.is_over() {
                return line;
            }
        }
        Vec::new()
    }
}
