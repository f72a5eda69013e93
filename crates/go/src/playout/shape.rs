//! Good shapes of three by three points: cuts, connections and stones around a corner of the other's.
//!
//! A shape is decided by the eight points around the one played on, as seen by who plays; all of them are decided
//! beforehand. The rules are in [`is_shape`].

use std::sync::LazyLock;

use super::light::Light;

/// What stands on a point, as seen by who is to move. The numbers are those of the light board after its own and the
/// other's colour were exchanged for White.
const OWN: u8 = 0;
const OTHER: u8 = 1;
const EMPTY: u8 = 2;
const EDGE: u8 = 3;

/// By what stands around a point, two bits each, whether a stone there makes a shape; a bit each.
static SHAPES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut shapes = vec![0; (1 << 16) / 64];
    for number in 0..1 << 16 {
        let ring = std::array::from_fn(|side| (number >> (2 * side) & 3) as u8);
        shapes[number / 64] |= u64::from(is_shape(ring)) << (number % 64);
    }
    shapes
});

/// Whether a stone in the middle of this ring makes a shape. The ring starts above and goes round; every second point
/// is a neighbour, those between are diagonal.
fn is_shape(ring: [u8; 8]) -> bool {
    let side = |index: usize| ring[index % 8];
    let beside = |what: u8| (0..4).filter(|&n| ring[2 * n] == what).count();
    let has = |what: u8| ring.contains(&what);
    if !has(OTHER) || beside(EMPTY) == 0 {
        return false;
    }
    // How many neighbours of a colour are not joined round the ring to the one before.
    let groups = |colour: u8| {
        let joined = |n: usize| {
            let (between, next) = (side(2 * n + 1), side(2 * n + 2));
            between == colour && next == colour
        };
        (0..4).filter(|&n| ring[2 * n] == colour && !joined(n)).count()
    };
    let cuts = groups(OTHER) >= 2 && has(OWN);
    let connects = groups(OWN) >= 2;
    // A stone beside the other's, diagonal from an own one that stands beside that same stone.
    let turns = (0..4).any(|n| {
        ring[2 * n] == OTHER
            && [(2 * n + 7, 2 * n + 6), (2 * n + 1, 2 * n + 2)]
                .into_iter()
                .any(|(diagonal, next)| side(diagonal) == OWN && side(next) == EMPTY)
    });
    // Along the edge: a stone that stops or supports one on the first two lines.
    let crawls = beside(EDGE) == 1 && beside(OTHER) == 1 && beside(OWN) >= 1;
    cuts || connects || turns || crawls
}

impl<const CELLS: usize> Light<CELLS> {
    /// Whether a stone of the colour to move on this empty point makes a good shape.
    #[inline]
    pub(super) fn makes_shape(&self, at: usize) -> bool {
        // Exchanges the colours for White: 0 and 1 change places, 2 and 3 stay.
        let turned = self.to_move;
        let number = self.ring(at).into_iter().enumerate().fold(0, |number, (side, n)| {
            let content = self.content[n];
            number | usize::from(content ^ (turned & !(content >> 1))) << (2 * side)
        });
        SHAPES[number / 64] >> (number % 64) & 1 == 1
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
            let light = Light::<128>::from_board(&board, colour);
            assert_eq!(light.makes_shape(light.cell(Point::new(2, 2))), expected, "{colour} in {drawing}");
        }
    }

    #[test]
    fn cuts_and_connections_are_shapes_in_either_colour() {
        check(". . . . .\n. . O . .\n. X . O .\n. . . . .\n. . . . .", true);
        check(". . . . .\n. . X . .\n. . . X .\n. . O . .\n. . . . .", true);
        check(". . . . .\n. X O . .\n. . . . .\n. . . . .\n. . . . .", true);
    }

    #[test]
    fn stones_far_from_the_others_are_none() {
        check(". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. . X . .\n. . . . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. . O . .\n. . . O .\n. . O . .\n. . . . .", false);
    }
}
