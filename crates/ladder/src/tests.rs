//! Specifications, levels, and agents made from them.

use game::{Game, Seat, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Position, Rules, Square8, on_board};
use search::Stop;

use crate::{Level, Playable, Player, Spec, Tier, Venue};

const SQUARE8: Venue = Venue::RingRift { board: Board::Square8, seats: 2 };

#[test]
fn specifications_are_read_back_as_written() {
    let list = "random,heuristic,heuristic(profile=defensive),mcts(sims=50),mcts(sims=7,seconds=0.5),d1,d10,\
                d7(randomness=0.1)";
    let specs = Spec::list(list).unwrap();
    assert_eq!(specs.iter().map(Spec::to_string).collect::<Vec<_>>().join(","), list);
    assert_eq!("heuristic(profile=balanced)".parse::<Spec>().unwrap().to_string(), "heuristic");
    assert_eq!("mcts".parse::<Spec>().unwrap().to_string(), "mcts(sims=400)");
    assert_eq!(
        "mcts(mcts_simulations=9, think_time=1500)".parse::<Spec>().unwrap().to_string(),
        "mcts(sims=9,seconds=1.5)"
    );
}

#[test]
fn what_is_no_agent_is_refused_with_the_reason() {
    for (text, part) in [
        ("robot", "robot"),
        ("d0", "d10"),
        ("d11", "d10"),
        ("d07", "d10"),
        ("mcts(sims=0)", "sims=0"),
        ("mcts(sims=-4)", "sims=-4"),
        ("mcts(sims=9", "parenthesis"),
        ("mcts(speed=9)", "sims"),
        ("random(sims=3)", "seed"),
        ("mcts(seconds=0)", "seconds=0"),
        ("mcts(seconds=-1)", "seconds=-1"),
        ("mcts(seconds=NaN)", "seconds=NaN"),
        ("heuristic(profile=bold)", "territorial"),
        ("heuristic(aggressive)", "aggressive"),
        ("heuristic(randomness=1.5)", "from 0 to 1"),
    ] {
        let error = text.parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(Spec::list("random,,random").is_err());
    let level: Spec = "d1(sims=3)".parse().unwrap();
    let error = Player::new(&level, SQUARE8).unwrap_err().to_string();
    assert!(error.contains("random has no setting \"sims\""), "{error}");
}

#[test]
fn a_resolved_agent_says_everything_and_is_read_back() {
    for spec in ["random", "heuristic", "mcts", "d2", "d9"] {
        let player = Player::new(&spec.parse().unwrap(), SQUARE8).unwrap();
        let resolved = player.config.resolved();
        let Spec::Agent(again) = resolved.parse().unwrap() else { panic!("{resolved} is a kind") };
        assert_eq!(again, player.config, "{resolved}");
    }
}

#[test]
fn every_level_of_every_venue_has_an_agent_and_budgets_never_fall() {
    for venue in Venue::all() {
        let tiers: Vec<Tier> = Level::all().map(|level| Tier::at(level, venue)).collect();
        for tier in &tiers {
            assert_eq!(tier.budget.is_some(), tier.kind.searches(), "{tier:?}");
            assert!((0.0..=1.0).contains(&tier.randomness), "{tier:?}");
        }
        assert!(tiers.is_sorted_by(|low, high| low.think_time <= high.think_time), "{venue}");
        assert!(
            tiers.is_sorted_by(|low, high| low.randomness >= high.randomness || low.level.difficulty() == 1)
        );
    }
}

#[test]
fn agents_of_every_board_and_number_of_seats_are_sound() {
    for (board, seats) in Board::ALL.into_iter().flat_map(|board| (2..=4).map(move |seats| (board, seats))) {
        on_board!(board, B => {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            let mut moves = Vec::new();
            let mut position = Position::<B>::new(&Rules { rings: Some(3), ..Rules::new(seats) });
            for _ in 0..10 {
                position.legal_moves(&mut moves);
                position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
            }
            position.legal_moves(&mut moves);
            for spec in ["random", "heuristic(profile=territorial)", "mcts(sims=25)"] {
                let player = Player::new(&spec.parse().unwrap(), position.venue()).unwrap();
                let report = player.agent(1).think(&position, &player.limits(), &Stop::default());
                assert!(moves.contains(&report.best), "{spec}: {position:?}");
                assert_eq!(report.candidates.len(), moves.len(), "{spec}: {position:?}");
                assert!(report.values.is_some() || moves.len() == 1 || spec == "random", "{spec}: {position:?}");
            }
        });
    }
}

#[test]
fn randomness_is_the_chance_of_any_move() {
    let position = Position::<Square8>::new(&Rules::new(2));
    let engines = |randomness: &str| {
        let spec = format!("heuristic(randomness={randomness})").parse().unwrap();
        let player = Player::new(&spec, position.venue()).unwrap();
        let mut agent = player.agent(5);
        (0..400)
            .filter(|_| agent.think(&position, &player.limits(), &Stop::default()).engine == "random")
            .count()
    };
    assert_eq!((engines("0"), engines("1")), (0, 400));
    assert!((90..150).contains(&engines("0.3")));
}

/// Games out of ten that an agent wins against random play.
fn wins_against_random(spec: &str, rings: Option<u16>) -> usize {
    let rules = Rules { rings, ..Rules::new(2) };
    let mut won = 0;
    for seed in 0..10 {
        let searcher = Seat::new((seed % 2) as usize);
        let mut position = Position::<Square8>::new(&rules);
        let players = [spec, "random"].map(|spec| Player::new(&spec.parse().unwrap(), SQUARE8).unwrap());
        let mut agents = players.each_ref().map(|player| player.agent(seed));
        while !position.is_over() {
            let mover = usize::from(position.to_move() != searcher);
            let report = agents[mover].think(&position, &players[mover].limits(), &Stop::default());
            position.play(report.best).unwrap();
        }
        won += usize::from(position.outcome().unwrap().winner() == Some(searcher));
    }
    won
}

#[test]
fn searches_and_the_heuristic_beat_random_play() {
    // Small hands, because a search takes its time; the heuristic's weights are for full ones.
    for (spec, rings) in [("mcts(sims=60)", Some(5)), ("heuristic", None)] {
        let won = wins_against_random(spec, rings);
        assert!(won >= 8, "{spec} won {won} of 10");
    }
}
