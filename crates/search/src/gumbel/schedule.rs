//! How a budget is spread over the moves of the root.

/// Sequential Halving of some moves with a budget of simulations, which is spent to the last one.
///
/// The budget is shared equally by the phases, ⌈log₂ moves⌉ of them; each visits all moves that are left equally
/// often, once at least, and leaves the better half, two at least, to the next. What division leaves over goes to
/// further rounds among the last.
///
/// Karnin, Koren & Somekh, *Almost Optimal Exploration in Multi-Armed Bandits* (2013), in the form of Danihelka et al.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Schedule(Vec<Phase>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Phase {
    /// The first simulation of the phase.
    start: u64,
    /// Moves that are left.
    left: u64,
    /// Visits of each of them before the phase.
    visits: u64,
}

impl Schedule {
    /// Halves `considered` moves, one at least, with a budget of `simulations`.
    pub(super) fn new(considered: usize, simulations: u64) -> Self {
        let phases = u64::from(considered.next_power_of_two().trailing_zeros()).max(1);
        let mut table = Vec::new();
        let mut phase = Phase { start: 0, left: considered as u64, visits: 0 };
        // An empty budget has a first phase too, for simplicity.
        while table.is_empty() || phase.start < simulations {
            table.push(phase);
            let rounds = (simulations / (phases * phase.left)).max(1);
            phase.start = phase.start.saturating_add(rounds * phase.left);
            phase.visits += rounds;
            phase.left = (phase.left / 2).max(2).min(considered as u64);
        }
        Self(table)
    }

    /// How often the move that a simulation goes to has been visited before.
    pub(super) fn visits_at(&self, simulation: u64) -> u64 {
        let phase =
            self.0.iter().rev().find(|phase| phase.start <= simulation).expect("the first starts at 0");
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
        // Three moves, eight simulations: ⌈log₂ 3⌉ = 2 phases; one round of three, then ⌊8 / 4⌋ = 2 rounds of two, then
        // again, of which one simulation is left.
        assert_eq!(considered_visits(3, 8), [0, 0, 0, 1, 1, 2, 2, 3]);
        // A budget below the number of moves visits each once as far as it goes.
        assert_eq!(considered_visits(16, 5), [0; 5]);
        // Eight moves, 24 simulations: three phases of eight.
        let expected = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
        assert_eq!(considered_visits(8, 24), expected);
        assert_eq!(considered_visits(1, 4), [0, 1, 2, 3]);
        assert_eq!(considered_visits(5, 0), [0; 0]);
    }

    #[test]
    fn the_example_of_the_paper_has_four_phases_of_fifty() {
        // Sixteen moves and 200 simulations: 16 × 3, 8 × 6, 4 × 12, 2 × 25 and the six that are left over.
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
                    visits[next.expect("somebody has been visited so often")] += 1;
                }
            }
        }
    }

    #[test]
    fn a_budget_without_end_has_a_schedule() {
        assert_eq!(Schedule::new(16, u64::MAX).visits_at(1_000_000), 62_500);
    }
}
