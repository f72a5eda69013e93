//! Differential tests: the engine and the oracle play in lockstep and must agree at every ply on the state, the
//! complete list of legal moves and the result.

use game::{Game, Seat};
use interchange::TraceText;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Geometry, Hex8, Hexagonal, Position, RecoveryRule, Rules, Square8, Square19, Variant};

use crate::{
    oracle::{self, Options, Oracle},
    scatter,
};

fn options(rules: &Rules) -> Options {
    Options {
        hex8_line_min: if rules.variant == Variant::Base { 4 } else { 3 },
        clean_recovery: rules.recovery == RecoveryRule::Text,
        swap: rules.swap,
        lps_rounds: rules.lps_rounds.into(),
        rings_per_player: rules.rings.map(u32::from),
    }
}

/// Plays the same game in both engines and compares everything observable.
fn compare<B: Geometry>(
    position: Position<B>,
    mut oracle: Oracle,
    most: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> usize {
    let mut plies = 0;
    let mut moves = Vec::new();
    scatter::play_varied(position, most, rng, |position, played| {
        assert_eq!(position.state_string(), oracle.state_string(), "ply {plies} of {position:?}");
        position.legal_moves(&mut moves);
        let mut ours: Vec<String> = moves.iter().map(|&m| position.full_move_key(m)).collect();
        let plain = oracle.legal();
        let mut theirs: Vec<String> = plain.iter().map(oracle::Move::full_key).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "ply {plies} of {position:?}");
        assert_eq!(position.legal_keys(), oracle.legal_keys(), "ply {plies} of {position:?}");
        if let Some(m) = played {
            let key = position.full_move_key(m);
            let same = plain.iter().find(|plain| plain.full_key() == key).expect("both list the move");
            oracle.play(same);
            plies += 1;
            return;
        }
        let Some(end) = position.end() else {
            assert!(oracle.result().is_none(), "only the oracle ends: {position:?}");
            return;
        };
        let result = oracle.result().unwrap_or_else(|| panic!("only the engine ends: {position:?}"));
        assert_eq!(end.winner.map(Seat::number), Some(result.winner), "{position:?}");
        assert_eq!(end.reason.name(), result.reason, "{position:?}");
        let outcome = position.outcome().expect("an ended game has an outcome");
        assert_eq!(outcome.ranks(), result.ranks, "{position:?}");
        let eliminated: Vec<_> =
            Seat::all(position.seats()).map(|seat| position.eliminated_at(seat)).collect();
        assert_eq!(eliminated, result.elimination_turns, "{position:?}");
    });
    plies
}

/// The factor by which `DEPTH` multiplies the number of games; `DEPTH=20` takes several minutes.
fn depth() -> u64 {
    std::env::var("DEPTH").map_or(1, |depth| depth.parse().expect("DEPTH is a whole number"))
}

/// All options that affect the game on the board, for two to four seats.
fn rule_sets() -> impl Iterator<Item = Rules> {
    (2..=4).flat_map(|seats| {
        let rules = Rules::new(seats);
        [
            rules,
            Rules { variant: Variant::Base, swap: seats == 2, ..rules },
            Rules { recovery: RecoveryRule::Text, lps_rounds: 2, ..rules },
            Rules { rings: Some(6), lps_rounds: 1, ..rules },
        ]
    })
}

fn from_scattered<B: Geometry>(starts: usize, most: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10 + depth());
    for rules in (0..depth()).flat_map(|_| rule_sets()) {
        let rules = Rules { swap: false, ..rules };
        for _ in 0..starts {
            let position = scatter::scattered::<B>(rules, &mut rng);
            let oracle = Oracle::from_state_string(
                B::BOARD.name(),
                rules.seats.into(),
                options(&rules),
                &position.state_string(),
            );
            compare(position, oracle, most, &mut rng);
        }
    }
}

fn from_the_start<B: Geometry>(games: usize, most: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(100 + depth());
    for rules in (0..depth()).flat_map(|_| rule_sets()) {
        for _ in 0..games {
            let oracle = Oracle::new(B::BOARD.name(), rules.seats.into(), options(&rules));
            compare(Position::<B>::new(&rules), oracle, most, &mut rng);
        }
    }
}

#[test]
fn square8_from_scattered_pieces() {
    from_scattered::<Square8>(60, 60);
}

#[test]
fn hex8_from_scattered_pieces() {
    from_scattered::<Hex8>(60, 60);
}

#[test]
fn square19_from_scattered_pieces() {
    from_scattered::<Square19>(2, 25);
}

#[test]
fn hexagonal_from_scattered_pieces() {
    from_scattered::<Hexagonal>(2, 25);
}

#[test]
fn square8_from_the_start() {
    from_the_start::<Square8>(2, 20_000);
}

#[test]
fn hex8_from_the_start() {
    from_the_start::<Hex8>(2, 20_000);
}

#[test]
fn square19_from_the_start() {
    from_the_start::<Square19>(1, 60);
}

#[test]
fn hexagonal_from_the_start() {
    from_the_start::<Hexagonal>(1, 60);
}
