//! Who plays whom in which seats: tournaments as lists of games.
//!
//! A schedule is a pure function of its configuration, its seed and, for the Swiss system, the results so far. So a
//! tournament that was interrupted finds its place again from its results alone.
//!
//! Games come in *rotations*: one opening, played with every participant of a group in every seat. A rotation is the
//! smallest piece that favours nobody.

use std::collections::BTreeMap;

use crate::{Seating, Side, swiss};

/// One game of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The participant of every seat.
    pub players: Vec<usize>,
    /// Number of the opening; games with the same number start alike.
    pub opening: u64,
}

/// Who shares a table of three or four; with two seats there is no difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tables {
    /// Every seat is another participant's.
    Distinct,
    /// Two participants: each alone among copies of the other.
    Copies,
}

/// How opponents are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// Every group of participants that fits at a table meets.
    RoundRobin,
    /// The first participant meets every other one.
    Gauntlet,
    /// Every round brings together participants with like scores who have not met.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
}

/// A tournament before its first game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How many participants there are.
    pub participants: usize,
    /// How many seats a table has, two to four.
    pub seats: usize,
    /// Who shares a table.
    pub tables: Tables,
    /// How opponents are found.
    pub system: System,
    /// Games of every group that meets, in the Swiss system at every meeting; rounded up to whole rotations.
    pub games: u64,
    /// Everything random in the pairing comes from here.
    pub seed: u64,
}

/// A schedule that cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// No table has that many seats.
    #[error("{0} seats: expected two to four")]
    Seats(usize),
    /// Too few to fill a table.
    #[error("{participants} participants: expected at least {least} for such a table")]
    Participants {
        /// How many there are.
        participants: usize,
        /// How many it takes.
        least: usize,
    },
    /// Nothing to play.
    #[error("no games: expected at least one for every meeting, and one round")]
    Nothing,
    /// A gauntlet is run by one against one.
    #[error(
        "a gauntlet at a table of {0} is played among copies: nobody but the candidate has to meet anybody"
    )]
    CrowdedGauntlet(usize),
}

/// The ranks of every seat of the games that were played, by their index.
pub type Results = BTreeMap<u64, Vec<u8>>;

impl Schedule {
    /// A match between participants 0 and 1: every opening from all seats, and at a table of more than two each
    /// alone among copies of the other.
    pub const fn of_match(seats: usize, games: u64, seed: u64) -> Self {
        Self { participants: 2, seats, tables: Tables::Copies, system: System::Gauntlet, games, seed }
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// What is wrong with it.
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

    /// Different participants at one table.
    pub fn group_size(&self) -> usize {
        match self.tables {
            Tables::Distinct => self.seats,
            Tables::Copies => 2,
        }
    }

    /// Games of one rotation.
    pub fn rotation(&self) -> u64 {
        if self.group_size() == self.seats { self.seats as u64 } else { Seating::round(self.seats) }
    }

    /// Rotations that a group plays when it meets.
    pub fn rotations(&self) -> u64 {
        self.games.div_ceil(self.rotation())
    }

    /// How many games there will be in all.
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

    /// All games that are known, in their order. A game's index is its place in the list.
    ///
    /// A Swiss schedule knows a round when all games of the rounds before it are among `results`; the other systems
    /// know everything from the beginning. What is known never changes when results are added.
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
        // Turning the table keeps everybody's neighbours; other turns seat them beside others.
        let (circle, shift) = (circle(group, turn), game as usize);
        (0..self.seats).map(|seat| circle[(seat + self.seats - shift) % self.seats]).collect()
    }
}

/// The games of a schedule that are known, worked out when asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixtures {
    schedule: Schedule,
    /// The groups that meet, round by round; every system but the Swiss has one round.
    rounds: Vec<Vec<Vec<usize>>>,
}

impl Fixtures {
    /// How many games are known.
    pub fn len(&self) -> u64 {
        self.rounds.iter().map(|groups| self.games_of(groups)).sum()
    }

    /// Whether no game is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn games_of(&self, groups: &[Vec<usize>]) -> u64 {
        groups.len() as u64 * self.schedule.rotations() * self.schedule.rotation()
    }

    /// Game `index`, if it is known.
    ///
    /// In a round, all groups play a rotation each, then all again: wherever it stops, everybody has played about as
    /// much.
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

    /// All known games, in order.
    pub fn iter(&self) -> impl Iterator<Item = Fixture> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

/// The group around the table: the first stays, the others take one of their orders, another one every turn.
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

    /// How often a participant sat in a seat.
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
        assert_eq!(openings.len(), 20, "every rotation has an opening of its own");
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
    fn a_gauntlet_is_run_by_the_first_alone() {
        let gauntlet = Schedule { system: System::Gauntlet, ..schedule(4, 2, Tables::Copies, 2) };
        let fixtures = gauntlet.fixtures(&Results::new()).iter().collect::<Vec<_>>();
        assert_eq!((fixtures.len() as u64, gauntlet.total()), (6, 6));
        assert!(fixtures.iter().all(|fixture| fixture.players.contains(&0)));
        assert!((1..4).all(|other| sat(&fixtures, other, 0) == 1 && sat(&fixtures, other, 1) == 1));
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
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
