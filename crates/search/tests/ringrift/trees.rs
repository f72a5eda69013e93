//! Tree searches in RingRift with heuristic leaf evaluation.

use eval::{Heuristic, Persona};
use game::{Game, Seat, Setup, ValuesOnly, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Kind, Position, Rules, Square8, on_board};
use search::{
    Agent, Greedy, Gumbel, GumbelOptions, HeuristicPrior, Limits, Mcts, MctsOptions, RootNoise, Stop,
    Widening,
};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn heuristic<B: Geometry>() -> Heuristic<B> {
    Heuristic::new(Persona::Balanced)
}

/// Searches of every kind.
fn agents<B: Geometry>(seed: u64) -> Vec<Box<dyn Agent<Position<B>>>> {
    let rng = || generator(seed);
    let prior = || HeuristicPrior::new(ValuesOnly(heuristic::<B>()), 5.0);
    let plain = MctsOptions { reuse: false, ..MctsOptions::default() };
    let with_all = MctsOptions {
        noise: Some(RootNoise::default()),
        widening: Some(Widening::default()),
        rave: Some(50.0),
        batch: 4,
        ..plain
    };
    vec![
        Box::new(Mcts::new(ValuesOnly(heuristic::<B>()), rng(), plain)),
        Box::new(Mcts::new(prior(), rng(), with_all)),
        Box::new(Gumbel::new(ValuesOnly(heuristic::<B>()), rng(), GumbelOptions::default())),
        Box::new(Gumbel::new(
            prior(),
            rng(),
            GumbelOptions { noise: 1.0, batch: 4, ..GumbelOptions::default() },
        )),
    ]
}

/// A position with a choice, some random moves after the start.
fn middle<B: Geometry>(rules: &Rules, moves_played: u32, seed: u64) -> Position<B> {
    let (mut rng, mut moves) = (generator(seed), Vec::new());
    let mut position = Position::<B>::new(rules);
    for played in 0.. {
        position.legal_moves(&mut moves);
        if played >= moves_played && moves.len() > 1 {
            break;
        }
        position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
    }
    position
}

#[test]
fn searches_of_every_board_and_number_of_seats_are_sound() {
    for (board, seats) in Board::ALL.into_iter().flat_map(|board| (2..=4).map(move |seats| (board, seats))) {
        on_board!(board, B => {
            let position = middle::<B>(&Rules { rings: Some(4), ..Rules::new(seats) }, 12, 3);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mut agent in agents::<B>(1) {
                let report = agent.think(&position, &Limits::nodes(60), &Stop::default());
                let decided = report.candidates.iter().any(|candidate| candidate.solved);
                assert!(report.nodes == 60 || (decided && report.nodes < 60), "{position:?}: {}", report.nodes);
                let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
                assert_eq!(visits, report.nodes, "{position:?}");
                let mut listed: Vec<_> = report.candidates.iter().map(|candidate| candidate.m).collect();
                listed.sort_unstable();
                moves.sort_unstable();
                assert_eq!(listed, moves, "{position:?}");
                let mut line = position;
                for &m in &report.line {
                    line.play(m).expect("the line is legal");
                }
                let policy: f32 = report.candidates.iter().filter_map(|candidate| candidate.policy).sum();
                assert!((policy - 1.0).abs() < 1e-4, "{policy}");
            }
        });
    }
}

#[test]
fn a_swap_is_taken_exactly_if_the_other_seat_is_worth_more() {
    for (credits, swaps) in [("17,0", true), ("0,17", false)] {
        let position = Position::<Square8>::from_text(&format!(
            "square8 2 2:ring_placement hands=10,10 credits={credits} cells=d4:1,e5:2,d5:1 swap=open turn=1"
        ))
        .expect("a position");
        // Without a policy, Gumbel search considers only sixteen moves, which need not include the swap.
        let prior = || HeuristicPrior::new(ValuesOnly(heuristic()), 15.0);
        let agents: [Box<dyn Agent<_>>; 3] = [
            Box::new(Mcts::new(ValuesOnly(heuristic()), generator(1), MctsOptions::default())),
            Box::new(Mcts::new(prior(), generator(1), MctsOptions::default())),
            Box::new(Gumbel::new(prior(), generator(1), GumbelOptions::default())),
        ];
        for mut agent in agents {
            let report = agent.think(&position, &Limits::nodes(1_000), &Stop::default());
            assert_eq!(report.best.kind() == Kind::SwapSides, swaps, "{credits}: {report:?}");
            // In the parent's seat order: the participant who may swap has the advantage either way.
            let best = report.candidates[0].values.expect("searched");
            assert!(best.of(position.to_move()) > 0.0, "{credits}: {report:?}");
        }
    }
}

/// How many of sixteen games a search wins against a one-ply search with the same heuristic.
fn wins(build: impl Fn(u64) -> Box<dyn Agent<Position<Square8>>>) -> usize {
    let mut won = 0;
    for game in 0..16 {
        let searcher = Seat::new(game as usize % 2);
        let mut players: [Box<dyn Agent<_>>; 2] =
            [build(game), Box::new(Greedy::new(ValuesOnly(heuristic()), generator(game + 100)))];
        // Every opening is played from both sides.
        let mut position = middle::<Square8>(&Rules::new(2), 4, game / 2);
        while !position.is_over() {
            let player = usize::from(position.to_move() != searcher);
            let report = players[player].think(&position, &Limits::nodes(200), &Stop::default());
            position.play(report.best).expect("agents play legal moves");
        }
        won += usize::from(position.outcome().and_then(|outcome| outcome.winner()) == Some(searcher));
    }
    won
}

#[test]
fn searches_beat_one_ply_with_the_same_heuristic() {
    let prior = || HeuristicPrior::new(ValuesOnly(heuristic()), 15.0);
    let mcts = wins(|seed| Box::new(Mcts::new(prior(), generator(seed), MctsOptions::default())));
    assert!(mcts >= 11, "mcts won {mcts} of 16");
    let gumbel = wins(|seed| Box::new(Gumbel::new(prior(), generator(seed), GumbelOptions::default())));
    assert!(gumbel >= 11, "gumbel won {gumbel} of 16");
}
