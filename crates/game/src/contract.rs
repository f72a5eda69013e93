//! The [`Game`] trait: the contract between the rules of a game and the code that plays it.

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

    /// The seat whose decision comes next. Meaningless once there is an [outcome](Game::outcome).
    fn to_move(&self) -> Seat;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the contents of `moves` with the legal moves, each once, in an order that depends on the position
    /// alone. The list is empty if and only if the game is over.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Checks whether `m` is legal here.
    ///
    /// # Errors
    /// The rule that forbids the move.
    fn check(&self, m: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move known to be legal and reports each change of the board to `observer`.
    ///
    /// If the move is not legal, the resulting position is unspecified, but playing it is not undefined behaviour.
    fn play_unchecked(&mut self, m: Self::Move, observer: &mut impl Observer<Self>);

    /// A 64-bit key over every field that matters to the rules, updated incrementally.
    fn key(&self) -> u64;

    /// The same key computed from scratch, to test the incremental one.
    fn key_from_scratch(&self) -> u64;

    /// The seat that the participant now in `seat` occupies after the legal move `m`.
    ///
    /// This is `seat` itself, except after a pie rule's swap, where participants exchange seats and the board stays the
    /// same. Values belong to seats, so code that compares moves uses this method to find out whose value counts after
    /// each: a swap is rated by the value of the other seat, with the same evaluation as every other move.
    fn seat_after(&self, m: Self::Move, seat: Seat) -> Seat {
        let _ = m;
        seat
    }

    /// Whether `m` is legal here.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.check(m).is_ok()
    }

    /// Plays `m` if it is legal; otherwise leaves the position unchanged.
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
