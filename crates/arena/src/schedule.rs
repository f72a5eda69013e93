//! Schedules of events: which participants meet, and in which seats.
//!
//! A schedule is a pure function of its configuration, its seed and, for the Swiss system, the results so far. An
//! interrupted tournament can therefore be resumed from its results alone.
//!
//! Games come in *rotations*: one opening, played with every participant of a group in every seat. A rotation is the
//! smallest unit that is fair to all participants.

use std::collections::BTreeMap;

use crate::{Seating, Side, swiss};

/// One game of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The participant of every seat.
    pub players: Vec<usize>,
    /// The number of the opening; games with the same number have the same opening.
    pub opening: u64,
}

/// Who plays in games for three or four seats. It makes no difference for two seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tables {
    /// Every seat has a different participant.
    Distinct,
    /// Two participants, each alone among copies of the other.
    Copies,
}

/// How participants are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// Every group of participants plays.
    RoundRobin,
    /// The first participant plays every other one.
    Gauntlet,
    /// Every round pairs participants with similar scores who have not met.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
}

/// The schedule of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The number of participants.
    pub participants: usize,
    /// The number of seats per game, two to four.
    pub seats: usize,
    /// Who plays in games for three or four seats.
    pub tables: Tables,
    /// How participants are paired.
    pub system: System,
    /// The number of games per group (in the Swiss system, per meeting), rounded up to complete rotations.
    pub games: u64,
    /// The seed of everything random in the pairings.
    pub seed: u64,
}

/// Why a schedule is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// The number of seats is out of range.
    #[error("{0} seats: expected two to four")]
    Seats(usize),
    /// There are too few participants.
    #[error("{participants} participants: expected at least {least} for these games")]
    Participants {
        /// The number of participants.
        participants: usize,
        /// The minimum number.
        least: usize,
    },
    /// There are no games.
    #[error("no games: expected at least one for every meeting, and one round")]
    Nothing,
    /// A gauntlet for more than two seats needs copies.
    #[error(
        "a gauntlet for {0} seats has to be played among copies, since only the candidate meets other participants"
    )]
    CrowdedGauntlet(usize),
}

/// The ranks of all seats of the finished games, by the index of the game.
pub type Results = BTreeMap<u64, Vec<u8>>;

impl Schedule {
    /// A match between participants 0 and 1. Every opening is played from all seats; with more than two seats, each
    /// side is alone among copies of the other.
    pub const fn of_match(seats: usize, games: u64, seed: u64) -> Self {
        Self { participants: 2, seats, tables: Tables::Copies, system: System::Gauntlet, games, seed }
    }

    /// Checks whether the schedule can be played.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self) -> Result<(), ScheduleError> {
        let least = self.group_size();
        let empty = self.games == 0 || self.system == System::Swiss { rounds: 0 };
        if !(2..=game::MAX_SEATS).contains(&self.seats) {
            Err(ScheduleError::Seats(self.seats))
        } else if self.participants < least {
            Err(ScheduleError::Participants { participants: self.participants, least })
        } else if self.system == System::Gauntlet && self.group_size() > 2 {
            Err(ScheduleError::CrowdedGauntlet(self.seats))
        } else if empty {
            Err(ScheduleError::Nothing)
        } else {
            Ok(())
        }
    }

    /// The number of different participants in a game.
    pub fn group_size(&self) -> usize {
        match self.tables {
            Tables::Distinct => self.seats,
            Tables::Copies => 2,
        }
    }

    /// The number of games in a rotation.
    pub fn rotation(&self) -> u64 {
        if self.group_size() == self.seats { self.seats as u64 } else { Seating::round(self.seats) }
    }

    /// The number of rotations that a group plays when it meets.
    pub fn rotations(&self) -> u64 {
        self.games.div_ceil(self.rotation())
    }

    /// The total number of games.
    pub fn total(&self) -> u64 {
        let (participants, size) = (self.participants as u64, self.group_size() as u64);
        let groups = match self.system {
            System::RoundRobin => {
                (0..size).fold(1, |groups, taken| groups * (participants - taken) / (taken + 1))
            }
            System::Gauntlet => participants - 1,
            System::Swiss { rounds } => u64::from(rounds) * (participants / size),
        };
        groups * self.rotations() * self.rotation()
    }

    /// All games that are determined so far, in order. A game's index is its position in the list.
    ///
    /// A round of a Swiss schedule is determined once `results` contain all games of the earlier rounds; the other
    /// systems are determined from the start. Adding results never changes games that are determined already.
    pub fn fixtures(&self, results: &Results) -> Fixtures {
        let mut fixtures = Fixtures { schedule: *self, rounds: Vec::new() };
        match self.system {
            System::RoundRobin => fixtures.rounds.push(groups(self.participants, self.group_size())),
            System::Gauntlet => {
                fixtures.rounds.push((1..self.participants).map(|other| vec![0, other]).collect());
            }
            System::Swiss { rounds } => {
                let mut standing = swiss::Standing::new(self.participants, self.group_size(), self.seed);
                for _ in 0..rounds {
                    let begin = fixtures.len();
                    let round = standing.pair();
                    fixtures.rounds.push(round.groups.clone());
                    let games = (begin..fixtures.len())
                        .map(|index| Some((fixtures.get(index)?, results.get(&index)?.clone())));
                    let Some(ended) = games.collect::<Option<Vec<(Fixture, Vec<u8>)>>>() else { break };
                    standing.count(&round, &ended);
                }
            }
        }
        fixtures
    }

    /// Game `game` of a rotation: one opening with every participant of the group in every seat.
    fn seated(&self, group: &[usize], turn: u64, game: u64) -> Vec<usize> {
        if group.len() < self.seats {
            let seating = Seating::of_game(game, self.seats);
            return seating.sides().iter().map(|&side| group[usize::from(side == Side::B)]).collect();
        }
        // Rotating the seats keeps all neighbours; later turns change them.
        let (circle, shift) = (circle(group, turn), game as usize);
        (0..self.seats).map(|seat| circle[(seat + self.seats - shift) % self.seats]).collect()
    }
}

/// The determined games of a schedule, computed on demand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixtures {
    schedule: Schedule,
    /// The groups that meet in each round; all systems but the Swiss have one round.
    rounds: Vec<Vec<Vec<usize>>>,
}

impl Fixtures {
    /// The number of determined games.
    pub fn len(&self) -> u64 {
        self.rounds.iter().map(|groups| self.games_of(groups)).sum()
    }

    /// Whether no game is determined.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn games_of(&self, groups: &[Vec<usize>]) -> u64 {
        groups.len() as u64 * self.schedule.rotations() * self.schedule.rotation()
    }

    /// Game `index`, if it is determined.
    ///
    /// Within a round, all groups play one rotation each before any plays a second, so that participants have played
    /// about equally often at any time.
    pub fn get(&self, index: u64) -> Option<Fixture> {
        let rotation = self.schedule.rotation();
        let mut place = index;
        for groups in &self.rounds {
            if place < self.games_of(groups) {
                let (number, game) = (place / rotation, place % rotation);
                let (turn, group) = (number / groups.len() as u64, number % groups.len() as u64);
                let players = self.schedule.seated(&groups[group as usize], turn, game);
                return Some(Fixture { players, opening: index / rotation });
            }
            place -= self.games_of(groups);
        }
        None
    }

    /// All determined games, in order.
    pub fn iter(&self) -> impl Iterator<Item = Fixture> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

/// The circular seating of a group: the first participant stays, and the others take a different order every turn.
fn circle(group: &[usize], turn: u64) -> Vec<usize> {
    let mut left = group[1..].to_vec();
    let orders: u64 = (1..=left.len() as u64).product();
    let (mut code, mut circle) = (turn % orders, vec![group[0]]);
    while !left.is_empty() {
        let place = (code % left.len() as u64) as usize;
        code /= left.len() as u64;
        circle.push(left.remove(place));
    }
    circle
}

/// All groups of `size` out of `participants`, ascending.
fn groups(participants: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in (size - 1)..participants {
        for mut group in groups(last, size - 1) {
            group.push(last);
            all.push(group);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn schedule(participants: usize, seats: usize, tables: Tables, games: u64) -> Schedule {
        Schedule { participants, seats, tables, system: System::RoundRobin, games, seed: 1 }
    }

    /// How often a participant had a seat.
    fn sat(fixtures: &[Fixture], participant: usize, seat: usize) -> usize {
        fixtures.iter().filter(|fixture| fixture.players[seat] == participant).count()
    }

    #[test]
    fn a_round_robin_seats_every_pair_equally() {
        let fixtures =
            schedule(5, 2, Tables::Distinct, 3).fixtures(&Results::new()).iter().collect::<Vec<_>>();
        assert_eq!(schedule(5, 2, Tables::Distinct, 3).total(), 40);
        assert_eq!(fixtures.len(), 10 * 4, "ten pairs, three games rounded up to four");
        for a in 0..5 {
            for b in (0..5).filter(|&b| b != a) {
                assert_eq!(fixtures.iter().filter(|fixture| fixture.players == [a, b]).count(), 2);
            }
        }
        for pair in fixtures.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[0].players, pair[1].players.iter().rev().copied().collect::<Vec<_>>());
        }
        let openings: BTreeSet<u64> = fixtures.iter().map(|fixture| fixture.opening).collect();
        assert_eq!(openings.len(), 20, "every rotation has its own opening");
    }

    #[test]
    fn tables_of_three_and_four_are_balanced_in_seats_and_neighbours() {
        for (seats, orders) in [(3, 2), (4, 6)] {
            let games = (seats * orders) as u64;
            let fixtures = schedule(5, seats, Tables::Distinct, games)
                .fixtures(&Results::new())
                .iter()
                .collect::<Vec<_>>();
            let groups = if seats == 3 { 10 } else { 5 };
            assert_eq!(fixtures.len(), groups * seats * orders);
            assert_eq!(schedule(5, seats, Tables::Distinct, games).total(), fixtures.len() as u64);
            assert!(
                fixtures.iter().all(|fixture| fixture.players.iter().collect::<BTreeSet<_>>().len() == seats)
            );
            let follows = |a: usize, b: usize| {
                let beside = |fixture: &&Fixture| {
                    let place = fixture.players.iter().position(|&player| player == a);
                    place.is_some_and(|place| fixture.players[(place + 1) % seats] == b)
                };
                fixtures.iter().filter(beside).count()
            };
            for a in 0..5 {
                assert!(
                    (1..seats).all(|seat| sat(&fixtures, a, seat) == sat(&fixtures, a, 0)),
                    "{seats} seats"
                );
                assert!((0..5).filter(|&b| b != a).all(|b| follows(a, b) == follows(0, 1)), "{seats} seats");
            }
            for rotation in fixtures.chunks(seats) {
                assert!(rotation.iter().all(|fixture| fixture.opening == rotation[0].opening));
            }
        }
    }

    #[test]
    fn copies_sit_as_in_a_match() {
        let fixtures = schedule(3, 3, Tables::Copies, 6).fixtures(&Results::new()).iter().collect::<Vec<_>>();
        assert_eq!(fixtures.len(), 3 * 6);
        let first: Vec<&[usize]> = fixtures[..6].iter().map(|fixture| &fixture.players[..]).collect();
        let expected: [&[usize]; 6] =
            [&[0, 1, 1], &[1, 0, 1], &[1, 1, 0], &[1, 0, 0], &[0, 1, 0], &[0, 0, 1]];
        assert_eq!(first, expected);
    }

    #[test]
    fn in_a_gauntlet_only_the_first_meets_the_others() {
        let gauntlet = Schedule { system: System::Gauntlet, ..schedule(4, 2, Tables::Copies, 2) };
        let fixtures = gauntlet.fixtures(&Results::new()).iter().collect::<Vec<_>>();
        assert_eq!((fixtures.len() as u64, gauntlet.total()), (6, 6));
        assert!(fixtures.iter().all(|fixture| fixture.players.contains(&0)));
        assert!((1..4).all(|other| sat(&fixtures, other, 0) == 1 && sat(&fixtures, other, 1) == 1));
    }

    #[test]
    fn invalid_schedules_are_refused() {
        let good = schedule(3, 3, Tables::Distinct, 1);
        assert_eq!(good.check(), Ok(()));
        let two = Schedule { participants: 2, ..good };
        assert_eq!(two.check(), Err(ScheduleError::Participants { participants: 2, least: 3 }));
        assert_eq!(Schedule { tables: Tables::Copies, ..two }.check(), Ok(()));
        assert_eq!(Schedule { games: 0, ..good }.check(), Err(ScheduleError::Nothing));
        assert_eq!(
            Schedule { system: System::Swiss { rounds: 0 }, ..good }.check(),
            Err(ScheduleError::Nothing)
        );
        assert_eq!(Schedule { seats: 5, ..good }.check(), Err(ScheduleError::Seats(5)));
        assert_eq!(
            Schedule { system: System::Gauntlet, ..good }.check(),
            Err(ScheduleError::CrowdedGauntlet(3))
        );
    }
}
