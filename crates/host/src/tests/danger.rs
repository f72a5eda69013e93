//! Threats, turning points and explanations.

use game::Seat;
use ladder::{Player, WithoutNet};
use search::{Limits, Stop};

use super::{next, square8};
use crate::{HostedGame, Status, open_position};

/// Seat 2 can close the corner of seat 1's only stack, and claim everything else.
const CORNERED: &str =
    "square8 2 1:ring_placement hands=3,3 credits=0,0 cells=a1:1,a3*2,b3*2,c2*2,c1:2,h8:2 turn=20";

fn threats(text: &str) -> crate::view::ThreatsView {
    open_position(text).unwrap().threats(&Stop::default())
}

#[test]
fn an_opponent_that_can_claim_the_board_is_a_threat() {
    let found = threats(CORNERED);
    let [threat] = &found.threats[..] else { panic!("{found:?}") };
    assert_eq!(threat.seat, 2);
    assert!(threat.wins && threat.cells.len() > 33, "{threat:?}");
    assert!(threat.words.starts_with("Seat 2 can claim "), "{}", threat.words);
    assert!(threat.words.ends_with(", and win next turn."), "{}", threat.words);
    assert!(threat.by.as_ref().is_some_and(|by| by.steps.len() == 2), "{threat:?}");
    assert!(found.risks.is_empty(), "rings are placed first");
}

#[test]
fn a_move_that_allows_a_loss_is_a_risk() {
    let mut game = open_position(CORNERED).unwrap();
    game.play("+d5").unwrap();
    let found = game.threats(&Stop::default());
    let legal: Vec<&str> = game.legal_moves().iter().map(|offer| offer.text.as_str()).collect();
    assert!(found.risks.iter().all(|risk| legal.contains(&risk.text.as_str())), "{found:?}");
    assert!(!found.risks.is_empty());
    // What the search calls a risk is one: the opponent really wins after it, and after no other move. Trying everything is
    // slow, so a few moves must do.
    for text in legal.into_iter().step_by(6) {
        let mut after = game.fork();
        after.play(text).unwrap();
        after.play_bookkeeping();
        let risk = found.risks.iter().find(|risk| risk.text == text);
        if after.status() == Status::Playing && after.to_move() == Some(Seat::new(1)) {
            assert_eq!(can_win(after.as_ref()), risk.is_some_and(|risk| risk.wins), "{text}: {risk:?}");
        }
    }
}

/// Whether the seat to move can win in this turn, by trying everything.
fn can_win(game: &dyn HostedGame) -> bool {
    let seat = game.to_move();
    (0..game.legal_moves().len()).any(|index| {
        let mut after = game.fork();
        after.play_index(index).unwrap();
        match after.result() {
            Some(result) => result.winner.and_then(Seat::from_number) == seat,
            None => after.to_move() == seat && can_win(after.as_ref()),
        }
    })
}

#[test]
fn a_quiet_position_has_no_threats() {
    assert_eq!(square8().threats(&Stop::default()), crate::view::ThreatsView::default());
    assert_eq!(super::small_go().threats(&Stop::default()), crate::view::ThreatsView::default());
}

#[test]
fn threats_of_random_positions_can_be_carried_out() {
    let mut random = 11;
    let mut seen = 0;
    for _ in 0..6 {
        let mut game = square8();
        while game.status() == Status::Playing {
            if game.plies().len().is_multiple_of(5) {
                for threat in game.threats(&Stop::default()).threats {
                    assert_ne!(Some(threat.seat), game.to_move().map(Seat::number));
                    assert!(threat.wins || threat.cells.len() >= 9 || threat.rings >= 5, "{threat:?}");
                    seen += 1;
                }
            }
            let legal = game.legal_moves().len();
            game.play_index(next(&mut random) % legal).unwrap();
        }
    }
    assert!(seen > 0, "random games have threats");
}

/// Plays random games until seat 1 has lost `count` of them.
fn lost_games(count: usize) -> Vec<Box<dyn HostedGame>> {
    let mut random = 5;
    let mut lost = Vec::new();
    while lost.len() < count {
        let mut game = square8();
        while game.status() == Status::Playing {
            let legal = game.legal_moves().len();
            game.play_index(next(&mut random) % legal).unwrap();
        }
        if game.result().is_some_and(|result| result.winner == Some(2)) {
            lost.push(game);
        }
    }
    lost
}

#[test]
fn a_turning_point_is_a_turn_of_the_loser_with_a_better_one() {
    let spec = "minimax(nodes=2000)".parse().unwrap();
    let mut proven = 0;
    for game in lost_games(6) {
        let player = Player::new(&spec, game.venue(), WithoutNet::FallBack).unwrap();
        let limits = Limits::nodes(2_000);
        let judge = |seat| game.turning_point(Seat::new(seat), &player, &limits, &Stop::default());
        assert_eq!(judge(1), None, "the winner has not lost");
        let Some(point) = judge(0) else { continue };
        let ply = &game.plies()[point.ply];
        assert_eq!((ply.seat, ply.turn), (1, point.turn));
        assert_ne!(point.played, point.better);
        assert!(!point.played.is_empty() && !point.better.is_empty(), "{point:?}");
        proven += usize::from(point.proven);
        if point.proven {
            assert!(point.consequence.contains("win"), "{point:?}");
        }
    }
    assert!(proven > 0, "some losses could have been avoided in the last turn");
}

#[test]
fn the_end_of_a_game_is_explained() {
    for game in lost_games(4) {
        let ending = game.ending().unwrap();
        assert!(
            ending.explanation.starts_with("Seat 2 ") || ending.explanation.contains("seat 2"),
            "{ending:?}"
        );
    }
    let mut resigned = square8();
    resigned.forfeit(game::ForfeitKind::Resignation);
    assert_eq!(resigned.ending().unwrap().explanation, "");
}

#[test]
fn territory_that_wins_is_more_than_all_others_have() {
    let text = "square8 3 1:ring_placement hands=3,3,3 credits=0,0,0 \
                cells=a1#1,b1#1,c1#1,d1#1,e1#1,f1#1,g1#1,h1#1,a2#1,b2#1,c2#1,d2#1,e2#1,f2#1,g2#1,h2#1,a3#1,b3#1,c3#1,\
                d3#1,e3#1,f3#1,a8#2,b8#2,c8#2,d8#2,e8#2,f8#2,g8#2,h8#2,a7#2,b7#2,c7#2,d7#2,a6#3,b6#3,c6#3,d6#3,e6#3,\
                f6#3,g6#3,h6#3,a5#3,b5#3";
    let view = open_position(text).unwrap().view();
    let needed: Vec<_> =
        view.players.iter().map(|player| (player.territory, player.territory_to_win)).collect();
    assert_eq!(needed, [(Some(22), Some(23)), (Some(12), Some(33)), (Some(10), Some(35))]);
}
