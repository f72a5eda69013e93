use super::{small_go, square8};
use crate::{Highlight, Ink, Marks};

#[test]
fn a_typed_prompt_includes_the_notation() {
    let game = square8();
    assert!(
        game.prompt(true).starts_with("Place one to three rings on an empty cell (+d4, ++d4, +++d4), or")
    );
    assert!(
        game.prompt(false).starts_with("Place one to three rings on an empty cell, or one on any stack.")
    );
    let mut go = small_go();
    go.play("pass").unwrap();
    assert_eq!(go.prompt(false), "Black has passed: another pass ends the game. White to play.");
    assert!(go.prompt(true).ends_with("Put a stone on a point (D4), or pass."));
}

#[test]
fn a_drawing_marks_cells_with_signs_or_by_the_painter() {
    let mut game = square8();
    game.play("++d4").unwrap();
    let marks = Marks { changed: game.changed_since(0), targets: vec!["d5".to_owned()] };
    assert_eq!(marks.changed, ["d4"]);
    let plain = game.drawing(&marks, None);
    assert!(plain.contains("11'") && plain.contains(".?"), "{plain}");
    let painted = game.drawing(
        &marks,
        Some(&|ink, highlight, text| match (ink, highlight) {
            (Ink::Piece(seat), Some(Highlight::Changed)) => format!("{}!", seat.number()),
            _ => text.to_owned(),
        }),
    );
    assert!(painted.contains("1!1!"), "{painted}");
    assert!(game.standing(&["you".to_owned()], None).contains("> seat 1      16       0 of"));
    assert!(game.changed_since(1).is_empty());
}

#[test]
fn moves_are_found_by_prefix_and_listed_with_descriptions() {
    let game = square8();
    let found = game.matching("d4");
    assert_eq!(found.len(), 3);
    assert_eq!(game.move_lines(&found)[0], "+d4     places 1 ring on d4");
    assert_eq!(game.targets(found[0]), ["d4"]);
    assert_eq!(game.spelled(found[1]), "++d4 (places 2 rings on d4)");
    assert_eq!(crate::spelled("E5", "plays E5"), "E5");
    assert_eq!(crate::spelled("E5", "plays E5 and captures 2 stones"), "E5 (captures 2 stones)");
    assert_eq!(crate::spelled("pass", "passes"), "pass");
}
