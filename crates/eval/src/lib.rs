//! Scoring positions of RingRift and of Go without looking ahead.
//!
//! ```
//! use eval::{Heuristic, Persona};
//! use game::{Game, Seat, Setup, StaticEvaluator};
//! use ringrift::{Position, Square8};
//!
//! let mut heuristic = Heuristic::<Square8>::new(Persona::Balanced);
//! //  5  .   .   .   .   22
//! //  4  .   .   .   1   .      seat 2 has the higher stack and more rings credited
//! let position = Position::<Square8>::from_text(
//!     "square8 2 1:ring_placement hands=12,12 credits=1,4 cells=d4:1,e5:22",
//! )?;
//! let values = heuristic.values(&position);
//! assert!(values.of(Seat::new(1)) > 0.0);
//! assert_eq!(values.of(Seat::new(0)), -values.of(Seat::new(1)));
//! # Ok::<(), game::Faults>(())
//! ```
//!
//! Values are absolute, one per seat, and never depend on a count of plies; who is to move matters to the components
//! that look at the next marker. Finished games have exactly the values of their outcome.
//!
//! What is deliberately absent: looking ahead (that is `search`), rules (a claim that the heuristic hopes for is
//! still for `ringrift` to allow), files and randomness. Profiles are data compiled into the program.
//!
//! Where to go next: [`Heuristic`] is the evaluator of RingRift, [`Profile`] its weights; `docs/agents/heuristic.md`
//! explains the components and has measurements. In the source, `components` has a function for every weight; `tally`
//! keeps what is a sum over stacks, `facts` is what several components share, `regions` finds claims and threats of
//! claims. [`GoHeuristic`] is the evaluator of Go, in `go`; `docs/agents/go.md` is its page.

mod components;
mod facts;
mod go;
mod heuristic;
mod profile;
mod regions;
mod tally;
#[cfg(test)]
mod tests;
mod weights;

pub use self::go::GoHeuristic;
pub use heuristic::Heuristic;
pub use profile::{Persona, Profile, ProfileFaults, UnknownPersona};
pub use tally::Tallies;
pub use weights::Weights;
