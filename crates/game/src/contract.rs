//! The contract between a game and everything that plays it.

use std::{error::Error, fmt::Debug, hash::Hash};

use crate::{Observer, Outcome, Seat};

/// A position in a deterministic, perfect-information game for two to four seats.
///
/// A position carries everything its future depends on: two equal positions have the same legal moves and the
/// same continuations, whatever was played before. The seat to move need not change after a move.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// What is agreed before the first move: number of seats, options, variants.
    type Config: Clone + Eq + Debug + Send + Sync + 'static;
    /// One decision. Small enough for a register; meaningful only together with the position it is played in.
    type Move: Copy + Ord + Hash + Debug + Send + Sync + 'static;
    /// One elementary change of the board, as reported to an [`Observer`].
    type Change: Copy + Debug;
    /// Why a move was refused.
    type Illegal: Error + Clone + Eq + Send + Sync + 'static;

    /// The position in which a normal game starts.
    fn new(config: &Self::Config) -> Self;

    /// The configuration this position is played under.
    fn config(&self) -> Self::Config;

    /// How many seats there are, two to four.
    fn seats(&self) -> usize;

    /// The seat whose decision comes next. Of no meaning once there is an [outcome](Game::outcome).
    fn to_move(&self) -> Seat;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the contents of `moves` by the legal moves, each once, in an order that depends on the position
    /// alone. The list is empty exactly when the game is over.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Tells whether `m` is legal here and, if it is not, why.
    ///
    /// # Errors
    /// The rule that forbids the move.
    fn check(&self, m: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move known to be legal and reports each change of the board to `observer`.
    ///
    /// With any other move the position that results is unspecified (but playing it is not undefined behaviour).
    fn play_unchecked(&mut self, m: Self::Move, observer: &mut impl Observer<Self>);

    /// A 64-bit key over every field that matters to the rules, kept incrementally.
    fn key(&self) -> u64;

    /// The same key computed from nothing, for tests of the incremental one.
    fn key_from_scratch(&self) -> u64;

    /// The seat from which whoever sits in `seat` now plays on after the legal move `m`.
    ///
    /// The same one, except after a pie rule's swap, where participants change places while the board stays as it
    /// is. Values belong to seats, so whoever compares moves asks here whose value counts after each: a swap is
    /// judged by what the other seat is worth, by the same evaluation as every other move.
    fn seat_after(&self, m: Self::Move, seat: Seat) -> Seat {
        let _ = m;
        seat
    }

    /// Whether `m` is legal here.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.check(m).is_ok()
    }

    /// Plays `m`, or leaves the position untouched and says why not.
    ///
    /// # Errors
    /// The rule that forbids the move.
    fn play(&mut self, m: Self::Move) -> Result<(), Self::Illegal> {
        self.check(m)?;
        self.play_unchecked(m, &mut ());
        Ok(())
    }

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }
}
