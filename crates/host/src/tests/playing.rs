use super::{configs, next, seated, small_go, square8};
use crate::{PlayError, Status, open_position, open_record};

/// Plays up to `max` random moves, by index.
fn play_randomly(game: &mut dyn crate::HostedGame, random: &mut u64, max: usize) {
    for _ in 0..max {
        let legal = game.legal_moves().len();
        if legal == 0 {
            return;
        }
        game.play_index(next(random) % legal).unwrap();
    }
}

#[test]
fn a_game_of_any_kind_is_played_recorded_and_reopened() {
    let mut random = 7;
    for config in configs() {
        let mut game = crate::open(&config).unwrap();
        play_randomly(game.as_mut(), &mut random, 120);
        let record = game.record("random", vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(record.config, config);
        let again = open_record(&record).unwrap();
        assert_eq!((again.text(), again.view()), (game.text(), game.view()), "{config}");
        assert_eq!(again.plies(), game.plies());
        // The position alone continues in the same way.
        let here = open_position(&game.text()).unwrap();
        assert_eq!(here.legal_moves(), game.legal_moves(), "{config}");
        assert_eq!(here.status(), game.status());
    }
}

#[test]
fn legal_moves_are_generated_once_per_position() {
    for config in configs() {
        let mut game = crate::open(&config).unwrap();
        for ply in 0..40 {
            let view = game.view();
            assert_eq!(view.moves, game.legal_moves());
            let text = view.moves[ply * 7 % view.moves.len()].text.clone();
            let index = game.find_move(&text).unwrap();
            game.prompt(true);
            game.bookkeeping_move();
            game.matching("");
            assert_eq!(game.legal_moves()[index].text, text);
            assert_eq!(game.generations(), ply as u64 + 1, "{config} {text}");
            game.play(&text).unwrap();
            if game.status() != Status::Playing {
                break;
            }
        }
    }
}

#[test]
fn bookkeeping_is_never_one_of_several_moves() {
    let mut random = 3;
    for config in configs() {
        let mut game = crate::open(&config).unwrap();
        for _ in 0..300 {
            let legal = game.legal_moves().len();
            if legal == 0 {
                break;
            }
            assert!(legal == 1 || (0..legal).all(|index| !game.is_bookkeeping(index)), "{}", game.text());
            game.play_index(next(&mut random) % legal).unwrap();
        }
    }
}

#[test]
fn undo_restores_every_earlier_position() {
    let mut random = 11;
    for config in configs() {
        let mut game = crate::open(&config).unwrap();
        let mut views = vec![game.view()];
        for _ in 0..60 {
            let legal = game.legal_moves().len();
            if legal == 0 {
                break;
            }
            game.play_index(next(&mut random) % legal).unwrap();
            views.push(game.view());
        }
        let end = game.plies().len();
        assert_eq!(game.at(end / 2).unwrap().view(), views[end / 2]);
        assert!(game.at(end + 1).is_none());
        for ply in (0..end).rev() {
            assert!(game.undo());
            assert_eq!(game.view(), views[ply], "{config}, ply {ply}");
        }
        assert!(!game.undo());
    }
}

#[test]
fn an_illegal_move_changes_nothing_and_is_explained() {
    let mut game = square8();
    let before = game.view();
    for (text, words) in [("+z9", "is no move"), ("d4-d6", "is not legal"), ("", "is no move")] {
        let error = game.play(text).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    let Err(PlayError::Illegal { advice, .. }) = game.play("d4-d6") else { panic!("nothing stands there") };
    assert!(advice.starts_with("Not now. Place one to three rings"), "{advice}");
    assert!(matches!(game.play_index(9_999), Err(PlayError::Index { .. })));
    assert_eq!((game.view(), game.revision()), (before, 0));
}

#[test]
fn an_undo_takes_back_the_last_decision_of_a_person() {
    let mut game = seated(square8(), &["human", "human"], 1);
    assert!(!game.can_undo_decision() && !game.undo_decision());
    game.play("+d4").unwrap();
    let after_first = game.text();
    game.play("d4-d6").unwrap();
    assert!(game.play_bookkeeping() > 0, "a turn ends with bookkeeping moves");
    assert!(game.undo_decision());
    assert_eq!(game.text(), after_first, "bookkeeping moves are no decisions");
    game.forfeit(game::ForfeitKind::Resignation);
    assert_eq!(game.status(), Status::Over);
    assert!(game.undo_decision());
    assert_eq!((game.text(), game.status()), (after_first, Status::Playing), "a resignation is a decision");
}

#[test]
fn participants_change_seats_by_the_pie_rule() {
    let mut game = seated(square8(), &["human", "random"], 1);
    for text in ["+d4", "d4-d6"] {
        game.play(text).unwrap();
    }
    game.play_bookkeeping();
    assert_eq!(game.to_move().unwrap().number(), 2);
    assert!(game.thinker().is_some(), "the agent is to move");
    game.play("swap").unwrap();
    game.play_bookkeeping();
    let seats: Vec<String> =
        game::Seat::all(2).map(|seat| game.occupant(seat).unwrap().to_string()).collect();
    assert_eq!(seats, ["random", "human"]);
    assert_eq!(game.participants()[0].to_string(), "human");
    assert_eq!(game.to_move().unwrap().number(), 2);
    assert!(game.thinker().is_none(), "the person sits in seat 2 now");
    while game.plies().iter().any(|ply| ply.text == "swap") {
        assert!(game.undo());
    }
    assert!(game.occupant(game::Seat::FIRST).unwrap().is_human(), "undone with the swap");
}

#[test]
fn a_resigned_game_has_a_result_and_no_moves() {
    let mut game = seated(small_go(), &["human", "human"], 1);
    game.play("C3").unwrap();
    game.forfeit(game::ForfeitKind::Resignation);
    let view = game.view();
    assert_eq!((view.to_move, view.moves.len()), (None, 0));
    assert_eq!(view.result.unwrap().words, "Black wins by resignation.");
    assert_eq!(game.play("D3").map(|_| ()), Err(PlayError::Over));
    let record = game.record("resigned", vec!["human".to_owned(); 2]);
    let again = open_record(&record).unwrap();
    assert_eq!((again.result(), again.status()), (game.result(), Status::Over));
}

#[test]
fn stored_moves_are_restored_with_their_statistics() {
    let mut game = seated(small_go(), &["human", "mcts(sims=20)"], 5);
    game.play("C3").unwrap();
    let mut thinker = game.thinker().unwrap();
    let limits = thinker.player().limits();
    let report = thinker.think(&limits, 3, &search::Stop::default(), &mut |_| ());
    game.play_report(&report).unwrap();
    let mut again = seated(small_go(), &["human", "mcts(sims=20)"], 5);
    again.restore(game.plies().to_vec()).unwrap();
    assert_eq!((again.plies(), again.view()), (game.plies(), game.view()));
    assert_eq!(again.plies()[1].values, report.values);
    let record = again.record("stored", vec!["human".to_owned(); 2]);
    assert_eq!((record.stats.len(), record.stats[0].visits), (1, Some(report.nodes)));
    let wrong = game.plies()[..1].to_vec();
    assert!(again.restore(wrong).is_err(), "there is a stone already");
}
