//! What a puzzle asks for.

use serde::{Deserialize, Serialize};

/// What the solver has to bring about, whatever the others do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The game is won when the solver's turn ends, this one or the next, as the number says.
    Win(u32),
    /// The game is not lost before the solver's next turn.
    Hold,
    /// This many rings are credited to the solver in this turn, the most there can be.
    Rings(u32),
}

impl Goal {
    /// What it is called.
    pub fn title(self) -> String {
        match self {
            Self::Win(1) => "Win this turn".to_owned(),
            Self::Win(turns) => format!("Win in {turns} turns"),
            Self::Hold => "Hold on".to_owned(),
            Self::Rings(rings) => format!("Take {rings} rings"),
        }
    }

    /// What to do.
    pub fn task(self) -> String {
        match self {
            Self::Win(1) => "Win the game in this turn.".to_owned(),
            Self::Win(2) => "Win the game with the next turn, whatever is played in between.".to_owned(),
            Self::Win(turns) => format!("Win the game within {turns} turns, whatever is played in between."),
            Self::Hold => "Find the only way not to lose at once.".to_owned(),
            Self::Rings(rings) => format!("Have {rings} rings credited in this turn, the most there can be."),
        }
    }

    /// What is wrong with a way that misses it.
    pub fn missed(self) -> &'static str {
        match self {
            Self::Win(1) => "After that the game cannot be won in this turn. Try another way.",
            Self::Win(_) => "After that there is a defence. Try another way.",
            Self::Hold => "After that the game can be lost at once. Try another way.",
            Self::Rings(_) => "There is more to be had. Try another way.",
        }
    }
}
