//! Guides: what they answer, whatever else is in the batch.

use game::{
    Evaluate, Game, MAX_SEATS, Values,
    toy::{Take, TakeMove, TakeRules},
};

use super::toy::{Pie, after, decisions, generator, theory, wide};
use crate::{Flat, Guide, Leaf, Rollout, ShortRollout, Sighted};

fn leaf<G: Game>(position: &G) -> Leaf<G> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    Leaf::new(position.clone(), moves)
}

fn judged<G: Game>(guide: &mut impl Guide<G>, position: &G) -> Leaf<G> {
    let mut leaves = [leaf(position)];
    guide.judge(&mut leaves);
    let [mut leaf] = leaves;
    if leaf.logits.is_empty() {
        guide.prefer(&mut leaf);
    }
    leaf
}

#[test]
fn a_batch_is_answered_as_its_leaves_are_one_by_one() {
    let positions = decisions(TakeRules { tokens: 12, most: 3, seats: 2 });
    let guides = (Flat(theory), Sighted { evaluator: theory, sharpness: 3.0 });
    let mut batches = [(); 2].map(|()| positions.iter().map(leaf).collect::<Vec<_>>());
    let (mut flat, mut sighted) = guides;
    flat.judge(&mut batches[0]);
    sighted.judge(&mut batches[1]);
    for (index, position) in positions.iter().enumerate() {
        let [one, other] = [judged(&mut flat, position), judged(&mut sighted, position)];
        assert_eq!((batches[0][index].values, batches[1][index].values), (one.values, other.values));
        assert_eq!(one.values, theory(position));
        assert!(one.logits.is_empty());
        let mover = position.to_move();
        for (&m, logit) in other.moves.iter().zip(&other.logits) {
            let expected = 3.0 * theory(&after(position, m)).of(mover);
            assert!((logit - expected).abs() < 1e-6, "{m:?} in {position:?}");
        }
    }
}

#[test]
fn rollouts_end_the_game_and_are_fair() {
    let position = after(&Take::new(&TakeRules { tokens: 2, most: 2, seats: 2 }), TakeMove::One);
    // Taking the last token wins; stopping leaves it to the other: an even chance.
    let mut guide = Rollout::new(generator(1));
    let wins =
        (0..1_000).filter(|_| judged(&mut guide, &position).values.of(position.to_move()) >= 1.0).count();
    assert!((430..570).contains(&wins), "{wins}");
}

#[test]
fn a_rollout_tells_values_by_the_seats_of_its_leaf() {
    // One token and a swap: whoever moves takes it. Half of all games swap first, and the other participant wins.
    let start = Pie::new(&TakeRules { tokens: 1, most: 1, seats: 2 });
    let mut wins = [0; 2];
    let mut long = Rollout::new(generator(3));
    let mut short =
        ShortRollout::new(|_: &Pie| -> Values { panic!("the game ends before") }, 9, generator(4));
    for _ in 0..1_000 {
        for (wins, leaf) in wins.iter_mut().zip([judged(&mut long, &start), judged(&mut short, &start)]) {
            *wins += u32::from(leaf.values.of(start.to_move()) >= 1.0);
        }
    }
    assert!(wins.iter().all(|wins| (430..570).contains(wins)), "{wins:?}");
}

#[test]
fn a_short_rollout_asks_its_evaluator_so_many_decisions_later() {
    /// Tells how many tokens are gone, as everybody's value.
    struct Gone;
    impl Evaluate<Take> for Gone {
        fn values(&mut self, position: &Take) -> Values {
            let tokens = (position.key() >> 32) as f32;
            Values([1.0 - tokens / 100.0; MAX_SEATS])
        }
    }
    let position = wide();
    let gone = |guide: &mut ShortRollout<Gone, _>| judged(guide, &position).values.0[0];
    let now = gone(&mut ShortRollout::new(Gone, 0, generator(1)));
    assert!((now - Gone.values(&position).0[0]).abs() < 1e-6);
    let mean = |plies| {
        let mut guide = ShortRollout::new(Gone, plies, generator(1));
        (0..200).map(|_| gone(&mut guide)).sum::<f32>() / 200.0
    };
    assert!(now < mean(2) && mean(2) < mean(8), "{now} {} {}", mean(2), mean(8));
    // So far on, that every game is over.
    let mut guide = ShortRollout::new(|_: &Take| -> Values { panic!("the game is over") }, 500, generator(1));
    let leaf = judged(&mut guide, &position);
    assert!(leaf.values.0.contains(&1.0), "{leaf:?}");
}
