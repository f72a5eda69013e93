//! Tags of the records of self-play games.

/// The number of plies of the opening, which no agent chose.
pub const OPENING: &str = "opening";

/// What a policy is learned from, if not from every decision: [`CANDIDATES`].
pub const POLICY: &str = "policy";

/// The stored candidates only: searches without them were too short to learn from.
pub const CANDIDATES: &str = "candidates";

/// The ply from which the game was as good as decided.
pub const DECIDED: &str = "decided";

/// The seat that was as good as certain to win then, from 1.
pub const LEADER: &str = "leader";
