//! The schedule of Sequential Halving.

/// Distributes a budget of simulations over moves by Sequential Halving. The whole budget is spent.
///
/// The budget is divided equally between ⌈log₂ moves⌉ phases. Each phase visits all remaining moves equally often, at
/// least once, and passes the better half, at least two moves, to the next. Simulations left over by the division go to
/// further rounds among the last moves.
///
/// Karnin, Koren & Somekh, *Almost Optimal Exploration in Multi-Armed Bandits* (2013), in the form of Danihelka et al.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Schedule(Vec<Phase>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Phase {
    /// The first simulation of the phase.
    start: u64,
    /// The number of remaining moves.
    left: u64,
    /// The visits of each of them before the phase.
    visits: u64,
}

impl Schedule {
    /// A schedule for `considered` moves, at least one, and a budget of `simulations`.
    pub(super) fn new(considered: usize, simulations: u64) -> Self {
        let phases = u64::from(considered.next_power_of_two().trailing_zeros()).max(1);
        let mut table = Vec::new();
        let mut phase = Phase { start: 0, left: considered as u64, visits: 0 };
        // Even an empty budget has a first phase, so that lookups always succeed.
        while table.is_empty() || phase.start < simulations {
            table.push(phase);
            let rounds = (simulations / (phases * phase.left)).max(1);
            phase.start = phase.start.saturating_add(rounds * phase.left);
            phase.visits += rounds;
            phase.left = (phase.left / 2).max(2).min(considered as u64);
        }
        Self(table)
    }

    /// The number of visits that the move of this simulation has had before.
    pub(super) fn visits_at(&self, simulation: u64) -> u64 {
        let phase =
            self.0.iter().rev().find(|phase| phase.start <= simulation).expect("the first phase starts at 0");
        phase.visits + (simulation - phase.start) / phase.left
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    fn considered_visits(considered: usize, simulations: u64) -> Vec<u64> {
        let schedule = Schedule::new(considered, simulations);
        (0..simulations).map(|simulation| schedule.visits_at(simulation)).collect()
    }

    #[test]
    fn tables_are_those_computed_by_hand() {
        // Four moves, sixteen simulations: two phases of eight, 4 × 2 and 2 × 4.
        assert_eq!(considered_visits(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        // Three moves, eight simulations: ⌈log₂ 3⌉ = 2 phases; one round of three, then ⌊8 / 4⌋ = 2 rounds of two, and
        // one simulation of a further round.
        assert_eq!(considered_visits(3, 8), [0, 0, 0, 1, 1, 2, 2, 3]);
        // A budget below the number of moves visits as many of them as it can once.
        assert_eq!(considered_visits(16, 5), [0; 5]);
        // Eight moves, 24 simulations: three phases of eight.
        let expected = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
        assert_eq!(considered_visits(8, 24), expected);
        assert_eq!(considered_visits(1, 4), [0, 1, 2, 3]);
        assert_eq!(considered_visits(5, 0), [0; 0]);
    }

    #[test]
    fn the_example_of_the_paper_has_four_phases_of_fifty() {
        // Sixteen moves and 200 simulations: 16 × 3, 8 × 6, 4 × 12, 2 × 25 and the remaining six.
        let table = considered_visits(16, 200);
        let rounds = |visits: u64| table.iter().filter(|&&entry| entry == visits).count();
        let sizes: Vec<usize> = (0..=*table.last().unwrap()).map(rounds).collect();
        let expected = [vec![16; 3], vec![8; 6], vec![4; 12], vec![2; 28]].concat();
        assert_eq!(sizes, expected);
    }

    #[test]
    fn every_simulation_goes_to_a_move_that_exists() {
        for considered in 1..=40 {
            for simulations in [0, 1, 2, 7, 16, 50, 333] {
                let table = considered_visits(considered, simulations);
                let mut visits = vec![0; considered];
                for entry in table {
                    let next = visits.iter().position(|&visits| visits == entry);
                    visits[next.expect("some move has this number of visits")] += 1;
                }
            }
        }
    }

    #[test]
    fn an_unlimited_budget_has_a_schedule() {
        assert_eq!(Schedule::new(16, u64::MAX).visits_at(1_000_000), 62_500);
    }
}
