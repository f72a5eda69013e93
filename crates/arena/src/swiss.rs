//! Swiss pairings: participants with similar scores meet, with as few repeated meetings as possible.

use std::collections::{BTreeMap, BTreeSet};

use game::pick;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::Fixture;

/// The groups of a round, and the participants with a bye.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Round {
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) byes: Vec<usize>,
}

/// Scores, meetings and byes after some rounds.
pub(crate) struct Standing {
    size: usize,
    /// The sum over rounds of the mean score: 1 for beating all opponents, ½ for draws.
    scores: Vec<f64>,
    byes: Vec<u32>,
    met: BTreeMap<[usize; 2], u32>,
    /// A random order that breaks ties.
    lot: Vec<usize>,
}

impl Standing {
    /// The standing before the first round, for groups of `size`.
    pub(crate) fn new(participants: usize, size: usize, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut lot: Vec<usize> = (0..participants).collect();
        for last in (1..participants).rev() {
            lot.swap(last, pick(&mut rng, last + 1));
        }
        Self { size, scores: vec![0.0; participants], byes: vec![0; participants], met: BTreeMap::new(), lot }
    }

    /// Pairs the next round.
    ///
    /// Participants are ranked by score, with ties broken at random. Those left over after full groups have a bye: the
    /// lowest ranked of those with the fewest byes. The others are grouped from the top, each with the nearest below
    /// it, in the first way with the fewest repeated meetings.
    pub(crate) fn pair(&self) -> Round {
        let mut ranking: Vec<usize> = (0..self.scores.len()).collect();
        ranking.sort_by(|&a, &b| {
            self.scores[b].total_cmp(&self.scores[a]).then_with(|| self.lot[a].cmp(&self.lot[b]))
        });
        let idle = ranking.len() % self.size;
        for allowed in 0.. {
            for byes in self.bye_choices(&ranking, idle) {
                let field: Vec<usize> = ranking.iter().copied().filter(|who| !byes.contains(who)).collect();
                let mut search =
                    Search { standing: self, groups: Vec::new(), hopeless: BTreeSet::new(), steps: 0 };
                if search.group(&field, allowed) {
                    return Round { groups: search.groups, byes };
                }
            }
        }
        unreachable!("with enough repeated meetings allowed, the first way succeeds")
    }

    /// The possible choices of byes, preferred choice first. Alternatives must be equally fair.
    fn bye_choices(&self, ranking: &[usize], idle: usize) -> Vec<Vec<usize>> {
        let mut upwards: Vec<usize> = ranking.iter().rev().copied().collect();
        upwards.sort_by_key(|&who| self.byes[who]);
        if idle != 1 {
            return vec![upwards[..idle].to_vec()];
        }
        let fewest = self.byes[upwards[0]];
        upwards.into_iter().filter(|&who| self.byes[who] == fewest).map(|who| vec![who]).collect()
    }

    /// Counts a round whose games are all finished. A bye counts as a full score.
    pub(crate) fn count(&mut self, round: &Round, games: &[(Fixture, Vec<u8>)]) {
        let mut points: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (fixture, ranks) in games {
            for (&player, &rank) in fixture.players.iter().zip(ranks) {
                let rivals = fixture.players.iter().zip(ranks).filter(|&(&other, _)| other != player);
                let (got, of) = points.entry(player).or_default();
                for (_, &other) in rivals {
                    *of += 1.0;
                    *got += if rank < other { 1.0 } else { f64::from(u8::from(rank == other)) / 2.0 };
                }
            }
        }
        for (player, (got, of)) in points {
            self.scores[player] += got / of;
        }
        for &who in &round.byes {
            self.scores[who] += 1.0;
            self.byes[who] += 1;
        }
        for group in &round.groups {
            for pair in pairs(group) {
                *self.met.entry(pair).or_default() += 1;
            }
        }
    }

    /// The total number of earlier meetings between pairs of a group.
    fn meetings(&self, group: &[usize]) -> u32 {
        pairs(group).map(|pair| self.met.get(&pair).copied().unwrap_or(0)).sum()
    }
}

fn pairs(group: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    (0..group.len()).flat_map(move |b| (0..b).map(move |a| [group[a].min(group[b]), group[a].max(group[b])]))
}

/// A backtracking search for a grouping.
struct Search<'a> {
    standing: &'a Standing,
    groups: Vec<Vec<usize>>,
    /// Fields that cannot be grouped with this few repeated meetings.
    hopeless: BTreeSet<(Vec<usize>, u32)>,
    steps: u32,
}

impl Search<'_> {
    /// The maximum number of steps. Large fields late in a tournament can have too many groupings to try; a repeated
    /// meeting is then accepted even if it could be avoided.
    const MAX_STEPS: u32 = 200_000;

    /// Groups all of `field`, highest first, with at most `allowed` repeated meetings.
    fn group(&mut self, field: &[usize], allowed: u32) -> bool {
        if field.is_empty() {
            return true;
        }
        if self.hopeless.contains(&(field.to_vec(), allowed)) {
            return false;
        }
        let found = self.extend(&[field[0]], &field[1..], &[], allowed);
        if !found {
            self.hopeless.insert((field.to_vec(), allowed));
        }
        found
    }

    /// Fills `group` from `below`, nearest first; `passed` are left for later groups.
    fn extend(&mut self, group: &[usize], below: &[usize], passed: &[usize], allowed: u32) -> bool {
        self.steps += 1;
        let Some(left) = allowed.checked_sub(self.standing.meetings(group)) else { return false };
        if self.steps > Self::MAX_STEPS {
            return false;
        }
        if group.len() == self.standing.size {
            self.groups.push(group.to_vec());
            if self.group(&[passed, below].concat(), left) {
                return true;
            }
            self.groups.pop();
            return false;
        }
        (0..below.len()).any(|next| {
            let group = [group, &below[next..=next]].concat();
            let passed = [passed, &below[..next]].concat();
            self.extend(&group, &below[next + 1..], &passed, allowed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Results, Schedule, System, Tables};

    fn swiss(participants: usize, seats: usize, rounds: u32) -> Schedule {
        let system = System::Swiss { rounds };
        Schedule { participants, seats, tables: Tables::Distinct, system, games: 2, seed: 7 }
    }

    /// Plays a schedule in which the lower number always wins.
    fn play(schedule: &Schedule) -> Vec<Fixture> {
        let mut results = Results::new();
        loop {
            let fixtures: Vec<Fixture> = schedule.fixtures(&results).iter().collect();
            if fixtures.len() == results.len() {
                return fixtures;
            }
            for (index, fixture) in (0..).zip(&fixtures) {
                let rank =
                    |player: &usize| fixture.players.iter().filter(|other| *other <= player).count() as u8;
                results.insert(index, fixture.players.iter().map(rank).collect());
            }
        }
    }

    fn meetings(fixtures: &[Fixture], rotation: usize) -> BTreeMap<[usize; 2], usize> {
        let mut met = BTreeMap::new();
        for rotation in fixtures.chunks(rotation) {
            pairs(&rotation[0].players).for_each(|pair| *met.entry(pair).or_default() += 1);
        }
        met
    }

    #[test]
    fn repeated_meetings_are_avoided_if_possible() {
        for participants in 2..=11 {
            // As many rounds as a round robin needs: each pair must meet at most once.
            let rounds = (participants - 1) as u32;
            let fixtures = play(&swiss(participants, 2, rounds.min(5)));
            let most = meetings(&fixtures, 2).into_values().max();
            assert_eq!(most, Some(1), "{participants} participants");
        }
        // The sixth of five possible rounds among six has to repeat.
        let met = meetings(&play(&swiss(4, 2, 4)), 2);
        assert_eq!(met.values().sum::<usize>(), 8);
        assert!(met.values().all(|&times| times <= 2));
    }

    #[test]
    fn similar_scores_meet() {
        let fixtures = play(&swiss(8, 2, 3));
        // Four pairs with two games per round; in the third round the two with full scores meet.
        let third = &fixtures[16..];
        let mut wins = [0; 8];
        fixtures[..16].iter().for_each(|fixture| wins[*fixture.players.iter().min().unwrap()] += 1);
        for fixture in third {
            let [a, b] = [fixture.players[0], fixture.players[1]].map(|player| wins[player]);
            assert!(i32::abs(a - b) <= 2, "{a} and {b} games won: {fixture:?}");
        }
        let best = (0..8).filter(|&player| wins[player] == 4).collect::<Vec<_>>();
        assert!(third.iter().any(|fixture| best.iter().all(|player| fixture.players.contains(player))));
    }

    #[test]
    fn byes_rotate() {
        let fixtures = play(&swiss(5, 2, 5));
        let mut games = [0; 5];
        fixtures.iter().flat_map(|fixture| &fixture.players).for_each(|&player| games[player] += 1);
        assert_eq!(games, [8; 5], "each has one bye in five rounds");
    }

    #[test]
    fn tables_of_three_and_four_mix() {
        for seats in [3, 4] {
            for participants in [seats, 2 * seats, 2 * seats + 1, 3 * seats, 14] {
                let fixtures = play(&swiss(participants, seats, 3));
                let rotation = seats;
                assert_eq!(fixtures.len(), 3 * (participants / seats) * rotation);
                let mut sat = vec![[0; 4]; participants];
                for fixture in &fixtures {
                    fixture.players.iter().zip(0..).for_each(|(&player, seat)| {
                        let seat: usize = seat;
                        sat[player][seat] += 1;
                    });
                }
                assert!(sat.iter().all(|seats_of| (1..seats).all(|seat| seats_of[seat] == seats_of[0])));
            }
            let met = meetings(&play(&swiss(seats * seats, seats, 2)), seats);
            assert!(met.values().all(|&times| times == 1), "two rounds of {seats} squared can be without");
        }
    }

    #[test]
    fn determined_games_do_not_change_with_results() {
        let schedule = swiss(7, 2, 4);
        let whole = play(&schedule);
        let mut results = Results::new();
        for (index, fixture) in (0..).zip(&whole) {
            let known: Vec<Fixture> = schedule.fixtures(&results).iter().collect();
            assert_eq!(known[..], whole[..known.len()]);
            assert!(known.len() > index as usize, "the next game is always determined");
            let rank = |player: &usize| fixture.players.iter().filter(|other| *other <= player).count() as u8;
            results.insert(index, fixture.players.iter().map(rank).collect());
        }
        let other = Schedule { seed: 8, ..schedule };
        let first = |schedule: &Schedule| schedule.fixtures(&Results::new()).iter().collect::<Vec<_>>();
        assert_ne!(first(&other), first(&schedule), "ties are broken by the seed");
    }

    #[test]
    fn a_large_field_is_paired_in_time() {
        let fixtures = play(&swiss(60, 2, 9));
        assert_eq!(meetings(&fixtures, 2).into_values().max(), Some(1));
    }
}
