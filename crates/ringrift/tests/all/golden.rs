//! Golden playthroughs: one varied game for every board and number of seats, one ply per line, with the phase, the
//! size and digest of the list of legal moves, the key and the move.

use std::fmt::Write;

use game::{Game, Notation};
use interchange::{TraceText, digest};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Position, Rules, on_board};

use crate::{bless, scatter};

fn playthrough<B: Geometry>(rules: Rules) -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(41);
    let mut text = format!("{} for {}, swap {}\n", B::BOARD, rules.seats, rules.swap);
    scatter::play_varied(Position::<B>::new(&rules), 20_000, &mut rng, |position, played| {
        if let Some(m) = played {
            let keys = position.legal_keys();
            let hash = &digest(&keys.join("\n"))[..8];
            let (seat, phase) = (position.to_move(), position.phase().name());
            let m = position.move_text(m);
            writeln!(text, "{seat} {phase} {} {hash} {:016x} {m}", keys.len(), position.key()).unwrap();
            return;
        }
        let end = position.end().expect("the game was played to its end");
        let outcome = position.outcome().expect("an ended game has an outcome");
        writeln!(text, "{:?} by {}, ranks {:?}", end.winner, end.reason.name(), outcome.ranks()).unwrap();
        writeln!(text, "{position:?}").unwrap();
        text += &position.draw();
    });
    text
}

#[test]
fn games_play_as_recorded() {
    for board in Board::ALL {
        for seats in 2..=4 {
            let name = format!("golden/{board}_{seats}p.txt");
            let rules = Rules { swap: seats == 2, ..Rules::new(seats) };
            let fresh = on_board!(board, B => playthrough::<B>(rules));
            bless::compare(&name, &bless::read(&name), &fresh);
        }
    }
}
