//! The table of descent: transpositions, reuse between decisions, and training targets.

use super::*;
use crate::{DescentChoice, Widening};

#[test]
fn a_position_reached_by_several_paths_is_one_node() {
    for mode in BOTH {
        for seats in 2..=4 {
            let start = after(&pile(14, 4, seats), TakeMove::One);
            let mut all = positions(start.clone());
            all.retain(|position| legal(position).len() != 1);
            let report = think(&mut in_mode(mode), &start, 100_000);
            // As a tree the game has thousands of nodes. The root itself is not counted.
            assert!(report.nodes < all.len() as u64, "{} of {}", report.nodes, all.len());
            assert!(detail(&report, "transpositions") > 5, "{report:?}");
        }
    }
}

#[test]
fn the_tree_is_kept_from_decision_to_decision() {
    for mode in BOTH {
        let mut agent = in_mode(mode);
        let first = think(&mut agent, &wide(), 400);
        assert!(detail(&first, "kept") == 0);
        let mut position = after(&wide(), first.best);
        while legal(&position).len() < 2 {
            // A forced move does not clear the table.
            let forced = think(&mut agent, &position, 400);
            position.play(forced.best).unwrap();
        }
        let second = think(&mut agent, &position, 0);
        assert!(detail(&second, "kept") > 100, "{second:?}");
        assert_eq!(second.nodes, 0);
        assert!(second.values.is_some(), "reused results are reported without any budget");
        // The start of a new game is not in the rest of the old table.
        assert!(detail(&think(&mut agent, &wide(), 10), "kept") == 0);
    }
}

#[test]
fn resolved_positions_stay_resolved_until_the_game_is_won() {
    for mode in BOTH {
        let mut agent = in_mode(mode);
        let mut position = after(&pile(21, 3, 2), TakeMove::One);
        let winner = position.to_move();
        assert!(position.mover_wins());
        let mut spent = Vec::new();
        while !position.is_over() {
            let report = think(&mut agent, &position, 10_000);
            spent.push(report.nodes);
            let m = match position.to_move() {
                seat if seat == winner => report.best,
                // The loser tries everything in turn.
                _ => legal(&position)[spent.len() % legal(&position).len()],
            };
            position.play(m).unwrap();
        }
        assert_eq!(position.outcome().unwrap().winner(), Some(winner));
        assert!(spent[1..].iter().all(|&nodes| nodes <= spent[0]), "{spent:?}");
    }
}

#[test]
fn the_table_never_exceeds_its_size_and_the_report_says_that_it_is_full() {
    for mode in BOTH {
        let max_bytes = 20_000;
        let options = DescentOptions { mode, max_bytes, ..DescentOptions::default() };
        let mut agent = agent(options);
        let mut position = wide();
        let is_full = |report: &Report<TakeMove>| report.details.contains(&("full", 1.0));
        assert!(!is_full(&think(&mut agent, &position, 10)));
        assert!(is_full(&think(&mut agent, &position, 1_000)));
        for _ in 0..30 {
            let report = think(&mut agent, &position, 1_000);
            // The forced moves of one expansion are not known in advance.
            assert!(agent.search.table.bytes() <= max_bytes + 1_000, "{}", agent.search.table.bytes());
            position.play(report.best).unwrap();
        }
    }
}

#[test]
fn targets_are_the_expanded_positions_with_their_backed_up_values() {
    for mode in BOTH {
        for seats in 2..=3 {
            let start = after(&pile(8, 3, seats), TakeMove::One);
            let mut agent = in_mode(mode);
            assert!(agent.targets().is_empty());
            let report = think(&mut agent, &start, 25);
            let targets = agent.targets();
            assert_eq!(targets.len(), detail(&report, "expansions"));
            assert_eq!((&targets[0].position, Some(targets[0].values)), (&start, report.values));
            for (index, target) in targets.iter().enumerate() {
                let earlier = targets[..index].iter().any(|other| other.position == target.position);
                assert!(!earlier, "twice: {target:?}");
                assert!(legal(&target.position).len() > 1);
                if target.solved {
                    assert_eq!(results(&target.position), [target.values], "{target:?}");
                }
            }
            assert!(targets.iter().any(|target| target.solved), "{targets:?}");
        }
    }
}

#[test]
fn widening_expands_more_moves_as_visits_grow() {
    // With two moves per position, widening holds one of them back.
    let widen = Some(Widening { factor: 0.3, power: 0.5 });
    let mut agent = agent(DescentOptions { widen, ..DescentOptions::default() });
    let start = wide();
    let narrow = think(&mut agent, &start, 5);
    assert_eq!(narrow.candidates.iter().filter(|candidate| candidate.values.is_some()).count(), 1);
    let wider = think(&mut agent, &start, 500);
    assert_eq!(wider.candidates.iter().filter(|candidate| candidate.values.is_some()).count(), 2);
    let total: u64 = wider.candidates.iter().map(|candidate| candidate.visits).sum();
    // 0.3 · √n reaches 2 at the 45th visit.
    assert!(total >= 45, "{wider:?}");
}

#[test]
fn the_choice_is_by_visits_or_by_value() {
    // An evaluator that favours unexpanded positions, so that values and visits disagree.
    let fickle = |position: &Take| {
        let noise = position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        Values([noise as f32 / (1 << 25) as f32; game::MAX_SEATS])
    };
    let mut differ = 0;
    for position in decisions(pile(40, 4, 3)) {
        let [safest, best] = [DescentChoice::Safest, DescentChoice::BestValue].map(|choice| {
            let options = DescentOptions { choice, ..DescentOptions::default() };
            Descent::new(ValuesOnly(fickle), options).think(&position, &Limits::nodes(12), &Stop::default())
        });
        let mover = position.to_move();
        let undecided =
            |report: &Report<TakeMove>| report.candidates.iter().all(|candidate| !candidate.solved);
        if undecided(&safest) {
            assert!(safest.candidates[0].visits >= safest.candidates[1].visits, "{safest:?}");
        }
        if undecided(&best) {
            let value = |index: usize| best.candidates[index].values.unwrap().of(mover);
            assert!(value(0) >= value(1), "{best:?}");
        }
        differ += usize::from(safest.best != best.best);
    }
    assert!(differ > 0);
}
