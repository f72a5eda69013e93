//! Proven bounds on the result of a position, one interval per seat.

use game::{MAX_SEATS, Seat, SeatPermutation, Values};

/// For every seat, an interval that contains the result of best play.
///
/// A result is proven when both ends are equal. The completion and resolution values of the literature follow from the
/// intervals: a seat's completion is +1 if its lower bound is a win, and −1 if its upper bound is a loss. Intervals
/// also cover nodes that are not fully expanded, and losing seats that can choose the winner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: Values,
    pub(super) upper: Values,
}

impl Bounds {
    /// No information.
    pub(super) const UNKNOWN: Self =
        Self { lower: Values([-1.0; MAX_SEATS]), upper: Values([1.0; MAX_SEATS]) };

    /// A known result.
    pub(super) const fn exact(values: Values) -> Self {
        Self { lower: values, upper: values }
    }

    /// Whether the result is proven for each of `seats`.
    pub(super) fn is_exact(&self, seats: usize) -> bool {
        self.lower.0[..seats] == self.upper.0[..seats]
    }

    /// +1 for a proven win of the seat, −1 for a proven loss, 0 otherwise.
    pub(super) fn completion(&self, seat: Seat) -> i8 {
        i8::from(self.lower.of(seat) >= 1.0) - i8::from(self.upper.of(seat) <= -1.0)
    }

    /// Converts bounds after some moves to the seat order before them.
    pub(super) fn to_parent(self, permutation: SeatPermutation) -> Self {
        Self { lower: permutation.to_parent(self.lower), upper: permutation.to_parent(self.upper) }
    }

    /// The bounds of a position in which `mover` chooses between positions with the bounds of `choices` and, if
    /// `has_unexpanded`, moves without any information.
    pub(super) fn of_choice(
        mover: Seat,
        seats: usize,
        choices: impl Iterator<Item = Self> + Clone,
        has_unexpanded: bool,
    ) -> Self {
        let unknown = has_unexpanded.then_some(Self::UNKNOWN);
        let all = choices.chain(unknown);
        let secured = all.clone().map(|choice| choice.lower.of(mover)).fold(-1.0, f32::max);
        let mut bounds = Self::exact(Values::default());
        for seat in 0..seats {
            (bounds.lower.0[seat], bounds.upper.0[seat]) = (1.0, -1.0);
        }
        // The mover does not choose a move that cannot reach the secured result; it may choose any of the others.
        for choice in all.filter(|choice| choice.upper.of(mover) >= secured) {
            for seat in 0..seats {
                bounds.lower.0[seat] = bounds.lower.0[seat].min(choice.lower.0[seat]);
                bounds.upper.0[seat] = bounds.upper.0[seat].max(choice.upper.0[seat]);
            }
        }
        bounds.lower.0[mover.index()] = secured;
        bounds.tighten(seats);
        bounds
    }

    /// Infers bounds of other seats: there is only one winner, and with two seats the values add up to zero.
    fn tighten(&mut self, seats: usize) {
        if let Some(winner) = (0..seats).find(|&seat| self.lower.0[seat] >= 1.0) {
            self.lower.0[..seats].fill(-1.0);
            self.lower.0[winner] = 1.0;
            self.upper = self.lower;
        } else if seats == 2 {
            for (seat, other) in [(0, 1), (1, 0)] {
                self.lower.0[seat] = self.lower.0[seat].max(-self.upper.0[other]);
                self.upper.0[seat] = self.upper.0[seat].min(-self.lower.0[other]);
            }
        }
    }

    /// Clamps the estimate `values` to the bounds.
    pub(super) fn clamp(&self, values: Values) -> Values {
        let mut clamped = values;
        for (value, (lower, upper)) in clamped.0.iter_mut().zip(self.lower.0.into_iter().zip(self.upper.0)) {
            *value = value.max(lower).min(upper);
        }
        clamped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Seat = Seat::FIRST;

    fn exact(values: &[f32]) -> Bounds {
        let mut all = Values::default();
        all.0[..values.len()].copy_from_slice(values);
        Bounds::exact(all)
    }

    fn choice(seats: usize, choices: &[Bounds], has_unexpanded: bool) -> Bounds {
        Bounds::of_choice(A, seats, choices.iter().copied(), has_unexpanded)
    }

    #[test]
    fn a_win_is_proven_even_if_other_moves_are_unknown() {
        for seats in 2..=4 {
            let bounds = choice(seats, &[Bounds::UNKNOWN, exact(&[1.0, -1.0, -1.0, -1.0][..seats])], true);
            assert!(bounds.is_exact(seats));
            assert_eq!(bounds.completion(A), 1);
            assert!(Seat::all(seats).skip(1).all(|seat| bounds.completion(seat) == -1));
        }
    }

    #[test]
    fn a_loss_is_proven_only_if_every_move_is_expanded() {
        let losses = [exact(&[-1.0, 1.0]); 3];
        assert_eq!(choice(2, &losses, false).completion(A), -1);
        assert_eq!(choice(2, &losses, true).completion(A), 0);
        assert_eq!(choice(2, &[losses[0], Bounds::UNKNOWN], false).completion(A), 0);
    }

    #[test]
    fn a_draw_is_proven_if_no_move_can_be_better() {
        let (draw, loss) = (exact(&[0.0, 0.0]), exact(&[-1.0, 1.0]));
        assert_eq!(choice(2, &[draw, loss], false), draw);
        let not_winning =
            Bounds { lower: Values([-1.0, 0.0, 0.0, 0.0]), upper: Values([0.0, 1.0, 0.0, 0.0]) };
        assert!(choice(2, &[draw, not_winning], false).is_exact(2));
        assert!(!choice(2, &[draw, Bounds::UNKNOWN], false).is_exact(2));
    }

    #[test]
    fn a_losing_seat_that_chooses_the_winner_proves_nothing_for_the_others() {
        let (second, third) = (exact(&[-1.0, 1.0, -1.0]), exact(&[-1.0, -1.0, 1.0]));
        let bounds = choice(3, &[second, third], false);
        assert_eq!(bounds.completion(A), -1);
        assert!(!bounds.is_exact(3));
        assert_eq!(Seat::all(3).map(|seat| bounds.completion(seat)).collect::<Vec<_>>(), [-1, 0, 0]);
        assert!(choice(3, &[second, second], false).is_exact(3));
    }
}
