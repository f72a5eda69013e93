//! Ownership and score, estimated by playouts.

use game::Game;
use go::{CarefulPlayouts, Colour, Move, Points, Position};

use super::Estimate;

/// How a game may end: the mean over playouts.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// Who owns each point, from 1 (Black) to -1 (White), row by row from the top left corner.
    pub ownership: Vec<f32>,
    /// Black's lead by area, with komi.
    pub lead: f32,
    /// The standard deviation of the lead.
    pub deviation: f32,
}

impl Forecast {
    /// The forecast after a line of legal moves.
    pub(super) fn of<P: Points>(
        mut position: Position<P>,
        line: &[Move],
        estimate: &mut Estimate<'_>,
    ) -> Self {
        for &m in line {
            if position.is_over() || !position.is_legal(m) {
                break;
            }
            position.play_unchecked(m, &mut ());
        }
        let board = *position.board();
        let size = board.size();
        let mut owned = vec![0_i64; size * size];
        let (mut sum, mut squares) = (0.0_f64, 0.0_f64);
        let playouts = CarefulPlayouts::new(&position);
        let runs = if position.is_over() { 1 } else { estimate.playouts.max(1) };
        for _ in 0..runs {
            let end = if position.is_over() { board } else { playouts.end::<P>(estimate.rng) };
            let surrounded = end.surrounded();
            let mut lead = 0;
            for (colour, sign) in [(Colour::Black, 1), (Colour::White, -1)] {
                let area = end.stones(colour) | surrounded[colour.index()];
                lead += sign * i64::from(area.len());
                for point in area.iter() {
                    owned[(size - 1 - point.row()) * size + point.column()] += sign;
                }
            }
            sum += lead as f64;
            squares += (lead * lead) as f64;
        }
        let runs = f64::from(runs);
        let mean = sum / runs;
        let komi = f64::from(position.rules().komi.half_points()) / 2.0;
        Self {
            ownership: owned.into_iter().map(|count| (count as f64 / runs) as f32).collect(),
            lead: (mean - komi) as f32,
            deviation: (squares / runs - mean * mean).max(0.0).sqrt() as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notation;
    use go::{Rules, Small};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    #[test]
    fn a_settled_board_is_owned_as_it_stands() {
        let text = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5";
        let mut position = Position::<Small>::new(&Rules { komi: "0.5".parse().unwrap(), ..Rules::new(5) });
        for m in text.split(' ') {
            position.play(position.parse_move(m).unwrap()).unwrap();
        }
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        let mut estimate = Estimate { playouts: 100, rng };
        let pass = [Move::PASS, Move::PASS];
        let ended = Forecast::of(position.clone(), &pass, &mut estimate);
        assert_eq!((ended.lead, ended.deviation), (4.5, 0.0));
        assert_eq!(ended.ownership[..5], [1.0, 1.0, 1.0, -1.0, -1.0]);
        let open = Forecast::of(position, &[], &mut estimate);
        assert!(open.ownership[2] > 0.5 && open.ownership[3] < -0.5, "{open:?}");
    }
}
