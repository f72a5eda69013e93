//! Openings: random moves before the agents take over, balanced on request.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use game::{Game, Values, derive_seed, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::Conditions;

/// Rejects openings that favour a seat.
///
/// Random openings are drawn until the judge considers one about even. If none of the draws is, the most even one is
/// used. The judge does not know the participants, so balancing favours none of them.
#[derive(Clone)]
pub struct Balance<G: Game> {
    /// The value of a position for each seat. Must be a pure function: games are repeated from their seeds.
    pub judge: Arc<dyn Fn(&G) -> Values + Send + Sync>,
    /// The largest [`advantage`] of an acceptable opening.
    pub tolerance: f32,
    /// The maximum number of draws, at least one.
    pub draws: u32,
}

impl<G: Game> fmt::Debug for Balance<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tolerance, draws, .. } = self;
        f.debug_struct("Balance").field("tolerance", tolerance).field("draws", draws).finish_non_exhaustive()
    }
}

/// The advantage of the best seat over the worst, from 0 to 1: half the difference of their values. With two seats
/// whose values sum to zero, it is the absolute value of either.
pub fn advantage(values: &Values, seats: usize) -> f32 {
    let values = &values.0[..seats];
    let (low, high) = (f32::min, f32::max);
    (values.iter().copied().fold(-1.0, high) - values.iter().copied().fold(1.0, low)) / 2.0
}

impl<G: Game> Conditions<G> {
    /// The opening for `seed`: random legal moves that do not end the game. With a [`Balance`], the first draw that is
    /// about even, or the most even one.
    ///
    /// If nearly every opening of that length would end the game, the opening is shorter.
    pub fn opening(&self, seed: u64) -> Vec<G::Move> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut line, mut position) = self.draw(&mut rng);
        let Some(balance) = self.balance.as_ref().filter(|_| !line.is_empty()) else { return line };
        let judged = |position: &G| advantage(&(balance.judge)(position), position.seats());
        let mut best = judged(&position);
        for _ in 1..balance.draws {
            if best <= balance.tolerance {
                break;
            }
            let other = self.draw(&mut rng);
            let found = judged(&other.1);
            if found < best {
                best = found;
                (line, position) = other;
            }
        }
        debug_assert!(!position.is_over());
        line
    }

    /// Draws random moves and returns them with the position after them.
    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> (Vec<G::Move>, G) {
        let mut legal = Vec::new();
        for attempt in 0.. {
            let mut wanted = self.opening_plies.saturating_sub(attempt / 8);
            let (mut position, mut line) = (self.start.clone(), Vec::new());
            while wanted > 0 && !position.is_over() {
                position.legal_moves(&mut legal);
                wanted -= u32::from(legal.len() > 1);
                let m = legal[pick(rng, legal.len())];
                position.play_unchecked(m, &mut ());
                line.push(m);
            }
            if line.is_empty() || !position.is_over() {
                return (line, position);
            }
        }
        (Vec::new(), self.start.clone())
    }
}

/// The moves of an opening, computed by the first thread that needs them.
type Shared<M> = Arc<OnceLock<Arc<[M]>>>;

/// The openings of a schedule by number. Games that are played at about the same time share an opening, and balancing
/// may cost more than a quick game, so the latest ones are remembered.
pub(crate) struct Openings<'a, G: Game> {
    conditions: &'a Conditions<G>,
    seed: u64,
    recent: Mutex<VecDeque<(u64, Shared<G::Move>)>>,
    /// How many openings are remembered: every thread may be playing another one.
    capacity: usize,
}

impl<'a, G: Game> Openings<'a, G> {
    pub(crate) fn new(conditions: &'a Conditions<G>, seed: u64, threads: usize) -> Self {
        Self { conditions, seed, recent: Mutex::default(), capacity: threads + 1 }
    }

    /// The opening with this number.
    pub(crate) fn get(&self, number: u64) -> Arc<[G::Move]> {
        let shared = self.shared(number);
        let compute = || self.conditions.opening(derive_seed(self.seed, number, 0)).into();
        Arc::clone(shared.get_or_init(compute))
    }

    fn shared(&self, number: u64) -> Shared<G::Move> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, shared)) = recent.iter().find(|(known, _)| *known == number) {
            return Arc::clone(shared);
        }
        if recent.len() == self.capacity {
            recent.pop_front();
        }
        let shared = Shared::default();
        recent.push_back((number, Arc::clone(&shared)));
        shared
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use game::toy::{Take, TakeMove, TakeRules};

    use super::*;

    /// Openings of six decisions, with an arbitrary judge that counts its calls.
    fn conditions(tolerance: f32, draws: u32) -> (Conditions<Take>, Arc<AtomicU32>) {
        let calls = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&calls);
        let judge = move |position: &Take| {
            count.fetch_add(1, Ordering::Relaxed);
            arbitrary(position)
        };
        let balance = Some(Balance { judge: Arc::new(judge), tolerance, draws });
        (Conditions { balance, ..random() }, calls)
    }

    fn random() -> Conditions<Take> {
        Conditions::new(Take::new(&TakeRules { tokens: 30, most: 3, seats: 2 }), 6)
    }

    fn arbitrary(position: &Take) -> Values {
        let value = (position.key() % 1000) as f32 / 1000.0;
        Values([value, -value, 0.0, 0.0])
    }

    fn advantage_after(line: &[TakeMove]) -> f32 {
        let mut position = random().start;
        for &m in line {
            position.play_unchecked(m, &mut ());
        }
        advantage(&arbitrary(&position), 2)
    }

    #[test]
    fn the_advantage_is_between_the_best_and_the_worst_seat() {
        let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-6, "{found}");
        near(advantage(&Values([0.25, -0.25, 0.0, 0.0]), 2), 0.25);
        near(advantage(&Values([-1.0, 1.0, 0.0, 0.0]), 2), 1.0);
        near(advantage(&Values([0.2, 0.1, -0.3, -0.9]), 3), 0.25);
        near(advantage(&Values([-0.5; 4]), 4), 0.0);
    }

    #[test]
    fn an_even_opening_is_taken_at_once_and_an_uneven_one_is_the_best_of_all_draws() {
        for seed in 0..50 {
            let unjudged = random().opening(seed);
            let (tolerant, calls) = conditions(1.0, 8);
            assert_eq!(tolerant.opening(seed), unjudged, "the first draw is the random opening");
            assert_eq!(calls.load(Ordering::Relaxed), 1);
            let mut last = advantage_after(&unjudged);
            for draws in 1..=8 {
                let (strict, calls) = conditions(-1.0, draws);
                let best = advantage_after(&strict.opening(seed));
                assert_eq!(calls.load(Ordering::Relaxed), draws);
                assert!(best <= last, "more draws are not worse: {best} after {last}");
                last = best;
            }
        }
    }

    #[test]
    fn drawing_ends_at_the_first_opening_within_the_tolerance() {
        let mut early = 0;
        for seed in 0..50 {
            let (conditions, calls) = conditions(0.25, 6);
            let line = conditions.opening(seed);
            let draws = calls.load(Ordering::Relaxed);
            assert!(advantage_after(&line) <= 0.25 || draws == 6, "{draws} draws");
            assert!((1..=6).contains(&draws));
            early += u32::from(draws < 6);
        }
        assert!(early > 25, "{early} of 50");
    }

    #[test]
    fn threads_share_an_opening_and_forget_old_ones() {
        let (conditions, calls) = conditions(-1.0, 5);
        let openings = Openings::new(&conditions, 7, 2);
        let first = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| openings.get(0))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(first.iter().all(|line| *line == first[0]));
        assert_eq!(calls.load(Ordering::Relaxed), 5, "computed once");
        assert_ne!(openings.get(1), first[0]);
        let _ = (openings.get(2), openings.get(3));
        assert_eq!(openings.get(0), first[0]);
        assert_eq!(calls.load(Ordering::Relaxed), 25, "the first one was forgotten");
        assert_eq!(openings.recent.lock().unwrap().len(), 3);
    }
}
