//! What is certain about a position: for every seat, the least and the most it can end with.

use game::{MAX_SEATS, Seat, SeatPermutation, Values};

/// The interval that holds the result of best play, for every seat.
///
/// A result is certain where both ends meet. Completion and resolution of the literature are read off: a seat's
/// completion is +1 when its least is a win, −1 when its most is a loss. Intervals also say the right thing where
/// not every move was opened, and where seats that lose anyway can choose who wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) least: Values,
    pub(super) most: Values,
}

impl Bounds {
    /// Nothing is known.
    pub(super) const OPEN: Self = Self { least: Values([-1.0; MAX_SEATS]), most: Values([1.0; MAX_SEATS]) };

    /// Everything is known.
    pub(super) const fn certain(values: Values) -> Self {
        Self { least: values, most: values }
    }

    /// Whether the result is certain for every one of `seats`.
    pub(super) fn is_certain(&self, seats: usize) -> bool {
        self.least.0[..seats] == self.most.0[..seats]
    }

    /// +1 if the seat certainly wins, −1 if it certainly loses, 0 otherwise.
    pub(super) fn completion(&self, seat: Seat) -> i8 {
        i8::from(self.least.of(seat) >= 1.0) - i8::from(self.most.of(seat) <= -1.0)
    }

    /// Bounds after some moves, in the seat order before them.
    pub(super) fn to_parent(&self, permutation: SeatPermutation) -> Self {
        Self { least: permutation.to_parent(self.least), most: permutation.to_parent(self.most) }
    }

    /// The bounds where `mover` chooses between positions with the bounds of `choices`, and between others of which
    /// nothing is known if there are any `unopened`.
    pub(super) fn of_choice(
        mover: Seat,
        seats: usize,
        choices: impl Iterator<Item = Self> + Clone,
        unopened: bool,
    ) -> Self {
        let unknown = unopened.then_some(Self::OPEN);
        let all = choices.chain(unknown);
        let secured = all.clone().map(|choice| choice.least.of(mover)).fold(-1.0, f32::max);
        let mut bounds = Self::certain(Values::default());
        for seat in 0..seats {
            (bounds.least.0[seat], bounds.most.0[seat]) = (1.0, -1.0);
        }
        // What cannot be as good as the secured result is not chosen; between the others nobody else has a say.
        for choice in all.filter(|choice| choice.most.of(mover) >= secured) {
            for seat in 0..seats {
                bounds.least.0[seat] = bounds.least.0[seat].min(choice.least.0[seat]);
                bounds.most.0[seat] = bounds.most.0[seat].max(choice.most.0[seat]);
            }
        }
        bounds.least.0[mover.index()] = secured;
        bounds.conclude(seats);
        bounds
    }

    /// Draws the conclusions from one seat to the others: a winner is alone, and of two seats one has what the
    /// other lacks.
    fn conclude(&mut self, seats: usize) {
        if let Some(winner) = (0..seats).find(|&seat| self.least.0[seat] >= 1.0) {
            self.least.0[..seats].fill(-1.0);
            self.least.0[winner] = 1.0;
            self.most = self.least;
        } else if seats == 2 {
            for (seat, other) in [(0, 1), (1, 0)] {
                self.least.0[seat] = self.least.0[seat].max(-self.most.0[other]);
                self.most.0[seat] = self.most.0[seat].min(-self.least.0[other]);
            }
        }
    }

    /// The estimate `values`, corrected by what is certain.
    pub(super) fn correct(&self, values: Values) -> Values {
        let mut corrected = values;
        for (value, (least, most)) in corrected.0.iter_mut().zip(self.least.0.into_iter().zip(self.most.0)) {
            *value = value.max(least).min(most);
        }
        corrected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Seat = Seat::FIRST;

    fn certain(values: &[f32]) -> Bounds {
        let mut all = Values::default();
        all.0[..values.len()].copy_from_slice(values);
        Bounds::certain(all)
    }

    fn choice(seats: usize, choices: &[Bounds], unopened: bool) -> Bounds {
        Bounds::of_choice(A, seats, choices.iter().copied(), unopened)
    }

    #[test]
    fn a_win_settles_everything_whatever_else_is_unknown() {
        for seats in 2..=4 {
            let bounds = choice(seats, &[Bounds::OPEN, certain(&[1.0, -1.0, -1.0, -1.0][..seats])], true);
            assert!(bounds.is_certain(seats));
            assert_eq!(bounds.completion(A), 1);
            assert!(Seat::all(seats).skip(1).all(|seat| bounds.completion(seat) == -1));
        }
    }

    #[test]
    fn a_loss_is_certain_only_when_every_move_was_opened() {
        let losses = [certain(&[-1.0, 1.0]); 3];
        assert_eq!(choice(2, &losses, false).completion(A), -1);
        assert_eq!(choice(2, &losses, true).completion(A), 0);
        assert_eq!(choice(2, &[losses[0], Bounds::OPEN], false).completion(A), 0);
    }

    #[test]
    fn a_draw_is_certain_when_nothing_better_is_left() {
        let (draw, loss) = (certain(&[0.0, 0.0]), certain(&[-1.0, 1.0]));
        assert_eq!(choice(2, &[draw, loss], false), draw);
        let not_winning = Bounds { least: Values([-1.0, 0.0, 0.0, 0.0]), most: Values([0.0, 1.0, 0.0, 0.0]) };
        assert!(choice(2, &[draw, not_winning], false).is_certain(2));
        assert!(!choice(2, &[draw, Bounds::OPEN], false).is_certain(2));
    }

    #[test]
    fn a_loser_who_chooses_the_winner_makes_nothing_certain_for_the_others() {
        let (second, third) = (certain(&[-1.0, 1.0, -1.0]), certain(&[-1.0, -1.0, 1.0]));
        let bounds = choice(3, &[second, third], false);
        assert_eq!(bounds.completion(A), -1);
        assert!(!bounds.is_certain(3));
        assert_eq!(Seat::all(3).map(|seat| bounds.completion(seat)).collect::<Vec<_>>(), [-1, 0, 0]);
        assert!(choice(3, &[second, second], false).is_certain(3));
    }
}
