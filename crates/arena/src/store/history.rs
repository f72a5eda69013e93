//! Snapshots of ratings over time.

use rusqlite::{Row, params};

use super::{Store, StoreError};
use crate::{Estimate, Interval};

/// The rating of one participant in a snapshot.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingRow {
    /// The id of the participant.
    pub participant: String,
    /// Its rating, or `None` if no chain of games connects it to an anchor.
    pub rating: Option<Estimate>,
    /// The number of its games.
    pub games: u64,
    /// Whether the rating is given rather than estimated.
    pub anchor: bool,
}

/// The ratings on a scale at one time.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    /// When it was taken, in the form `2026-01-31T12:00:00Z`.
    pub taken: String,
    /// The rating scale.
    pub scale: String,
    /// The number of games.
    pub games: u64,
    /// The ratings, highest first; participants without a rating come last.
    pub rows: Vec<RatingRow>,
}

impl Store {
    /// Stores a snapshot of the current ratings on a scale.
    ///
    /// # Errors
    /// If the database cannot be written, or a participant is unknown.
    pub fn take_snapshot(&mut self, scale: &str, games: u64, rows: &[RatingRow]) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO snapshots (scale, games) VALUES (?1, ?2)",
                params![scale, games as i64],
            )?;
            let snapshot = transaction.last_insert_rowid();
            let mut insert = transaction.prepare(
                "INSERT INTO ratings (snapshot, participant, elo, low, high, games, anchor)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            for row in rows {
                let rating = row.rating;
                insert.execute(params![
                    snapshot,
                    row.participant,
                    rating.map(|rating| rating.elo),
                    rating.map(|rating| rating.interval.low),
                    rating.map(|rating| rating.interval.high),
                    row.games as i64,
                    row.anchor,
                ])?;
            }
            Ok(())
        })
    }

    /// All snapshots of a scale, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn history(&self, scale: &str) -> Result<Vec<Snapshot>, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut query =
                transaction.prepare("SELECT id, taken, games FROM snapshots WHERE scale = ?1 ORDER BY id")?;
            let mut ratings = transaction.prepare(
                "SELECT * FROM ratings WHERE snapshot = ?1 ORDER BY elo IS NULL, elo DESC, participant",
            )?;
            let (mut found, mut snapshots) = (query.query([scale])?, Vec::new());
            while let Some(row) = found.next()? {
                let rows = ratings.query_map([row.get::<_, i64>("id")?], rating_from_row)?;
                snapshots.push(Snapshot {
                    taken: row.get("taken")?,
                    scale: scale.to_owned(),
                    games: row.get::<_, i64>("games")? as u64,
                    rows: rows.collect::<rusqlite::Result<_>>()?,
                });
            }
            Ok(snapshots)
        })
    }
}

fn rating_from_row(row: &Row<'_>) -> rusqlite::Result<RatingRow> {
    let number = |name: &str| row.get::<_, Option<f64>>(name);
    let rating = match (number("elo")?, number("low")?, number("high")?) {
        (Some(elo), Some(low), Some(high)) => Some(Estimate { elo, interval: Interval { low, high } }),
        _ => None,
    };
    Ok(RatingRow {
        participant: row.get("participant")?,
        rating,
        games: row.get::<_, i64>("games")? as u64,
        anchor: row.get("anchor")?,
    })
}
