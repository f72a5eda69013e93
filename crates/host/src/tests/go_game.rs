use go::{Colour, Komi, Move, Point};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Limits, Stop};

use super::{seated, small_go, square8};
use crate::{ChainStatus, Estimate};

fn at(name: &str) -> Move {
    Move::at(Point::parse(name).unwrap())
}

#[test]
fn only_go_is_go() {
    assert!(square8().as_go().is_none() && square8().as_go_mut().is_none());
    assert!(small_go().as_go().is_some());
}

#[test]
fn a_colour_may_move_out_of_turn_and_every_move_can_be_undone() {
    let mut game = small_go();
    let mut texts = vec![game.text()];
    let moves = [
        (Colour::Black, at("C3")),
        (Colour::Black, at("C2")),
        (Colour::White, at("D2")),
        (Colour::White, Move::PASS),
        (Colour::White, at("D3")),
        (Colour::Black, Move::PASS),
        (Colour::White, Move::PASS),
        (Colour::White, Move::PASS),
        (Colour::Black, at("B1")),
    ];
    for (colour, m) in moves {
        game.as_go_mut().unwrap().play_as(colour, m).unwrap();
        texts.push(game.text());
    }
    assert!(game.as_go_mut().unwrap().play_as(Colour::White, at("C3")).is_err(), "there is a stone");
    for text in texts.iter().rev().skip(1) {
        assert!(game.undo());
        assert_eq!(game.text(), *text);
    }
}

#[test]
fn komi_and_handicap_change_a_running_game() {
    let mut game = small_go();
    let go = game.as_go_mut().unwrap();
    assert!(go.is_untouched());
    assert!(go.place_handicap(&["B2", "D4"].map(|name| Point::parse(name).unwrap())));
    assert!(!go.is_untouched());
    assert_eq!((go.turn(), go.empty_points()), (Colour::White, 23));
    go.play_as(Colour::White, at("C3")).unwrap();
    go.set_komi(Komi::from_half_points(1));
    assert_eq!((go.rules().komi.half_points(), go.empty_points(), go.prisoners()), (1, 22, [0, 0]));
    assert_eq!(game.plies().len(), 1);
}

#[test]
fn chains_have_a_status_that_determines_the_score() {
    let text = "go 5 b komi=0 moves=C1,D1,C2,D2,C3,D3,C4,D4,C5,D5,E3,pass,pass";
    let mut game = crate::open_position(text).unwrap();
    let go = game.as_go_mut().unwrap();
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
    let mut estimate = Estimate { playouts: 400, rng };
    assert_eq!(go.estimated_score(&mut estimate).to_string(), "B+5");
    assert_eq!(go.chains(ChainStatus::Dead, &mut estimate), [[Point::parse("E3").unwrap()]]);
    assert_eq!(go.chains(ChainStatus::Alive, &mut estimate).len(), 2);
    assert!(go.chains(ChainStatus::Seki, &mut estimate).is_empty());
}

#[test]
fn the_agent_of_either_colour_thinks_out_of_turn() {
    let mut game = seated(small_go(), &["mcts(sims=50)", "random"], 1);
    let go = game.as_go_mut().unwrap();
    for (colour, engine) in [(Colour::White, "random"), (Colour::Black, "mcts")] {
        let report = go.think_as(colour, &Limits::nodes(50), &Stop::default(), &mut |_| ()).unwrap();
        assert_eq!(report.engine, engine);
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        let m = go.decide(colour, &report, false, &mut Estimate { playouts: 50, rng });
        go.play_as(colour, m).unwrap();
    }
    let mut unseated = small_go();
    let go = unseated.as_go_mut().unwrap();
    assert!(go.think_as(Colour::Black, &Limits::nodes(1), &Stop::default(), &mut |_| ()).is_none());
}
