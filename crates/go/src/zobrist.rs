//! Zobrist hashing.

use crate::{Colour, Point};

/// One key for each colour and point.
static STONES: [[u64; Point::COUNT]; 2] = table();

/// The key of White to move.
pub(crate) const WHITE_TO_MOVE: u64 = mix(0x5eed_0001);

/// The key of a stone.
#[inline]
pub(crate) fn stone(point: Point, colour: Colour) -> u64 {
    STONES[colour.index()][point.index()]
}

const fn table() -> [[u64; Point::COUNT]; 2] {
    let mut table = [[0; Point::COUNT]; 2];
    let mut index = 0;
    while index < 2 * Point::COUNT {
        table[index & 1][index >> 1] = mix(0x60_0000 + index as u64);
        index += 1;
    }
    table
}

/// A bijective mixing function: the finalizer of `SplitMix64`.
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
