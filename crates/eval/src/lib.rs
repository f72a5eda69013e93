//! Static evaluators for RingRift and Go.
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
//! Values are absolute, one per seat, and independent of the number of plies played; some components depend on the seat
//! to move. Finished games have exactly the values of their outcomes.
//!
//! Deliberately absent: search (the crate `search`), rules (only `ringrift` decides whether an estimated claim is
//! legal), files and randomness. Profiles are compiled into the program.
//!
//! [`Heuristic`] is the evaluator for RingRift and [`Profile`] its weights; `docs/agents/heuristic.md` explains the
//! components and has measurements. In the source, `components` has a function for every weight, `tally` maintains sums
//! over stacks, `facts` computes what several components share, and `regions` finds claims and threats of claims.
//! [`NnueEvaluator`] evaluates RingRift by a small network over [`Features`]; see `docs/agents/nnue.md`.
//! [`SeedEvaluator`] does so by a twelve-plane network, to measure others by. [`Blend`] and [`BlendedValues`] mix two
//! evaluators.
//! [`PvEvaluator`] evaluates either game by a policy and value network; [`RingRiftPv`] and [`GoPv`] say what it reads.
//! [`GmoField`] and [`EbmoField`] embed moves of either game by networks whose gradients lead from one move towards a
//! better one.
//! [`OmegaEvaluator`] evaluates Go by a pair of plain networks; see `docs/agents/omega.md`.
//! [`GoHeuristic`] in `go` is the evaluator for Go; see `docs/agents/go.md`.

mod blend;
mod components;
mod ebmo;
mod facts;
mod gmo;
mod go;
mod heuristic;
mod nnue;
mod omega;
mod profile;
mod pv;
mod regions;
mod tally;
#[cfg(test)]
mod tests;
mod weights;

pub use self::go::GoHeuristic;
pub use blend::{Blend, BlendedValues};
pub use ebmo::{ACTION_FEATURES, EbmoEncoder, EbmoError, EbmoField, EbmoGame, GoEbmo, RingRiftEbmo};
pub use gmo::{
    GmoEncoder, GmoError, GmoField, GmoGame, GmoImage, GoGmo, RingRiftGmo, RingRiftSeedGmo, Uncertainty,
};
pub use heuristic::Heuristic;
pub use nnue::{
    Accumulators, FeatureSet, Features, HybridFeatures, NnueError, NnueEvaluator, SeedEvaluator, SeedFeatures,
};
pub use omega::{
    OMEGA_PLANES, OmegaError, OmegaEvaluator, OmegaKernels, OmegaNets, OmegaReader, decided, omega_planes,
    sensible,
};
pub use profile::{Persona, Profile, ProfileFaults, UnknownPersona};
pub use pv::{GoPv, PvEncoder, PvError, PvEvaluator, PvGame, RingRiftPv, RingRiftSeedPv};
pub use tally::Tallies;
pub use weights::Weights;
