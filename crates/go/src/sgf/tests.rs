use game::{Game, testkit};
use proptest::prelude::*;

use super::*;
use crate::{Ko, Komi, Large, Medium, Scoring, Small};

fn one(text: &str) -> GameTree {
    GameTree::read(text).unwrap_or_else(|error| panic!("{text}: {error}")).remove(0)
}

fn last<P: Points>(tree: &GameTree) -> Position<P> {
    tree.position(tree.main_line().last().unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_record_is_replayed() {
    let tree = one("(;GM[1]FF[4]SZ[9]KM[6.5]RU[japanese]PB[Ann]PW[Bob]RE[W+2.5]
        ;B[ee];W[ec]C[a keima \\[or not\\]];B[];W[tt])");
    assert_eq!(tree.names, ["Ann", "Bob"]);
    assert_eq!(tree.result.unwrap().to_string(), "W+2.5");
    assert_eq!(tree.rules, Rules { size: 9, ..Rules::japanese(9) });
    let position: Position<Medium> = last(&tree);
    assert!(position.is_over(), "both ways to pass are understood");
    assert_eq!(position.board().colour(Point::parse("E5").unwrap()), Some(Colour::Black));
    assert_eq!(position.board().colour(Point::parse("E7").unwrap()), Some(Colour::White));
    let second = tree.main_line().nth(2).unwrap();
    assert_eq!(tree.node(second).comment, "a keima [or not]");
}

#[test]
fn variations_are_kept_in_their_order() {
    let text = "(;SZ[5];B[cc](;W[bb];B[dd])(;W[dd](;B[bb])(;B[aa])))";
    let tree = one(text);
    assert_eq!(tree.node_count(), 7);
    let after_first = tree.main_line().nth(1).unwrap();
    let variations = tree.variations(after_first);
    assert_eq!(variations.len(), 2);
    let other: Position<Small> = tree.position(tree.variations(variations[1])[1]).unwrap();
    assert_eq!(other.board().colour(Point::parse("A5").unwrap()), Some(Colour::Black));
    assert!(tree.write().ends_with(";B[cc](;W[bb];B[dd])(;W[dd](;B[bb])(;B[aa])))\n"), "{}", tree.write());
}

#[test]
fn set_up_stones_may_come_at_the_start_and_later() {
    let tree = one("(;SZ[5]AB[aa:ca][cc]AW[ee]PL[W];W[dd];AE[aa]AW[ba]PL[B];B[aa])");
    let position: Position<Small> = last(&tree);
    assert_eq!(
        position.draw(),
        "5 X O X . .\n4 . . . . .\n3 . . X . .\n2 . . . O .\n1 . . . . O\n  A B C D E\n"
    );
    assert_eq!(position.moves_played(), 1, "the history restarted");
}

#[test]
fn handicap_is_fixed_or_free() {
    let fixed = one("(;SZ[19]HA[2]AB[dp][pd];W[dd])");
    assert_eq!(fixed.rules.handicap, 2);
    assert_eq!(last::<Large>(&fixed).start(), Start::normal(&fixed.rules));
    let free = one("(;SZ[19]HA[2]AB[aa][bb];W[dd])");
    assert_eq!(free.rules.handicap, 2);
    assert_eq!(last::<Large>(&free).start().to_move, Colour::White);
    let without_stones = one("(;SZ[19]HA[2]KM[0.5];B[dd])");
    assert_eq!(without_stones.rules.handicap, 0);
    assert_eq!(one("(;SZ[5]HA[2]AB[aa][bb];W[dd])").rules.handicap, 0, "5×5 has no fixed handicap");
    assert_eq!(one("(;SZ[19]HA[0];B[dd])").rules.handicap, 0);
}

#[test]
fn the_first_player_is_given_or_inferred() {
    let mover = |text| one(text).position::<Small>(NodeId(0)).unwrap().turn();
    assert_eq!(mover("(;SZ[5])"), Colour::Black);
    assert_eq!(mover("(;SZ[5];W[aa])"), Colour::White);
    assert_eq!(mover("(;SZ[5]PL[W])"), Colour::White);
    assert_eq!(mover("(;SZ[7]HA[2]AB[cc][ee])"), Colour::White);
}

#[test]
fn moves_out_of_turn_and_after_the_end_are_replayed() {
    assert_eq!(last::<Small>(&one("(;SZ[5];B[aa];B[bb];W[cc])")).moves_played(), 4);
    let resumed: Position<Small> = last(&one("(;SZ[5];B[aa];W[];B[];W[];B[cc])"));
    assert_eq!(resumed.board().stones(Colour::Black).len(), 2);
    let twice: Position<Small> = last(&one("(;SZ[5];B[aa];W[];W[bb])"));
    assert_eq!(twice.board().stones(Colour::White).len(), 1);
    for text in ["(;SZ[5];B[aa];B[])", "(;SZ[5];B[aa];W[];W[])"] {
        assert!(!last::<Small>(&one(text)).is_over(), "{text}: only one colour has passed");
    }
}

#[test]
fn every_rule_set_reads_back() {
    for ko in [Ko::Positional, Ko::Situational, Ko::Simple] {
        for suicide in [false, true] {
            for scoring in [Scoring::Area, Scoring::Territory] {
                let rules =
                    Rules { size: 7, komi: Komi::from_half_points(-3), ko, suicide, scoring, handicap: 0 };
                assert_eq!(one(&GameTree::new(&rules).write()).rules, rules);
            }
        }
    }
}

fn check_error(text: &str, expected: &str) {
    let error = GameTree::read(text).and_then(|trees| {
        let tree = &trees[0];
        tree.position::<Large>(tree.main_line().last().unwrap_or(tree.root())).map(drop)
    });
    assert_eq!(error.map_err(|error| error.to_string()), Err(expected.to_owned()), "{text}");
}

#[test]
fn errors_name_the_node_and_the_cause() {
    check_error("", "not an SGF record: line 1, column 1: there is no game, which begins with (;");
    check_error(
        "(;SZ[5]\n;C[open",
        "not an SGF record: line 2, column 3: a value that is not closed: expected a ]",
    );
    check_error(
        "(;C[a [b] c];B[aa])",
        "not an SGF record: line 1, column 11: \"c\" is not a property: names have capital letters",
    );
    check_error(
        "(;C[a] ])",
        "not an SGF record: line 1, column 8: a ] that closes nothing; within a text it is written \\]",
    );
    check_error("(;[aa])", "not an SGF record: line 1, column 3: a value without a property");
    check_error(
        "(;\né [aa])",
        "not an SGF record: line 2, column 1: 'é' is neither a property nor one of ( ) ;",
    );
    check_error(
        "(;B[aa]);W[bb])",
        "not an SGF record: line 1, column 9: a node outside of a game: is there a ) too many before it?",
    );
    check_error("(;GM[2])", "the record is not a game of Go");
    check_error(
        "(;SZ[9:7])",
        "line 1, column 3: property SZ: \"9:7\" is not the size of a square board from 2 to 19",
    );
    check_error(
        "(;SZ[25])",
        "line 1, column 3: property SZ: \"25\" is not the size of a square board from 2 to 19",
    );
    check_error(
        "(;KM[half])",
        "line 1, column 3: property KM: \"half\" is not a number of points, such as 6.5",
    );
    check_error("(;PL[x])", "line 1, column 3: property PL: \"x\" is not B or W");
    check_error("(;SZ[5];B[aa]\n;W[ff])", "line 2, column 2: property W: \"ff\" is not a point on the board");
    check_error("(;SZ[5];B[a])", "line 1, column 9: property B: \"a\" is not a point of two letters");
    check_error("(;SZ[5];B[aa];W[aa])", "White's move A5 in node 2: A5 is occupied");
    check_error("(;SZ[2]AB[aa]AW[ab][ba])", "node 0: the stone on A2 has no liberty");
    check_error(&format!("(;{})", ";".repeat(5000)), "a line of play has more than 4000 nodes");
}

#[test]
fn a_long_record_is_read_and_freed() {
    let text = format!("(;SZ[5]{})", ";B[];W[]".repeat(1990));
    assert_eq!(one(&text).node_count(), 3981);
}

proptest! {
    #[test]
    fn games_read_back(size in 2u8..=9, comment in "[a-z\\]\\[\\\\;:() \n]{0,20}",
                       choices in prop::collection::vec(any::<u16>(), 0..80)) {
        let position = testkit::play_numbers::<Position<Medium>>(&Rules::tromp_taylor(size), &choices);
        let mut tree = GameTree::of_position(&position);
        let middle = NodeId(tree.node_count() / 2);
        tree.node_mut(middle).comment = comment;
        if !tree.variations(middle).is_empty() {
            tree.add_move(middle, Colour::Black, Move::PASS);
        }
        tree.names[1] = "[W]".to_owned();
        let back = one(&tree.write());
        prop_assert_eq!(&back.write(), &tree.write());
        prop_assert_eq!(back.node(back.main_line().nth(middle.0).unwrap()), tree.node(middle));
        prop_assert_eq!(last::<Medium>(&back), position);
    }

    #[test]
    fn any_text_is_a_record_or_is_refused(text in "(\\(;(SZ\\[[0-9]\\]|[BW]\\[[a-i]{2}\\]|AB\\[[a-t:]{2,5}\\]|;|\\(|\\)|\\PC){0,12}\\)|\\PC{0,30})") {
        for tree in GameTree::read(&text).unwrap_or_default() {
            let ids: Vec<NodeId> = tree.main_line().collect();
            for id in ids {
                let _ = tree.position::<Large>(id);
            }
            prop_assert_eq!(&one(&tree.write()).write(), &tree.write());
        }
    }
}
