//! Incremental evaluation along the line of a depth-first search.

use super::StaticEvaluator;
use crate::{Game, Observer, Values};

/// Evaluates positions along the line that a depth-first search explores.
///
/// The search has a stack of positions, one per ply; the evaluator has a slot for each, with whatever it updates from
/// one position to the next. Moves are not undone one by one: the search re-enters a ply with
/// [`descend`](Self::descend), which discards the previous contents of the slot.
pub trait LineEvaluator<G: Game> {
    /// Starts a new line with `root` in slot 0.
    fn reset(&mut self, root: &G);

    /// Makes slot `ply`, which is at least 1, stand for the same position as slot `ply - 1`.
    fn descend(&mut self, ply: usize);

    /// Plays the legal move `m` in `position`, the position of slot `ply`.
    fn play(&mut self, ply: usize, position: &mut G, m: G::Move);

    /// The value of `position`, which is that of slot `ply`, for every seat. Values follow the conventions of
    /// [`StaticEvaluator`].
    fn values(&mut self, ply: usize, position: &G) -> Values;
}

impl<G: Game, E: LineEvaluator<G> + ?Sized> LineEvaluator<G> for Box<E> {
    fn reset(&mut self, root: &G) {
        (**self).reset(root);
    }

    fn descend(&mut self, ply: usize) {
        (**self).descend(ply);
    }

    fn play(&mut self, ply: usize, position: &mut G, m: G::Move) {
        (**self).play(ply, position, m);
    }

    fn values(&mut self, ply: usize, position: &G) -> Values {
        (**self).values(ply, position)
    }
}

/// A [`StaticEvaluator`] as a [`LineEvaluator`]: every position is evaluated from scratch.
#[derive(Clone, Copy, Debug)]
pub struct FromScratch<E>(pub E);

impl<G: Game, E: StaticEvaluator<G>> LineEvaluator<G> for FromScratch<E> {
    fn reset(&mut self, _: &G) {}

    fn descend(&mut self, _: usize) {}

    fn play(&mut self, _: usize, position: &mut G, m: G::Move) {
        position.play_unchecked(m, &mut ());
    }

    fn values(&mut self, _: usize, position: &G) -> Values {
        self.0.values(position)
    }
}

/// An evaluation that can be updated from the changes that the rules report, such as a sum over pieces or the first
/// layer of a network.
pub trait Accumulator<G: Game> {
    /// The incrementally updated state of one position.
    type State: Clone + Send;

    /// The state of `position`, computed from scratch.
    fn refresh(&self, position: &G) -> Self::State;

    /// Applies one change of the board.
    fn update(&self, state: &mut Self::State, change: &G::Change);

    /// The value of `position`, whose state is `state`, for every seat.
    fn values(&mut self, position: &G, state: &Self::State) -> Values;
}

/// An [`Accumulator`] as a [`LineEvaluator`] that applies every change immediately. Suits states that are cheap to copy
/// and update.
#[derive(Clone, Debug)]
pub struct EagerLine<G: Game, A: Accumulator<G>> {
    accumulator: A,
    states: Vec<A::State>,
}

impl<G: Game, A: Accumulator<G>> EagerLine<G, A> {
    /// Creates a line evaluator around `accumulator`.
    pub fn new(accumulator: A) -> Self {
        Self { accumulator, states: Vec::new() }
    }
}

impl<G: Game, A: Accumulator<G>> LineEvaluator<G> for EagerLine<G, A> {
    fn reset(&mut self, root: &G) {
        self.states.clear();
        self.states.push(self.accumulator.refresh(root));
    }

    #[inline]
    fn descend(&mut self, ply: usize) {
        if self.states.len() == ply {
            self.states.push(self.states[ply - 1].clone());
        } else {
            let (above, below) = self.states.split_at_mut(ply);
            below[0].clone_from(&above[ply - 1]);
        }
    }

    #[inline]
    fn play(&mut self, ply: usize, position: &mut G, m: G::Move) {
        let Self { accumulator, states } = self;
        position.play_unchecked(m, &mut Apply { accumulator, state: &mut states[ply] });
    }

    #[inline]
    fn values(&mut self, ply: usize, position: &G) -> Values {
        self.accumulator.values(position, &self.states[ply])
    }
}

/// Applies changes as they are reported.
struct Apply<'a, A, S> {
    accumulator: &'a A,
    state: &'a mut S,
}

impl<G: Game, A: Accumulator<G>> Observer<G> for Apply<'_, A, A::State> {
    #[inline]
    fn changed(&mut self, change: G::Change) {
        self.accumulator.update(self.state, &change);
    }
}

/// An [`Accumulator`] as a [`LineEvaluator`] that computes states only when values are requested. Suits states that are
/// costly to copy or update, such as the first layer of a network.
///
/// Playing a move records the changes of the board. Requesting the values of a slot brings its state up to date from
/// the nearest computed slot above, and the slots in between with it, since their other children need them too. A slot
/// whose values are never requested, nor those of its descendants, costs only its list of changes.
#[derive(Clone, Debug)]
pub struct LazyLine<G: Game, A: Accumulator<G>> {
    accumulator: A,
    slots: Vec<Slot<G::Change, A::State>>,
    /// Slots from this index on have no state or a stale one.
    computed: usize,
}

#[derive(Clone, Debug)]
struct Slot<C, S> {
    /// The changes since the slot above, in order.
    changes: Vec<C>,
    /// How many of `changes` are applied to `state`.
    applied: usize,
    state: S,
}

impl<G: Game, A: Accumulator<G>> LazyLine<G, A> {
    /// Creates a line evaluator around `accumulator`.
    pub fn new(accumulator: A) -> Self {
        Self { accumulator, slots: Vec::new(), computed: 0 }
    }

    /// Brings the state of slot `ply` up to date.
    fn materialize(&mut self, ply: usize) {
        // The deepest computed slot may have received further changes; those above it were complete when it was
        // entered.
        let first = self.computed.min(ply + 1) - 1;
        for at in first..=ply {
            let (above, rest) = self.slots.split_at_mut(at);
            let slot = &mut rest[0];
            if at >= self.computed {
                slot.state.clone_from(&above[at - 1].state);
                slot.applied = 0;
            }
            for change in &slot.changes[slot.applied..] {
                self.accumulator.update(&mut slot.state, change);
            }
            slot.applied = slot.changes.len();
        }
        self.computed = self.computed.max(ply + 1);
    }
}

impl<G: Game, A: Accumulator<G>> LineEvaluator<G> for LazyLine<G, A> {
    fn reset(&mut self, root: &G) {
        let state = self.accumulator.refresh(root);
        self.slots.truncate(1);
        match self.slots.first_mut() {
            Some(slot) => {
                slot.changes.clear();
                (slot.applied, slot.state) = (0, state);
            }
            None => self.slots.push(Slot { changes: Vec::new(), applied: 0, state }),
        }
        self.computed = 1;
    }

    #[inline]
    fn descend(&mut self, ply: usize) {
        self.computed = self.computed.min(ply);
        if let Some(slot) = self.slots.get_mut(ply) {
            slot.changes.clear();
        } else {
            let state = self.slots[ply - 1].state.clone();
            self.slots.push(Slot { changes: Vec::new(), applied: 0, state });
        }
    }

    #[inline]
    fn play(&mut self, ply: usize, position: &mut G, m: G::Move) {
        position.play_unchecked(m, &mut Record(&mut self.slots[ply].changes));
    }

    #[inline]
    fn values(&mut self, ply: usize, position: &G) -> Values {
        self.materialize(ply);
        self.accumulator.values(position, &self.slots[ply].state)
    }
}

/// Collects changes for later.
struct Record<'a, C>(&'a mut Vec<C>);

impl<G: Game> Observer<G> for Record<'_, G::Change> {
    #[inline]
    fn changed(&mut self, change: G::Change) {
        self.0.push(change);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::toy::{Take, TakeMove, TakeRules};

    /// Tracks the size of the pile and counts the changes it applies.
    #[derive(Default)]
    struct Pile {
        refreshed: Cell<u32>,
        updated: Cell<u32>,
    }

    impl Accumulator<Take> for Pile {
        type State = u16;

        fn refresh(&self, position: &Take) -> u16 {
            self.refreshed.set(self.refreshed.get() + 1);
            (position.key() >> 32) as u16
        }

        fn update(&self, state: &mut u16, change: &u16) {
            self.updated.set(self.updated.get() + 1);
            *state = *change;
        }

        fn values(&mut self, position: &Take, state: &u16) -> Values {
            assert_eq!(u64::from(*state), position.key() >> 32, "the state belongs to another position");
            Values([f32::from(*state) / 100.0; crate::MAX_SEATS])
        }
    }

    fn start() -> (LazyLine<Take, Pile>, Take) {
        let root = Take::new(&TakeRules { tokens: 40, most: 40, seats: 2 });
        let mut line = LazyLine::new(Pile::default());
        line.reset(&root);
        (line, root)
    }

    fn updated(line: &LazyLine<Take, Pile>) -> u32 {
        line.accumulator.updated.get()
    }

    #[test]
    fn slots_without_requests_are_never_materialized() {
        let (mut line, root) = start();
        // A hundred lines of ten plies each, without a request.
        for _ in 0..100 {
            let mut position = root.clone();
            for ply in 1..=10 {
                line.descend(ply);
                line.play(ply, &mut position, TakeMove::One);
            }
        }
        assert_eq!((line.accumulator.refreshed.get(), updated(&line)), (1, 0));
        let mut position = root.clone();
        for _ in 0..10 {
            position.play_unchecked(TakeMove::One, &mut ());
        }
        line.values(10, &position);
        assert_eq!(updated(&line), 10, "the ten plies of the last line");
        // The slots in between are already computed, so siblings cost one change each.
        for _ in 0..5 {
            line.descend(10);
            let mut sibling = root.clone();
            for _ in 0..9 {
                sibling.play_unchecked(TakeMove::One, &mut ());
            }
            line.play(10, &mut sibling, TakeMove::One);
            line.values(10, &sibling);
        }
        assert_eq!(updated(&line), 15);
    }

    #[test]
    fn a_slot_can_be_extended_after_a_request() {
        let (line, position) = start();
        goes_on(line, position.clone());
        goes_on(EagerLine::new(Pile::default()), position);
    }

    /// Plays further moves in a slot after a request; the accumulator checks every state that is used.
    fn goes_on(mut line: impl LineEvaluator<Take>, mut position: Take) {
        line.reset(&position);
        line.descend(1);
        for step in 1..=6 {
            line.play(1, &mut position, TakeMove::One);
            if step % 2 == 0 {
                line.values(1, &position);
            }
            // A request one ply below, as when moves are compared.
            let mut below = position.clone();
            line.descend(2);
            line.play(2, &mut below, TakeMove::One);
            if step % 3 == 0 {
                line.values(2, &below);
            }
        }
        line.values(1, &position);
        let again = start().1;
        line.reset(&again);
        line.values(0, &again);
    }
}
