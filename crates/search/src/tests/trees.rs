//! Tree reuse between decisions.

use game::{
    Game,
    toy::{Take, TakeMove},
};

use super::toy::{after, ask, generator, next_choice, wide};
use crate::{Mcts, MctsOptions, Report, Rollout};

/// The total visits of all candidates.
fn visits(report: &Report<TakeMove>) -> u64 {
    report.candidates.iter().map(|candidate| candidate.visits).sum()
}

#[test]
fn a_reused_tree_keeps_its_visits_and_spends_the_budget_on_new_simulations() {
    for batch in [1, 8] {
        let options = MctsOptions { reuse: true, batch, ..MctsOptions::default() };
        let mut agent = Mcts::new(Rollout::new(generator(1)), generator(2), options);
        let mut position: Take = wide();
        let first = ask(&mut agent, &position, 2_000);
        assert_eq!((first.nodes, visits(&first)), (2_000, 2_000));
        // One visit of a move is the evaluation of the position after it; the others continued to its children.
        let kept = first.candidates[0].visits - 1;
        position = next_choice(after(&position, first.best));
        let second = ask(&mut agent, &position, 300);
        assert_eq!(second.nodes, 300);
        assert_eq!(visits(&second), kept + 300, "batch {batch}");
        let shares: f32 = second.candidates.iter().map(|candidate| candidate.share).sum();
        assert!((shares - 1.0).abs() < 1e-5);
    }
}

#[test]
fn a_tree_is_reused_any_number_of_plies_later_but_only_below_its_root() {
    let options = MctsOptions { reuse: true, ..MctsOptions::default() };
    let mut agent = Mcts::new(Rollout::new(generator(1)), generator(2), options);
    let first = ask(&mut agent, &wide(), 3_000);
    // Play some plies, including forced moves, to a decision.
    let mut position = wide();
    let mut played = 0;
    for &m in &first.line {
        position = after(&position, m);
        played += 1;
        if played >= 4 && position.is_legal(TakeMove::Stop) {
            break;
        }
    }
    assert!(played >= 4 && position.is_legal(TakeMove::Stop), "{:?}", first.line);
    let later = ask(&mut agent, &position, 10);
    assert!(visits(&later) > 10, "{later:?}");
    assert_eq!(later.nodes, 10);
    // The start is not in the reused tree.
    let again = ask(&mut agent, &wide(), 10);
    assert_eq!(visits(&again), 10);
}

#[test]
fn a_reused_tree_keeps_its_statistics() {
    let options = MctsOptions { reuse: true, ..MctsOptions::default() };
    let mut agent = Mcts::new(Rollout::new(generator(1)), generator(2), options);
    let first = ask(&mut agent, &wide(), 2_000);
    let same = ask(&mut agent, &wide(), 1);
    // For the same position: the old visits and a new one.
    assert_eq!(visits(&same), visits(&first) + 1);
    // A search that is stopped at once must not discard the tree.
    let start = Take::new(&wide().config());
    assert_eq!(ask(&mut agent, &start, 100).nodes, 0);
    let position = next_choice(after(&wide(), first.best));
    let child = ask(&mut agent, &position, 1);
    let before = same.candidates.iter().find(|candidate| candidate.m == first.best).unwrap();
    assert_eq!(visits(&child), before.visits - 1 + 1);
    let difference =
        child.values.unwrap().of(position.to_move()) - before.values.unwrap().of(position.to_move());
    assert!(difference.abs() < 0.01, "one more result among thousands changes little: {difference}");
}
