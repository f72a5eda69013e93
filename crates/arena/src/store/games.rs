//! Games in the database.

use std::{collections::BTreeMap, num::ParseIntError, time::Duration};

use rusqlite::{Row, Transaction, params, types::Type};

use super::{Participant, Store, StoreError};
use crate::{Cost, End, GameSummary, Placing, SeatSummary};

/// A game as stored, with players identified by the ids of participants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// The summary.
    pub summary: GameSummary<String>,
    /// The seed of the event.
    pub seed: u64,
    /// The record of the game, or its location.
    pub record: Option<String>,
}

/// A game with its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The id of the event.
    pub event: String,
    /// Its index in the event, from 0.
    pub number: u64,
    /// The rating scale.
    pub scale: String,
    /// When the event began.
    pub begun: String,
    /// The record.
    pub record: String,
}

/// All games on a rating scale.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scale {
    /// The participants, by name. Games refer to them by index.
    pub participants: Vec<Participant>,
    /// The results of the games.
    pub games: Vec<Placing>,
}

impl Store {
    /// Stores a game of an event. Returns whether it is new; an existing game is left unchanged.
    ///
    /// # Errors
    /// If the database cannot be written, or the event or a participant is unknown.
    pub fn add_game(&mut self, event: &str, game: &StoredGame) -> Result<bool, StoreError> {
        Ok(self.add_games(event, std::slice::from_ref(game))? == 1)
    }

    /// Stores several games at once, all or none. Returns how many are new.
    ///
    /// # Errors
    /// See [`Store::add_game`].
    pub fn add_games(&mut self, event: &str, games: &[StoredGame]) -> Result<u64, StoreError> {
        self.write(|transaction| {
            let mut added = 0;
            for game in games {
                added += u64::from(add(transaction, event, game)?);
            }
            Ok(added)
        })
    }

    /// The number of stored games of an event.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_games(&self, event: &str) -> Result<u64, StoreError> {
        self.read(|connection| {
            connection
                .query_row("SELECT count(*) FROM games WHERE event = ?1", [event], |row| row.get::<_, i64>(0))
        })
        .map(|count| count as u64)
    }

    /// The games of an event, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn games(&self, event: &str) -> Result<Vec<StoredGame>, StoreError> {
        self.read(|connection| {
            let mut games: BTreeMap<u64, StoredGame> = BTreeMap::new();
            // One snapshot for both queries: another process may be writing.
            let transaction = connection.unchecked_transaction()?;
            let mut query = transaction.prepare("SELECT * FROM games WHERE event = ?1")?;
            for game in query.query_map([event], game_from_row)? {
                let game = game?;
                games.insert(game.summary.index, game);
            }
            let mut query =
                transaction.prepare("SELECT * FROM seats WHERE event = ?1 ORDER BY number, seat")?;
            let mut rows = query.query([event])?;
            while let Some(row) = rows.next()? {
                if let Some(game) = games.get_mut(&(row.get::<_, i64>("number")? as u64)) {
                    game.summary.seats.push(seat_from_row(row)?);
                }
            }
            Ok(games.into_values().collect())
        })
    }

    /// Games with records, latest events first, and their total number. Restricted to one event if a prefix of its id
    /// is given.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn recorded(
        &self,
        event: Option<&str>,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<Recorded>, u64), StoreError> {
        // This join order needs no sorting, however many records there are.
        const FOUND: &str = "FROM events CROSS JOIN games ON games.event = events.id
             WHERE record IS NOT NULL AND (?1 IS NULL OR substr(events.id, 1, length(?1)) = ?1)";
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let total = format!("SELECT count(*) {FOUND}");
            let total = transaction.query_row(&total, [event], |row| row.get::<_, i64>(0))?;
            let mut query = transaction.prepare(&format!(
                "SELECT event, number, scale, created, record {FOUND}
                 ORDER BY events.rowid DESC, number LIMIT ?2 OFFSET ?3"
            ))?;
            let recorded = |row: &Row<'_>| {
                Ok(Recorded {
                    event: row.get(0)?,
                    number: row.get::<_, i64>(1)? as u64,
                    scale: row.get(2)?,
                    begun: row.get(3)?,
                    record: row.get(4)?,
                })
            };
            let games = query.query_map(params![event, limit as i64, offset as i64], recorded)?;
            Ok((games.collect::<Result<_, _>>()?, total as u64))
        })
    }

    /// The record of a game, or `None` if the game does not exist or has no record.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn record(&self, event: &str, number: u64) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let mut query =
                connection.prepare("SELECT record FROM games WHERE event = ?1 AND number = ?2")?;
            let mut rows = query.query(params![event, number as i64])?;
            rows.next()?.map_or(Ok(None), |row| row.get(0))
        })
    }

    /// All rating scales with their number of games.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn scales(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare(
                "SELECT scale, count(*) FROM games JOIN events ON events.id = games.event
                 GROUP BY scale ORDER BY scale",
            )?;
            let scale = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64));
            query.query_map([], scale)?.collect()
        })
    }

    /// All games on a rating scale.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn scale(&self, scale: &str) -> Result<Scale, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut query = transaction.prepare(
                "SELECT * FROM participants WHERE id IN (
                     SELECT participant FROM seats JOIN events ON events.id = seats.event WHERE scale = ?1
                 ) ORDER BY name, id",
            )?;
            let participants: Vec<Participant> =
                query.query_map([scale], Participant::from_row)?.collect::<rusqlite::Result<_>>()?;
            let place: BTreeMap<&str, usize> =
                participants.iter().enumerate().map(|(place, who)| (who.id.as_str(), place)).collect();
            let mut query = transaction.prepare(
                "SELECT seat, participant, rank FROM seats JOIN events ON events.id = seats.event
                 WHERE scale = ?1 ORDER BY event, number, seat",
            )?;
            let (mut rows, mut games) = (query.query([scale])?, Vec::<Placing>::new());
            while let Some(row) = rows.next()? {
                if row.get::<_, i64>("seat")? == 1 {
                    games.push(Placing { players: Vec::new(), ranks: Vec::new() });
                }
                let id = row.get_ref("participant")?.as_str()?;
                if let (Some(game), Some(&player)) = (games.last_mut(), place.get(id)) {
                    game.players.push(player);
                    game.ranks.push(row.get("rank")?);
                }
            }
            Ok(Scale { participants, games })
        })
    }
}

fn add(transaction: &Transaction<'_>, event: &str, game: &StoredGame) -> rusqlite::Result<bool> {
    let StoredGame { summary, seed, record } = game;
    let GameSummary { index, seats: taken_seats, plies, opening_plies, end, fingerprint } = summary;
    let number = *index as i64;
    let mut games = transaction.prepare(
        "INSERT INTO games (event, number, plies, reason, seed, opening, fingerprint, record)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (event, number) DO NOTHING",
    )?;
    let values =
        params![event, number, plies, end.name(), seed.to_string(), opening_plies, fingerprint, record];
    if games.execute(values)? == 0 {
        return Ok(false);
    }
    let mut seats = transaction.prepare(
        "INSERT INTO seats (event, number, seat, participant, rank, engines, decisions, nodes, micros)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (seat, taken) in (1..).zip(taken_seats) {
        let seat: i64 = seat;
        let cost = taken.cost;
        let engines: Vec<&str> = taken.engines.iter().map(String::as_str).collect();
        seats.execute(params![
            event,
            number,
            seat,
            taken.player,
            taken.rank,
            engines.join(","),
            cost.map(|cost| cost.decisions as i64),
            cost.map(|cost| cost.nodes as i64),
            cost.map(|cost| cost.time.as_micros() as i64),
        ])?;
    }
    Ok(true)
}

fn game_from_row(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    Ok(StoredGame {
        summary: GameSummary {
            index: row.get::<_, i64>("number")? as u64,
            seats: Vec::new(),
            plies: row.get("plies")?,
            opening_plies: row.get("opening")?,
            end: End::from_name(row.get_ref("reason")?.as_str()?),
            fingerprint: row.get("fingerprint")?,
        },
        // Stored as text, because SQLite integers are signed.
        seed: row.get::<_, String>("seed")?.parse().map_err(|error: ParseIntError| {
            rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
        })?,
        record: row.get("record")?,
    })
}

fn seat_from_row(row: &Row<'_>) -> rusqlite::Result<SeatSummary<String>> {
    let number = |name: &str| row.get::<_, Option<i64>>(name);
    let cost = match (number("decisions")?, number("nodes")?, number("micros")?) {
        (Some(decisions), Some(nodes), Some(micros)) => Some(Cost {
            decisions: decisions as u64,
            nodes: nodes as u64,
            time: Duration::from_micros(micros as u64),
        }),
        _ => None,
    };
    let engines: String = row.get("engines")?;
    Ok(SeatSummary {
        player: row.get("participant")?,
        rank: row.get("rank")?,
        engines: engines.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        cost,
    })
}
