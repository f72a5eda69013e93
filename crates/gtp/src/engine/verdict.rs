//! Which stones are dead: certain where unconditional life says so, an estimate by playouts elsewhere.
//!
//! What is absent: reading. A chain that random play kills more often than not is called dead; a seki is seen only in
//! its plain form, where neither side can fill a shared liberty without leaving itself in atari.

use go::{Board, Colour, Large, Light, Point, Points, Verdict};
use rand::Rng;

/// How many playouts an estimate takes.
const PLAYOUTS: i32 = 400;

/// Estimates which stones are dead and which live in seki.
pub(crate) fn estimate<P: Points>(board: &Board<P>, rng: &mut impl Rng) -> Verdict<P> {
    let owners = owners(board, rng);
    let life = Colour::BOTH.map(|colour| board.unconditional_life(colour));
    let (mut dead, mut seki) = (P::EMPTY, P::EMPTY);
    for colour in Colour::BOTH {
        let (own, enemy) = (life[colour.index()], life[colour.other().index()]);
        for chain in board.chains(colour) {
            if !(chain & own.stones).is_empty() {
                continue;
            }
            let sign = if colour == Colour::Black { 1 } else { -1 };
            let kept: i32 = chain.iter().map(|point| sign * owners.at(point)).sum();
            let all = chain.len() as i32 * PLAYOUTS * 2;
            if !(chain & enemy.territory).is_empty() {
                dead = dead | chain;
            } else if is_in_seki(board, chain, colour) && kept.abs() < all * 4 / 5 {
                seki = seki | chain;
            } else if kept < 0 {
                dead = dead | chain;
            }
        }
    }
    Verdict { dead, seki }
}

/// For every point, how often it was Black's at the end less how often White's; half of the playouts begin with either.
struct Owners {
    size: usize,
    balance: Vec<i32>,
}

impl Owners {
    fn at(&self, point: Point) -> i32 {
        self.balance[point.row() * self.size + point.column()]
    }
}

fn owners<P: Points>(board: &Board<P>, rng: &mut impl Rng) -> Owners {
    let size = board.size();
    let mut owners = Owners { size, balance: vec![0; size * size] };
    let most = 3 * (size * size) as u32;
    for colour in Colour::BOTH {
        let start = Light::<512>::from_board(board, colour);
        for _ in 0..PLAYOUTS {
            let mut light = start.clone();
            light.play_out(rng, most);
            let end: Board<Large> = light.board();
            let surrounded = end.surrounded();
            for (owner, sign) in [(Colour::Black, 1), (Colour::White, -1)] {
                for point in (end.stones(owner) | surrounded[owner.index()]).iter() {
                    owners.balance[point.row() * size + point.column()] += sign;
                }
            }
        }
    }
    owners
}

/// Whether a chain shares liberties with an enemy chain, and neither may fill any of them.
fn is_in_seki<P: Points>(board: &Board<P>, chain: P, colour: Colour) -> bool {
    let liberties = board.liberties(chain);
    let shared = liberties & board.stones(colour.other()).around();
    // Liberties of its own are an eye of one point at most: with more it would not need the peace.
    let own = liberties.without(shared);
    let fills = |point: Point, colour: Colour| {
        let mut after = *board;
        after.place(point, colour);
        after.liberties(after.chain(point)).len() <= 1
    };
    shared.len() >= 1
        && shared.len() + own.len() >= 2
        && own.len() <= 1
        && shared.len() <= 2
        && shared.iter().all(|point| Colour::BOTH.into_iter().all(|colour| fills(point, colour)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use go::{Medium, Small};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    fn verdict<P: Points>(drawing: &str) -> (Board<P>, Verdict<P>) {
        let board = Board::from_drawing(drawing).unwrap();
        let verdict = estimate(&board, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        (board, verdict)
    }

    #[test]
    fn stones_in_unconditional_territory_are_dead() {
        let (board, verdict) = verdict::<Small>("X . O X .\nX X X X .\nO O O X X\n. O . O O\nO . O O .");
        assert_eq!(verdict.dead, board.chain(Point::parse("C5").unwrap()));
        assert_eq!(verdict.seki, Small::EMPTY);
    }

    #[test]
    fn a_lone_stone_in_a_large_territory_is_dead() {
        let (board, verdict) = verdict::<Medium>(
            ". . . . X O . . .
             . . . . X O . . .
             . . O . X O . . .
             . . . . X O . . .
             . . . . X O . . .
             . . . . X O . X .
             . . . . X O . . .
             . . . . X O . . .
             . . . . X O . . .",
        );
        let expected = [Colour::White, Colour::Black].map(|colour| {
            let [lone] = &board.chains(colour).filter(|chain| chain.len() == 1).collect::<Vec<_>>()[..]
            else {
                panic!("one stone alone")
            };
            *lone
        });
        assert_eq!(verdict.dead, expected[0] | expected[1]);
    }

    #[test]
    fn a_plain_seki_is_seen() {
        let drawing = "O X . O X . X
                       O X . O X X X
                       O X X O X . X
                       O O O X X X X
                       O . O X . . .
                       O O O X . . .
                       . O O X . . .";
        let (board, verdict) = verdict::<Small>(drawing);
        let inner = ["B7", "D7"].map(|name| board.chain(Point::parse(name).unwrap()));
        assert_eq!((verdict.seki, verdict.dead), (inner[0] | inner[1], Small::EMPTY));
    }
}
