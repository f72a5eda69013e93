//! The conformance kit: checks that every game must pass.
//!
//! A failed check panics with the offending position.

use std::collections::BTreeSet;

use rand::Rng;

use crate::{Game, Notation, Setup, Symmetry, pick};

/// Plays `games` uniformly random games from the start and [checks](check_position) every position on the way. A game
/// longer than `longest` plies is a failure, since every game must end.
///
/// # Panics
/// If a check fails.
pub fn check_games<G: Game>(config: &G::Config, games: usize, longest: usize, rng: &mut impl Rng) {
    for _ in 0..games {
        let start = G::new(config);
        assert_eq!(start.config(), *config, "a position remembers its configuration");
        check_game(start, longest, rng, check_position);
    }
}

/// Plays one uniformly random game from `position` and calls `check` on every position, the last one included.
///
/// # Panics
/// If the game does not end within `longest` plies, or if `check` panics.
pub fn check_game<G: Game>(mut position: G, longest: usize, rng: &mut impl Rng, mut check: impl FnMut(&G)) {
    let mut moves = Vec::new();
    for _ in 0..=longest {
        check(&position);
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        let m = moves[pick(rng, moves.len())];
        position.play(m).expect("a listed move is legal");
    }
    panic!("no end after {longest} plies: {position:?}");
}

/// The position after a game given as a list of numbers, each taken modulo the number of legal moves. Any list is
/// therefore a valid game, which suits property tests.
///
/// # Panics
/// If a listed move is not legal.
pub fn play_numbers<G: Game>(config: &G::Config, numbers: &[u16]) -> G {
    let mut position = G::new(config);
    let mut moves = Vec::new();
    for &number in numbers {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(number) % moves.len()]).expect("a listed move is legal");
    }
    position
}

/// Checks the contract of [`Game`] in one position: the legal list is empty if and only if the game is over, has no
/// duplicates and depends on the position alone; listed moves pass [`Game::check`]; the key is correct; observers do
/// not affect play.
///
/// # Panics
/// If the contract is broken.
pub fn check_position<G: Game>(position: &G) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(
        moves.is_empty(),
        position.is_over(),
        "the list is empty if and only if the game is over: {position:?}"
    );
    assert!(position.to_move().index() < position.seats(), "the mover is a seat of the game: {position:?}");
    let distinct: BTreeSet<_> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "no move is listed twice: {position:?}");
    assert_eq!(position.key(), position.key_from_scratch(), "the incremental key is exact: {position:?}");
    for &m in &moves {
        assert_eq!(position.check(m), Ok(()), "listed but refused: {m:?} in {position:?}");
    }
    if let Some(&m) = moves.first() {
        let mut changes: Vec<G::Change> = Vec::new();
        let (mut silent, mut observed) = (position.clone(), position.clone());
        silent.play_unchecked(m, &mut ());
        observed.play_unchecked(m, &mut changes);
        assert_eq!(silent, observed, "an observer changes nothing: {m:?} in {position:?}");
    }
    let mut again = Vec::new();
    position.clone().legal_moves(&mut again);
    assert_eq!(moves, again, "the list depends on the position alone: {position:?}");
}

/// Checks that every one of `candidates` outside the legal list is refused and leaves the position unchanged.
///
/// # Panics
/// If an unlisted move is accepted, or a refusal changes the position.
pub fn check_refusals<G: Game>(position: &G, candidates: impl IntoIterator<Item = G::Move>) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let legal: BTreeSet<_> = moves.into_iter().collect();
    for m in candidates {
        let mut copy = position.clone();
        let played = copy.play(m);
        assert_eq!(played.is_ok(), legal.contains(&m), "{m:?} is {played:?} in {position:?}");
        assert!(
            played.is_ok() || copy == *position,
            "a refused move changed the position: {m:?} in {position:?}"
        );
    }
}

/// Checks that every legal move survives a round trip through its text, and that no two moves share a text.
///
/// # Panics
/// If a check fails.
pub fn check_notation<G: Notation>(position: &G) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut texts = BTreeSet::new();
    for &m in &moves {
        let text = position.move_text(m);
        assert_eq!(position.parse_move(&text), Ok(m), "{text:?} in {position:?}");
        assert!(texts.insert(text), "two moves share the text of {m:?} in {position:?}");
    }
}

/// Checks that the position survives a round trip through its text, with the same legal moves and key.
///
/// # Panics
/// If a check fails.
pub fn check_setup<G: Setup>(position: &G) {
    let text = position.to_text();
    let back = G::from_text(&text).unwrap_or_else(|faults| panic!("{text:?}: {faults}"));
    assert_eq!(back, *position, "{text:?}");
    assert_eq!(back.key(), position.key(), "{text:?}");
    let (mut before, mut after) = (Vec::new(), Vec::new());
    position.legal_moves(&mut before);
    back.legal_moves(&mut after);
    assert_eq!(before, after, "{text:?}");
}

/// Checks that each symmetry maps the legal list onto the legal list of the image, and that playing a move commutes
/// with it.
///
/// # Panics
/// If a check fails.
pub fn check_symmetry<G: Symmetry>(position: &G, rng: &mut impl Rng) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for index in 0..position.symmetries() {
        let image = position.transformed(index);
        let mut image_moves = Vec::new();
        image.legal_moves(&mut image_moves);
        let expected: BTreeSet<_> = moves.iter().map(|&m| position.transformed_move(m, index)).collect();
        let found: BTreeSet<_> = image_moves.iter().copied().collect();
        assert_eq!(expected, found, "symmetry {index} of {position:?}");
        if !moves.is_empty() {
            let m = moves[pick(rng, moves.len())];
            let (mut left, mut right) = (position.clone(), image);
            left.play_unchecked(m, &mut ());
            right.play_unchecked(position.transformed_move(m, index), &mut ());
            assert_eq!(left.transformed(index), right, "symmetry {index}, {m:?} in {position:?}");
        }
    }
}
