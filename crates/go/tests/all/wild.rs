//! SGF as the world writes it: each deviation from the format has a small file, which is read as it is meant, with the
//! repairs named.

use go::{
    Colour, Large, Points, Position,
    sgf::{GameTree, SgfError},
};

fn read(bytes: impl AsRef<[u8]>) -> GameTree {
    let bytes = bytes.as_ref();
    let read = GameTree::read_bytes(bytes);
    let mut trees = read.unwrap_or_else(|error| panic!("{}: {error}", String::from_utf8_lossy(bytes)));
    assert_eq!(trees.len(), 1, "{}", String::from_utf8_lossy(bytes));
    trees.remove(0)
}

fn last(tree: &GameTree) -> Position<Large> {
    tree.position(tree.main_line().last().unwrap()).unwrap()
}

/// The stones of both colours after the main line, as points in order.
fn stones(tree: &GameTree) -> String {
    let position = last(tree);
    let names = |colour: Colour| {
        let points = position.board().stones(colour).iter();
        points.map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
    };
    format!("{} / {}", names(Colour::Black), names(Colour::White))
}

/// Checks the final stones and the repairs, and that the repaired record reads back without repairs.
fn check(file: impl AsRef<[u8]>, expected: &str, repairs: &[&str]) -> GameTree {
    let tree = read(&file);
    let shown = String::from_utf8_lossy(file.as_ref());
    assert_eq!(stones(&tree), expected, "{shown}");
    assert_eq!(tree.repairs, repairs, "{shown}");
    let mut clean = tree.clone();
    clean.repairs.clear();
    assert_eq!(read(tree.write()), clean, "{shown}");
    tree
}

#[test]
fn repeated_set_up_properties_are_joined() {
    check(
        "(;SZ[5]AB[aa]AB[bb]\nAW[cc]AB[dd][ee])",
        "E1 D2 B4 A5 / C3",
        &[
            "line 1, column 14: AB is repeated; all its points count",
            "line 2, column 7: AB is repeated; all its points count",
        ],
    );
}

#[test]
fn the_root_may_empty_points() {
    check(
        "(;SZ[5]AB[aa:cc]AE[bb];W[ee])",
        "A3 B3 C3 A4 C4 A5 B5 C5 / E1",
        &["line 1, column 17: B4 is set up twice; AE counts"],
    );
    check("(;SZ[5]AE[aa:ee];B[bb])", "B4 / ", &[]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    check("\u{feff}(;SZ[5];B[aa])", "A5 / ", &[]);
}

#[test]
fn text_around_the_game_is_ignored() {
    check(
        "From: a friend (me)\n\n(;SZ[5];B[aa])\n-- \nbye; bye\n",
        "A5 / ",
        &[
            "line 1, column 1: text outside of the game is ignored",
            "line 3, column 15: text outside of the game is ignored",
        ],
    );
    // The end of a file in CP/M and DOS.
    check("(;SZ[5];B[aa])\r\n\u{1a}", "A5 / ", &[]);
}

#[test]
fn brackets_may_be_missing_or_too_many() {
    check("(;SZ[5];B[aa](;W[bb])(;W[cc]", "A5 / B4", &["line 1, column 29: 2 missing ) at the end"]);
    check("(;SZ[5];B[aa]\n", "A5 / ", &["line 2, column 1: 1 missing ) at the end"]);
    check("(;SZ[5];B[aa])\n)", "A5 / ", &["line 1, column 15: a ) too many is ignored"]);
    check("((;SZ[5];B[aa]))", "A5 / ", &[]);
    check("(;SZ[5];B[aa](W[bb]))", "A5 / B4", &["line 1, column 15: a missing ; is added"]);
}

#[test]
fn games_follow_each_other() {
    let trees = GameTree::read("(;SZ[5];B[aa])\n\n(;SZ[9];B[bb])").unwrap();
    assert_eq!(trees.iter().map(|tree| tree.rules.size).collect::<Vec<_>>(), [5, 9]);
    assert!(trees.iter().all(|tree| tree.repairs.is_empty()));
}

#[test]
fn the_colour_to_move_has_many_names() {
    let mover = |value: &str| {
        read(format!("(;SZ[5]PL[{value}]AB[aa][bb])"))
            .position::<Large>(read("(;SZ[5])").root())
            .unwrap()
            .turn()
    };
    for white in ["W", "w", "white", "White", "2"] {
        assert_eq!(mover(white), Colour::White, "{white}");
    }
    for black in ["B", "b", "BLACK", "1", " B "] {
        assert_eq!(mover(black), Colour::Black, "{black}");
    }
    assert_eq!(read("(;PL[1])").repairs, ["line 1, column 3: PL[1] is Black"]);
}

#[test]
fn komi_is_read_as_it_is_meant() {
    let komi = |properties: &str| {
        let tree = read(format!("(;{properties})"));
        (tree.rules.komi.to_string(), tree.repairs.join(" "))
    };
    let quiet = |komi: &str| (komi.to_owned(), String::new());
    assert_eq!(komi("KM[ 6.5]"), quiet("6.5"));
    assert_eq!(komi("KM[6.50]"), quiet("6.5"));
    assert_eq!(komi("KM[-3]"), quiet("-3"));
    assert_eq!(komi("KM[]"), quiet("0"));
    let named = |komi: &str, repair: &str| (komi.to_owned(), format!("line 1, column 3: {repair}"));
    assert_eq!(komi("KM[6,5]"), named("6.5", "KM[6,5] is 6.5 points"));
    assert_eq!(komi("KM[3.75]RU[Chinese]"), named("7.5", "KM[3.75] counts in stones: 7.5 points"));
    assert_eq!(komi("KM[375]"), named("7.5", "KM[375] counts in stones: 7.5 points"));
    assert_eq!(komi("KM[650]"), named("6.5", "KM[650] counts in hundredths: 6.5 points"));
    assert_eq!(komi("KM[3.75]RU[Japanese]"), named("3.5", "KM[3.75] has the same winner as 3.5 points"));
    assert_eq!(komi("KM[5.25]"), named("5.5", "KM[5.25] has the same winner as 5.5 points"));
    assert_eq!(komi("KM[-0.25]"), named("-0.5", "KM[-0.25] has the same winner as -0.5 points"));
}

#[test]
fn the_game_and_the_size_may_be_empty() {
    check("(;GM[]SZ[5];B[aa])", "A5 / ", &["line 1, column 3: GM is empty; the game is taken to be Go"]);
    check("(;GM[1 ]SZ[ 5 ];B[aa])", "A5 / ", &[]);
    assert_eq!(read("(;SZ[])").rules.size, 19);
    assert_eq!(read("(;SZ[9:9])").rules.size, 9);
}

#[test]
fn several_moves_in_a_node_are_all_played() {
    let tree = check(
        "(;SZ[5];B[aa]W[bb]C[both];B[cc])",
        "C3 A5 / B4",
        &["line 1, column 14: several moves in one node are played one after the other"],
    );
    assert_eq!(tree.node_count(), 4);
    assert_eq!(tree.node(tree.main_line().nth(2).unwrap()).comment, "both");
}

#[test]
fn the_colour_to_move_may_be_given_after_a_move() {
    let repairs = ["line 1, column 15: PL after a move counts after it"];
    let tree = check("(;SZ[5];B[aa] PL[B])", "A5 / ", &repairs);
    assert_eq!(last(&tree).turn(), Colour::Black);
}

#[test]
fn a_move_that_repeats_a_board_is_played_and_named() {
    // Black retakes a ko at once.
    let ko = "(;SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[cb])";
    let tree = read(ko);
    let (position, repairs) = tree.replay::<Large>(tree.main_line().last().unwrap()).unwrap();
    assert_eq!(position.board().colour(go::Point::parse("C3").unwrap()), Some(Colour::Black));
    assert_eq!(repairs.len(), 2, "{repairs:?}");
    assert!(repairs[0].starts_with("node 2: White's move B3 repeats"), "{repairs:?}");
}

#[test]
fn a_handicap_without_stones_is_placed() {
    let usual = ["line 1, column 8: HA[4] without stones: they are on the usual points"];
    let tree = check("(;SZ[9]HA[4];W[ee])", "C3 G3 C7 G7 / E5", &usual);
    assert_eq!(tree.rules.handicap, 4);
    check("(;SZ[9]HA[4])", "C3 G3 C7 G7 / ", &usual);
    check(
        "(;SZ[9]HA[2];B[aa];B[bb];W[cc])",
        "B8 A9 / C7",
        &["line 1, column 8: HA[2] without stones is ignored: Black plays first"],
    );
    check(
        "(;SZ[9]HA[3]AB[aa][bb];W[cc])",
        "B8 A9 / C7",
        &["line 1, column 8: HA[3] is ignored: there are 2 black stones to set up"],
    );
}

#[test]
fn names_of_older_versions_are_understood() {
    check("(;GaMe[1]SiZe[5]AddBlack[aa];White[bb])", "A5 / B4", &[]);
    check("(;SZ[5];B[AA];W[])", "A5 / ", &["line 1, column 9: B[AA] is read with small letters"]);
    check(
        "(;SZ[5]KO;B AB[];B[bb])",
        "B4 / ",
        &[
            "line 1, column 11: B has no value and is ignored",
            "line 1, column 13: AB has an empty value, which is ignored",
        ],
    );
}

#[test]
fn names_are_decoded_before_they_are_parsed() {
    // In Shift-JIS, the second byte of these characters is a backslash.
    let tree = check(b"(;SZ[5]CA[Shift_JIS]PB[\x95\x5c\x8e\xa6\x83\x5c];B[aa])", "A5 / ", &[]);
    assert_eq!(tree.names[0], "表示ソ");
    let tree = check(b"(;SZ[5]PB[Zo\xeb];B[aa])", "A5 / ", &[]);
    assert_eq!(tree.names[0], "Zoë");
    let tree = check(
        "(;SZ[5]CA[Big5]PB[Zoë €];B[aa])",
        "A5 / ",
        &["the text is UTF-8, although CA[Big5] says otherwise"],
    );
    assert_eq!(tree.names[0], "Zoë €");
}

#[test]
fn rule_sets_are_known_by_several_names() {
    for (name, like) in [("japanese", "Korean"), ("cn", "Chinese"), ("GOE", "NZ"), ("new zealand", "NZ")] {
        let rules = |name: &str| read(format!("(;RU[{name}])")).rules;
        assert_eq!(rules(name), rules(like));
    }
    let unknown = read("(;RU[my own])");
    assert_eq!(unknown.repairs, ["line 1, column 3: RU[my own] is not a known rule set and is ignored"]);
    assert!(!unknown.names_rules && read("(;RU[AGA])").names_rules);
}

#[test]
fn what_is_not_clear_is_refused_with_its_place() {
    let refused = |text: &str| match GameTree::read(text) {
        Err(SgfError::Grammar { place, .. } | SgfError::Property { place, .. }) => (place.line, place.column),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(refused("(;SZ[5]\n;B[zz])"), (2, 2));
    assert_eq!(refused("(;SZ[5]AB[tt])"), (1, 8));
    assert_eq!(refused("(;SZ[5]\n\n  ;B[aa]);W[bb])"), (3, 10));
    assert_eq!(refused("(;SZ[5];B[a"), (1, 10));
    assert_eq!(refused("no game"), (1, 1));
}
