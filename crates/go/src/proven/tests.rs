use super::*;
use crate::{Points, Score};

#[test]
fn the_set_of_endgame_positions_is_valid() {
    let set = Proven::late5();
    assert!((100..=600).contains(&set.len()), "{}", set.len());
    let mut moves = Vec::new();
    for proven in &set {
        proven.position.legal_moves(&mut moves);
        let listed: Vec<Move> = proven.values.iter().map(|&(m, _)| m).collect();
        assert_eq!(listed, moves, "{proven}");
        assert!(
            (1..moves.len()).contains(&proven.keepers()),
            "some moves keep the value and some do not: {proven}"
        );
    }
    let texts: std::collections::BTreeSet<String> = set.iter().map(Proven::to_string).collect();
    assert_eq!(texts.len(), set.len(), "no position twice");
    assert_eq!(
        Proven::parse_all(&set.iter().map(|proven| format!("{proven}\n")).collect::<String>()),
        Ok(set)
    );
}

#[test]
fn the_cheapest_positions_of_the_set_are_proved_again() {
    check_values(&Proven::late5(), 6);
}

#[test]
#[ignore = "takes a few minutes: proves all positions of the set again"]
fn all_positions_of_the_set_are_proved_again() {
    check_values(&Proven::late5(), 25);
}

/// Proves the positions with at most `empty` empty points again.
fn check_values(set: &[Proven], empty: u32) {
    let mut checked = 0;
    for proven in set.iter().filter(|proven| proven.position.board().empty().len() <= empty) {
        assert_eq!(Proven::prove(&proven.position, u64::MAX).as_ref(), Ok(proven));
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}

#[test]
fn exactly_the_moves_that_keep_the_value_win_the_question() {
    let set = Proven::late5();
    for proven in set.iter().filter(|proven| proven.position.board().empty().len() <= 5).take(10) {
        let question = proven.question();
        let mover = question.turn();
        for &(m, _) in &proven.values {
            let mut after = question.clone();
            after.play(m).unwrap();
            let value = Solver::new(u64::MAX).value(&after).unwrap();
            let lead = Score::from_half_points(2 * value - question.rules().komi.half_points());
            assert_eq!(lead.winner() == Some(mover), proven.keeps(m), "{m} in {proven}");
        }
    }
}

#[test]
fn shares_count_moves_that_keep_the_value() {
    let set = Proven::late5();
    let best = |position: &Position<Small>| {
        let same = |proven: &&Proven| proven.question() == *position;
        let proven = set.iter().find(same).unwrap();
        proven.values.iter().find(|&&(m, _)| proven.keeps(m)).unwrap().0
    };
    let kept = Kept::by(&set[..20], best);
    assert_eq!((kept.asked, kept.kept, kept.lost), (20, 20, 0));
    let passing = Kept::by(&set, |_| Move::PASS);
    let expected = set.iter().filter(|proven| proven.keeps(Move::PASS)).count();
    assert_eq!(passing.kept as usize, expected);
    assert!(passing.share() < 1.0 && passing.lost > 0);
}

#[test]
fn an_error_names_its_line() {
    let fault = Proven::parse_all("# a comment\ngo 5 b : A1=x").unwrap_err();
    assert_eq!(fault.to_string(), "line 2: \"x\": expected an integer");
}
