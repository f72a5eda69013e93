//! Forfeits: losses by resignation, on time, by an illegal move or by failure.

use std::fmt;

/// The loss of a game other than by the rules: by resignation, on time, or by default.
///
/// A forfeit is not a move: the host of the game declares it for the seat to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The reason.
    pub kind: ForfeitKind,
    /// Details for people: the output of a program, or the rule it broke.
    pub message: String,
}

impl Forfeit {
    /// Creates a forfeit.
    pub fn new(kind: ForfeitKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// The reasons for a [`Forfeit`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ForfeitKind {
    /// The player resigned.
    Resignation,
    /// The player ran out of time.
    Timeout,
    /// The player chose a move that the rules forbid.
    IllegalMove,
    /// The player's program ended, or gave an answer that cannot be parsed.
    Failure,
}

impl ForfeitKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Resignation, Self::Timeout, Self::IllegalMove, Self::Failure];

    /// The name in records, databases and summaries. Stable across versions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resignation => "resignation",
            Self::Timeout => "timeout",
            Self::IllegalMove => "illegal_move",
            Self::Failure => "failure",
        }
    }

    /// Parses a [name](Self::name).
    ///
    /// ```
    /// use game::ForfeitKind;
    /// assert_eq!(ForfeitKind::parse("timeout"), Some(ForfeitKind::Timeout));
    /// assert_eq!(ForfeitKind::parse("territory"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ForfeitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
