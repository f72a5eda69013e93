//! The list of stored games.

use serde::Serialize;
use utoipa::ToSchema;

use super::Games;
use crate::{ApiError, Setup};

/// A game in the list of games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameSummary {
    /// The id of the game.
    pub id: String,
    /// When the game was created.
    pub created: String,
    /// The game and its options.
    pub setup: Setup,
    /// The participants, in the order of their first seats.
    pub seats: Vec<String>,
    /// `playing`, `scoring` or `over`.
    pub status: String,
    /// The number of moves played.
    pub ply: usize,
    /// The result, once the game is over.
    pub result: Option<serde_json::Value>,
}

/// Games, most recently changed first.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct GameList {
    /// The games.
    pub games: Vec<GameSummary>,
    /// The ids of games in this list that are stored but cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

impl Games {
    /// The games, most recently changed first.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub async fn list(&self, limit: usize) -> Result<GameList, ApiError> {
        let mut list = GameList::default();
        for (id, row) in self.inner.store.list(limit.clamp(1, 500)).await? {
            let summary = row.and_then(|row| {
                let opened = crate::open(row.begun.setup.as_ref(), row.begun.start.as_deref()).ok()?;
                Some(GameSummary {
                    id: id.clone(),
                    created: row.created,
                    setup: Setup::from(&opened.config()),
                    seats: row.begun.seats,
                    status: row.status,
                    ply: row.plies,
                    result: row.result,
                })
            });
            match summary {
                Some(summary) => list.games.push(summary),
                None => list.unreadable.push(id),
            }
        }
        Ok(list)
    }
}
