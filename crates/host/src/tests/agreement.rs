use super::seated;
use crate::{HostedGame, PlayError, Status, open_position, open_record};

/// Black owns the left side and White the right side, with a dead black stone on E3.
const LEFT_BEHIND: &str = "go 5 b komi=0 moves=C1,D1,C2,D2,C3,D3,C4,D4,C5,D5,E3,pass";

fn passed(seats: &[&str]) -> Box<dyn HostedGame> {
    let mut game = seated(open_position(LEFT_BEHIND).unwrap(), seats, 1);
    game.play("pass").unwrap();
    game
}

#[test]
fn people_agree_on_dead_stones_before_the_game_is_over() {
    let mut game = passed(&["human", "human"]);
    assert_eq!((game.status(), game.result()), (Status::Scoring, None));
    assert_eq!(game.agreement().dead, ["E3"]);
    let proposed = game.provisional_result().unwrap();
    assert_eq!((proposed.score.as_deref(), proposed.reason.as_str()), (Some("B+5"), "score"));
    assert!(game.view().prompt.starts_with("Click dead stones"), "{}", game.view().prompt);

    game.toggle_dead("e3").unwrap();
    assert_eq!(game.score().unwrap().text, "B+11");
    game.toggle_dead("D2").unwrap();
    assert_eq!((game.agreement().dead.len(), game.score().unwrap().text.as_str()), (5, "B+25"));
    game.toggle_dead("D4").unwrap();
    game.toggle_dead("E3").unwrap();
    for (at, words) in [("A1", "no stone"), ("J9", "expected a point")] {
        let error = game.toggle_dead(at).unwrap_err().to_string();
        assert!(error.contains(words), "{at}: {error}");
    }

    game.accept().unwrap();
    let result = game.result().unwrap();
    assert_eq!((game.status(), result.score.as_deref()), (Status::Over, Some("B+5")));
    let ending = game.view().result.unwrap();
    assert_eq!(
        (ending.reason.as_str(), ending.words.as_str()),
        ("score", "Black wins by 5 (B+5, with E3 counted as dead).")
    );
    let again = open_record(&game.record("agreed", vec!["human".to_owned(); 2])).unwrap();
    assert_eq!((again.result(), again.agreement()), (Some(result), game.agreement()));
}

#[test]
fn games_between_agents_are_scored_as_they_stand() {
    let game = passed(&["random", "random"]);
    assert_eq!(game.status(), Status::Over);
    assert_eq!(game.result().unwrap().score.as_deref(), Some("B+11"));
}

#[test]
fn an_undo_removes_the_agreement() {
    let mut game = passed(&["human", "human"]);
    assert!(game.undo_decision());
    assert_eq!((game.status(), game.agreement().dead.len()), (Status::Playing, 0));
    assert!(matches!(game.toggle_dead("E3"), Err(PlayError::Agreement(_))));
    assert!(matches!(game.accept(), Err(PlayError::Agreement(_))));
}

#[test]
fn a_stored_agreement_is_restored() {
    let mut game = passed(&["human", "human"]);
    game.toggle_dead("E3").unwrap();
    let mut again = seated(open_position(LEFT_BEHIND).unwrap(), &["human", "human"], 1);
    again.restore(game.plies().to_vec()).unwrap();
    again.set_agreement(game.agreement().clone(), false);
    assert_eq!((again.status(), again.view()), (Status::Scoring, game.view()));
}

#[test]
fn ringrift_has_no_agreement() {
    let mut game = seated(super::square8(), &["human", "human"], 1);
    assert!(!game.has_agreement() && game.score().is_none() && game.count().is_none());
    assert!(game.toggle_dead("d4").is_err() && game.accept().is_err());
}
