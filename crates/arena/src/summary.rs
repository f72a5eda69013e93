//! Summaries of finished games, which tallies, ratings and the database share.

use std::{collections::BTreeSet, ops::AddAssign, time::Duration};

use game::ForfeitKind;

use crate::{Placing, Points};

/// The cost of decisions. Forced moves cost nothing and are not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// The number of decisions.
    pub decisions: u64,
    /// The number of nodes, as counted by [`search::Limits::nodes`].
    pub nodes: u64,
    /// The time.
    pub time: Duration,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// The rule that ended it, as named by the game.
    Rule(String),
    /// The seat to move forfeited.
    Forfeit(ForfeitKind),
}

impl End {
    /// The name in records, databases and summaries.
    pub fn name(&self) -> &str {
        match self {
            Self::Rule(name) => name,
            Self::Forfeit(kind) => kind.name(),
        }
    }

    /// Parses a [name](End::name).
    pub fn from_name(name: &str) -> Self {
        ForfeitKind::parse(name).map_or_else(|| Self::Rule(name.to_owned()), Self::Forfeit)
    }
}

/// One participant of a finished game, identified by its initial seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatSummary<P = usize> {
    /// The player: the index of a contender in the arena, a participant id in the database.
    pub player: P,
    /// Its rank, 1 for the best, shared between equal seats.
    pub rank: u8,
    /// The engines that chose its moves, from their reports. Empty if unknown.
    pub engines: BTreeSet<String>,
    /// The cost of its decisions, if known.
    pub cost: Option<Cost>,
}

/// The summary of a finished game.
///
/// Everything is in the seat order before the first move: a participant that changed seats by the pie rule is listed in
/// its initial seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary<P = usize> {
    /// Its index in its event, from 0.
    pub index: u64,
    /// Every seat, in turn order.
    pub seats: Vec<SeatSummary<P>>,
    /// The number of moves, including the opening.
    pub plies: u32,
    /// The number of moves of the opening.
    pub opening_plies: u32,
    /// Why it is over.
    pub end: End,
    /// A content hash of the moves.
    pub fingerprint: String,
}

impl<P> GameSummary<P> {
    /// The rank of every seat.
    pub fn ranks(&self) -> Vec<u8> {
        self.seats.iter().map(|seat| seat.rank).collect()
    }

    /// The player who forfeited the game, who is ranked last, and the kind of forfeit.
    pub fn forfeit(&self) -> Option<(&P, ForfeitKind)> {
        let End::Forfeit(kind) = self.end else { return None };
        let last = self.seats.iter().max_by_key(|seat| seat.rank)?;
        Some((&last.player, kind))
    }

    /// Maps the players of the game.
    ///
    /// # Errors
    /// The first error of `name`.
    pub fn try_map_players<Q, E>(self, mut name: impl FnMut(P) -> Result<Q, E>) -> Result<GameSummary<Q>, E> {
        let Self { index, seats, plies, opening_plies, end, fingerprint } = self;
        let seat = |SeatSummary { player, rank, engines, cost }: SeatSummary<P>| {
            Ok(SeatSummary { player: name(player)?, rank, engines, cost })
        };
        let seats = seats.into_iter().map(seat).collect::<Result<_, E>>()?;
        Ok(GameSummary { index, seats, plies, opening_plies, end, fingerprint })
    }
}

impl GameSummary {
    /// The result of the game for ratings.
    pub fn placing(&self) -> Placing {
        Placing { players: self.seats.iter().map(|seat| seat.player).collect(), ranks: self.ranks() }
    }

    /// The points of one player: the share of the first rank that its seats hold.
    pub fn points(&self, player: usize) -> Points {
        let first = || self.seats.iter().filter(|seat| seat.rank == 1);
        let ours = first().filter(|seat| seat.player == player).count() as u64;
        Points(Points::WIN.0 * ours / (first().count() as u64).max(1))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A summary with only players and ranks.
    pub(crate) fn game(index: u64, players: &[usize], ranks: &[u8]) -> GameSummary {
        let seat = |(&player, &rank)| SeatSummary { player, rank, engines: BTreeSet::new(), cost: None };
        GameSummary {
            index,
            seats: players.iter().zip(ranks).map(seat).collect(),
            plies: 10,
            opening_plies: 0,
            end: End::Rule("end".to_owned()),
            fingerprint: index.to_string(),
        }
    }

    #[test]
    fn a_shared_first_place_is_shared() {
        let points = |ranks: &[u8]| game(0, &[1, 0, 0, 1], ranks).points(0).0;
        assert_eq!(points(&[2, 1, 3, 4]), 12);
        assert_eq!(points(&[1, 2, 2, 2]), 0);
        assert_eq!(points(&[2, 1, 1, 4]), 12, "both are ours");
        assert_eq!(points(&[1, 1, 1, 4]), 8);
        assert_eq!(points(&[1, 1, 1, 1]), 6);
    }

    #[test]
    fn a_reason_is_read_back_as_written_and_tells_who_forfeited() {
        for end in [End::Rule("territory".to_owned()), End::Forfeit(ForfeitKind::Timeout)] {
            assert_eq!(End::from_name(end.name()), end);
        }
        let lost = GameSummary { end: End::Forfeit(ForfeitKind::Failure), ..game(0, &[4, 7, 5], &[1, 3, 1]) };
        assert_eq!(lost.forfeit(), Some((&7, ForfeitKind::Failure)));
        assert_eq!(game(0, &[4, 7], &[1, 2]).forfeit(), None);
    }
}
