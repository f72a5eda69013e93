//! Random play.

use game::toy::TakeMove;

use super::toy::{generator, wide};
use crate::{Agent, Limits, Random, Stop};

#[test]
fn the_random_agent_is_fair_and_repeatable() {
    let stop = Stop::default();
    let play = |seed| {
        let mut agent = Random::new(generator(seed));
        let stops =
            (0..1_000).filter(|_| agent.think(&wide(), &Limits::nodes(0), &stop).best == TakeMove::Stop);
        stops.count()
    };
    assert!((400..600).contains(&play(1)));
    assert_eq!(play(1), play(1));
}
