//! States and moves written for clients are read as the same positions and moves.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use game::{Game, pick};
use interchange::{Client, ForeignMove, GameState, TraceText, client_move, client_state, from_json};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Draft, Geometry, Position, Rules, Standing, Swap, on_board};
use serde_json::Value;

/// The parts of a position that a state contains, without counts of rounds and turns.
fn visible_part<B: Geometry>(position: &Position<B>) -> Draft {
    let mut draft = position.draft();
    draft.cells.sort_by_key(|(cell, _)| *cell);
    draft.standing = Standing::default();
    (draft.turn, draft.eliminated_at) = (0, [None; game::MAX_SEATS]);
    draft.swap = Swap::Closed;
    (draft.rules, draft.acted) = (Rules::new(draft.rules.seats), false);
    draft
}

fn check<B: Geometry>(mut position: Position<B>, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut moves, mut history) = (Vec::new(), Vec::<Value>::new());
    for _ in 0..400 {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        for client in [Client::GameServer, Client::Sandbox] {
            let state = Value::Object(client_state(&position, &history, client));
            let state: GameState = from_json(state).unwrap();
            let nearest = state.nearest::<B>();
            assert_eq!(nearest.repairs, Vec::<String>::new(), "{position:?}");
            assert_eq!(
                visible_part(&nearest.position.unwrap()),
                visible_part(&position),
                "{position:?} for {client:?}"
            );
        }
        let m = moves[pick(&mut rng, moves.len())];
        let spelled = Value::Object(client_move(&position, m, Client::GameServer));
        let read: ForeignMove = from_json(spelled.clone()).unwrap();
        let found = read.find(&position).unwrap_or_else(|reason| panic!("{position:?}: {spelled}: {reason}"));
        assert_eq!(position.full_move_key(found), position.full_move_key(m));
        history.push(spelled);
        position.play_unchecked(m, &mut ());
    }
}

#[test]
fn states_and_moves_for_clients_round_trip() {
    for (seed, board) in
        (0..).zip([Board::Square8, Board::Hex8, Board::Square8, Board::Hex8, Board::Hexagonal])
    {
        for seats in 2..=4 {
            let rules = Rules { swap: seats == 2, rings: Some(4 + 2 * seed as u16), ..Rules::new(seats) };
            on_board!(board, B => check(Position::<B>::new(&rules), seed));
        }
    }
}

#[test]
fn invalid_states_are_repaired() {
    let position = Position::<ringrift::Square8>::new(&Rules::new(2));
    let mut state = client_state(&position, &[], Client::Sandbox);
    // The same cell under many names, and more rings than a stack can have.
    let stacks: String =
        (0..5_000).map(|zeros| format!("\"{}1,1\":{{\"rings\":[1]}},", "0".repeat(zeros % 200))).collect();
    let tall = format!("{{{stacks}\"2,2\":{{\"rings\":{:?},\"controllingPlayer\":2}}}}", vec![2; 90]);
    state["board"]["stacks"] = serde_json::from_str(&tall).unwrap();
    let state: GameState = from_json(Value::Object(state)).unwrap();
    let nearest = state.nearest::<ringrift::Square8>();
    let position = nearest.position.unwrap();
    assert_eq!(position.rings_on_board(game::Seat::FIRST), 1);
    assert_eq!(position.rings_on_board(game::Seat::new(1)), 25);
    assert!(!nearest.repairs.is_empty());
}
