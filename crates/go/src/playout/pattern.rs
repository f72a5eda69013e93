//! 3×3 patterns: cuts, connections, hane and moves at the edge.
//!
//! Whether a move matches depends on the eight points around it, from the mover's point of view. A table holds the
//! answer for every combination; [`is_pattern`] contains the rules.

use std::sync::LazyLock;

use super::playout_board::PlayoutBoard;

/// The content of a point from the mover's point of view. The numbers are those of the playout board, with the two
/// colours exchanged if White is to move.
const OWN: u8 = 0;
const OTHER: u8 = 1;
const EMPTY: u8 = 2;
const EDGE: u8 = 3;

/// Whether a move matches a pattern, one bit each, indexed by the contents of the eight points around it, two bits
/// each.
static PATTERNS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut patterns = vec![0; (1 << 16) / 64];
    for number in 0..1 << 16 {
        let ring = std::array::from_fn(|side| (number >> (2 * side) & 3) as u8);
        patterns[number / 64] |= u64::from(is_pattern(ring)) << (number % 64);
    }
    patterns
});

/// Whether a stone in the middle of these eight points matches a pattern. They are listed clockwise from the one above,
/// so the even ones are neighbours and the odd ones diagonals.
fn is_pattern(ring: [u8; 8]) -> bool {
    let side = |index: usize| ring[index % 8];
    let beside = |what: u8| (0..4).filter(|&n| ring[2 * n] == what).count();
    let has = |what: u8| ring.contains(&what);
    if !has(OTHER) || beside(EMPTY) == 0 {
        return false;
    }
    // The number of neighbours of a colour that are not connected, around the ring, to the next neighbour.
    let groups = |colour: u8| {
        let joined = |n: usize| {
            let (between, next) = (side(2 * n + 1), side(2 * n + 2));
            between == colour && next == colour
        };
        (0..4).filter(|&n| ring[2 * n] == colour && !joined(n)).count()
    };
    let cuts = groups(OTHER) >= 2 && has(OWN);
    let connects = groups(OWN) >= 2;
    // Hane: the move is next to an opponent's stone and diagonal to an own stone that is next to that stone.
    let hane = (0..4).any(|n| {
        ring[2 * n] == OTHER
            && [(2 * n + 7, 2 * n + 6), (2 * n + 1, 2 * n + 2)]
                .into_iter()
                .any(|(diagonal, next)| side(diagonal) == OWN && side(next) == EMPTY)
    });
    // At the edge: a move on the first line next to an own and an opponent's stone.
    let edge = beside(EDGE) == 1 && beside(OTHER) == 1 && beside(OWN) >= 1;
    cuts || connects || hane || edge
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// Whether a stone of the colour to move on this empty point matches a pattern.
    #[inline]
    pub(super) fn matches_pattern(&self, at: usize) -> bool {
        // If White is to move, exchange the colours: 0 and 1 swap, 2 and 3 stay.
        let turned = self.to_move;
        let number = self.ring(at).into_iter().enumerate().fold(0, |number, (side, n)| {
            let content = self.content[n];
            number | usize::from(content ^ (turned & !(content >> 1))) << (2 * side)
        });
        PATTERNS[number / 64] >> (number % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Colour, Point, Small};

    fn check(drawing: &str, expected: bool) {
        for (colour, drawing) in [
            (Colour::Black, drawing.to_owned()),
            (Colour::White, drawing.replace('X', "x").replace('O', "X").replace('x', "O")),
        ] {
            let board = Board::<Small>::from_drawing(&drawing).unwrap();
            let playout_board = PlayoutBoard::<128>::from_board(&board, colour);
            assert_eq!(
                playout_board.matches_pattern(playout_board.cell(Point::new(2, 2))),
                expected,
                "{colour} in {drawing}"
            );
        }
    }

    #[test]
    fn cuts_connections_and_hane_are_patterns_for_both_colours() {
        check(". . . . .\n. . O . .\n. X . O .\n. . . . .\n. . . . .", true);
        check(". . . . .\n. . X . .\n. . . X .\n. . O . .\n. . . . .", true);
        check(". . . . .\n. X O . .\n. . . . .\n. . . . .\n. . . . .", true);
    }

    #[test]
    fn moves_away_from_the_opponent_are_not_patterns() {
        check(". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. . X . .\n. . . . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. . O . .\n. . . O .\n. . O . .\n. . . . .", false);
    }
}
