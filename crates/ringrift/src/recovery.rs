//! Recovery slides (R110–R115).

use game::Observer;

use crate::{
    Cell, Kind, Move, Position, RecoveryRule,
    bits::Bits,
    geometry::{Direction, Geometry},
    line::Line,
};

/// The run of markers through the destination of a slide along one axis, once the marker has moved.
#[derive(Clone, Copy, Debug)]
struct Run {
    axis: usize,
    length: u32,
    /// The number of cells of the run before the destination.
    before: u32,
}

impl<B: Geometry> Position<B> {
    /// R110: whether the mover controls no stack but owns a marker and a buried ring.
    #[inline]
    pub(crate) fn is_recovery_eligible(&self) -> bool {
        self.controlled_by(self.seat).is_empty()
            && self.on_board[self.seat.index()] > 0
            && !self.markers_of(self.seat).is_empty()
    }

    /// The stacks that can pay for a slide: those with a buried ring of the mover.
    pub(crate) fn recovery_payers(&self) -> impl Iterator<Item = Cell> {
        self.all_stacks().cells().filter(|&cell| self.stack(cell).buries(self.seat))
    }

    fn run_through(&self, from: Cell, to: Cell, axis: usize) -> Run {
        let mut markers = self.markers_of(self.seat);
        markers.toggle(from);
        let (forward, backward) = (Direction(2 * axis as u8), Direction(2 * axis as u8 + 1));
        let before = Self::run_ahead(markers, to, backward);
        Run { axis, before, length: before + 1 + Self::run_ahead(markers, to, forward) }
    }

    /// All slides of the mover's markers to a neighbouring cell that is empty or holds a stack: the start, the
    /// direction and the destination.
    fn slides(&self) -> impl Iterator<Item = (Cell, Direction, Cell)> {
        let barred = self.all_markers() | self.all_collapsed();
        self.markers_of(self.seat).cells().flat_map(move |from| {
            B::directions().filter_map(move |direction| {
                let to = B::neighbour(from, direction)?;
                (!barred.contains(to)).then_some((from, direction, to))
            })
        })
    }

    pub(crate) fn recovery_moves(&self, moves: &mut Vec<Move>) {
        let mut makes_line = false;
        for (from, direction, to) in self.slides() {
            if self.stack(to).is_empty() {
                makes_line |= self.line_slides(from, direction, to, moves);
            }
        }
        if makes_line {
            return;
        }
        for (from, direction, to) in self.slides() {
            let kind = if self.stack(to).is_empty() { Kind::RecoverFallback } else { Kind::RecoverStrike };
            moves.extend(self.recovery_payers().map(|payer| Move::recover(kind, from, direction, 0, payer)));
        }
    }

    /// Adds the line moves of one slide and returns whether the slide completes a line. Under
    /// [`RecoveryRule::Reference`] a slide can complete a line, and so rule out the other modes, without being legal.
    fn line_slides(&self, from: Cell, direction: Direction, to: Cell, moves: &mut Vec<Move>) -> bool {
        let required = u32::from(self.goals.line_length);
        let runs = (0..B::AXES).map(|axis| self.run_through(from, to, axis));
        let mut pay_for = |run: Run| {
            let pay = |payer| Move::recover(Kind::RecoverLine, from, direction, run.axis, payer);
            moves.extend(self.recovery_payers().map(pay));
        };
        if self.rules.recovery == RecoveryRule::Text {
            for run in runs.clone().filter(|run| run.length >= required) {
                pay_for(run);
            }
            for run in runs.clone().filter(|run| run.length > required) {
                moves.extend(Self::windows(from, direction, run, required));
            }
            return runs.clone().any(|run| run.length >= required);
        }
        // The longest run, or the first of several, qualifies the slide; the first run of at least base length
        // collapses.
        let longest = runs.clone().reduce(|best, run| if run.length > best.length { run } else { best });
        let longest = longest.expect("a board has axes");
        if longest.length < required {
            return false;
        }
        let base = u32::from(self.goals.base_line);
        let Some(collapsing) =
            runs.clone().find(|run| run.length >= base).filter(|run| run.length >= required)
        else {
            return true;
        };
        pay_for(collapsing);
        // The reference engine offers only the first window, and only if it contains the destination. It then
        // accepts the other windows too.
        if longest.length > required && longest.before < required {
            if collapsing.length > required {
                moves.extend(Self::windows(from, direction, longest, required));
            } else {
                moves.push(Move::recover_window(from, direction, collapsing.axis, 0));
            }
        }
        true
    }

    /// The windows of a run that contain the destination.
    fn windows(from: Cell, direction: Direction, run: Run, required: u32) -> impl Iterator<Item = Move> {
        let first = (run.before + 1).saturating_sub(required);
        let last = run.before.min(run.length - required);
        (first..=last).map(move |offset| Move::recover_window(from, direction, run.axis, offset))
    }

    /// The cells that a recovery by line collapses.
    pub(crate) fn recovery_line(&self, m: Move) -> Line {
        let to = B::ahead(m.cell(), m.recovery_direction(), 1);
        let axis = m.recovery_axis();
        let run = self.run_through(m.cell(), to, axis);
        let start = B::ahead(to, Direction(2 * axis as u8 + 1), run.before);
        if m.kind() == Kind::RecoverWindow {
            let first = B::ahead(start, Direction(2 * axis as u8), m.offset());
            Line { first, axis, length: self.goals.line_length.into() }
        } else {
            Line { first: start, axis, length: run.length }
        }
    }

    pub(crate) fn recover(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let (seat, from) = (self.seat, m.cell());
        let to = B::ahead(from, m.recovery_direction(), 1);
        let line = matches!(m.kind(), Kind::RecoverLine | Kind::RecoverWindow).then(|| self.recovery_line(m));
        self.take_marker(from, seat, observer);
        if m.kind() == Kind::RecoverStrike {
            self.eliminate_top(to, 1, observer);
        } else {
            self.put_marker(to, seat, observer);
        }
        if let Some(Line { first, axis, length }) = line {
            self.collapse_run(first, axis, 0, length, observer);
        }
        if m.kind() != Kind::RecoverWindow {
            self.extract(m.payer(), observer);
        }
        self.recovered = true;
        self.enter_line_processing();
    }
}
