//! Policies to learn: the softmax of the values of the boards that the moves of a position lead to.

use std::sync::Arc;

use eval::{OmegaKernels, OmegaReader};
use game::Game;
use go::{Move, Points, Position};

use crate::rows::Row;

/// Positions whose moves are judged in one batch.
const AT_A_TIME: usize = 16;

/// The largest share, which is 1.
pub(crate) const WHOLE: f32 = 65535.0;

/// The moves of a row, in the order of its target.
pub(crate) fn moves<P: Points>(row: &Row<P>) -> impl Iterator<Item = Move> {
    row.sensible.iter().map(Move::at).chain(std::iter::once(Move::PASS))
}

/// The targets of rows: for every move of every row, its share in units of 1/65535.
pub(crate) fn target_sheet<P: Points>(
    rows: &[Row<P>],
    kernels: &Arc<OmegaKernels>,
    temperature: f32,
) -> Vec<u8> {
    let mut reader = OmegaReader::new(Arc::clone(kernels));
    let mut bytes = Vec::new();
    for rows in rows.chunks(AT_A_TIME) {
        for mut values in move_values(rows, &mut reader) {
            for value in &mut values {
                *value /= temperature;
            }
            nn::softmax(&mut values);
            let shares = values.iter().map(|share| (share * WHOLE).round() as u16);
            bytes.extend(shares.flat_map(u16::to_le_bytes));
        }
    }
    bytes
}

/// The value of every move of every row for the colour to move. Where the result is certain, it is the result.
pub(crate) fn move_values<P: Points>(rows: &[Row<P>], reader: &mut OmegaReader) -> Vec<Vec<f32>> {
    let mut values: Vec<Vec<f32>> = Vec::with_capacity(rows.len());
    let mut open: Vec<(Position<P>, P)> = Vec::new();
    for row in rows {
        let position = row.position();
        let sign = if row.turn == go::Colour::Black { 1.0 } else { -1.0 };
        let judge = |m: Move| {
            let mut after = position.clone();
            after.play_unchecked(m, &mut ());
            let outcome = after.outcome().map(|outcome| outcome.values().of(row.turn.seat()));
            if let Some(certain) = outcome.or_else(|| eval::decided(&after).map(|black| sign * black)) {
                return certain;
            }
            let sensible = eval::sensible(&after);
            open.push((after, sensible));
            f32::NAN
        };
        values.push(moves(row).map(judge).collect());
    }
    let mut found = reader.values(open.iter().map(|(position, sensible)| (position, *sensible))).iter();
    for value in values.iter_mut().flatten().filter(|value| value.is_nan()) {
        // What the board is worth to the opponent, who is to move there.
        *value = -found.next().expect("one value per open position");
    }
    values
}
