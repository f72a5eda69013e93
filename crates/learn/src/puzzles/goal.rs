//! The goals of puzzles, and their texts.

use serde::{Deserialize, Serialize};

/// What the solver has to achieve against any replies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The game is won within this number of the solver's turns.
    Win(u32),
    /// The game is not lost before the solver's next turn.
    Hold,
    /// This many rings, the maximum, are eliminated by the solver in this turn.
    Rings(u32),
}

impl Goal {
    /// The title of a puzzle with this goal.
    pub fn title(self) -> String {
        match self {
            Self::Win(1) => "Win this turn".to_owned(),
            Self::Win(turns) => format!("Win in {turns} turns"),
            Self::Hold => "Avoid defeat".to_owned(),
            Self::Rings(rings) => format!("Earn {rings} rings"),
        }
    }

    /// The goal as a sentence.
    pub fn task(self) -> String {
        match self {
            Self::Win(1) => "Win the game in this turn.".to_owned(),
            Self::Win(2) => {
                "Win the game by the end of your next turn, whatever your opponent plays.".to_owned()
            }
            Self::Win(turns) => format!("Win the game within {turns} turns, whatever your opponents play."),
            Self::Hold => "Find the only way to avoid losing before your next turn.".to_owned(),
            Self::Rings(rings) => {
                format!("Eliminate {rings} rings in this turn, which is the maximum.")
            }
        }
    }

    /// The text for a move that misses the goal.
    pub fn missed(self) -> &'static str {
        match self {
            Self::Win(1) => "After this move you cannot win in this turn. Try another move.",
            Self::Win(_) => "After this move your opponent has a defence. Try another move.",
            Self::Hold => "After this move your opponent can win at once. Try another move.",
            Self::Rings(_) => "After this move you cannot reach the maximum. Try another move.",
        }
    }
}
