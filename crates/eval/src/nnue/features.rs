//! What an efficiently updatable network sees of a position of RingRift.
//!
//! A position is seen from every seat. Each perspective is a list of active features of two kinds: one for every cell that
//! holds something, kept up to date from the changes that the rules report, and a few for counters and the state of the
//! turn, read off the position when it is evaluated. Owners are "mine" and "another's", so one network serves two to four
//! seats; who moves when is a feature, since the same board is worth more to the seat that moves next.
//!
//! | features | active | meaning |
//! |---|---|---|
//! | 44 a cell | at most 1 | marker (mine, another's), collapsed (mine, another's), stack by controller, cap (1–4, more) and foreign rings below the cap (0–2, more) |
//! | 2 a cell | at most 1 | the cell that has to move or capture on, if I move and if another does |
//! | 32 each | 1 each | hand, eliminated rings, territory and rings on the board: mine, and the largest of the others' |
//! | 4 | 1 | turns until I move |
//! | 14 | 1 | phase of the turn, if I move and if another does |
//! | 3 | 1 | number of seats |
//! | 6 | at most 2 | what the mover owes; rounds in which I, or another, was the only seat able to act |

use std::marker::PhantomData;

use game::{Game, MAX_SEATS, Seat};
use ringrift::{Bits, Cell, Content, Geometry, Owes, Phase, Position, Standing};

/// Caps that are told apart: 1 to 4 rings, and more.
const CAPS: usize = 5;
/// Numbers of foreign rings below a cap that are told apart: 0 to 2, and more.
const FOREIGN: usize = 4;
/// Marker, collapsed, and stack by cap and foreign rings, each mine or another's.
const STATES: usize = 4 + 2 * CAPS * FOREIGN;
/// Steps into which a counter is divided on its way to its goal.
const STEPS: usize = 32;
/// Hand, eliminated rings, territory, rings on the board: mine and the largest of the others'.
const COUNTERS: usize = 8;
/// Phases of a game that goes on.
const PHASES: usize = 7;

/// The features of positions on the board `B`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features<B>(PhantomData<B>);

impl<B: Geometry> Features<B> {
    /// The name of this encoder in model files.
    pub fn id() -> String {
        format!("ringrift-{}-nnue1", B::BOARD)
    }

    fn cells() -> usize {
        B::NO_RINGS.as_ref().len()
    }

    /// Features of one perspective.
    pub fn count() -> usize {
        Self::starts()[6]
    }

    /// The first feature of each family behind those of cells, and the end of the last.
    fn starts() -> [usize; 7] {
        let focus = Self::cells() * STATES;
        let counters = focus + 2 * Self::cells();
        let tempo = counters + COUNTERS * STEPS;
        let phase = tempo + 4;
        let seats = phase + 2 * PHASES;
        let turn = seats + 3;
        [focus, counters, tempo, phase, seats, turn, turn + 6]
    }

    /// Ends of the groups of features of which at most one is active.
    pub fn groups() -> Vec<usize> {
        let [focus, counters, tempo, phase, seats, turn, end] = Self::starts();
        let mut groups: Vec<usize> = (1..=Self::cells()).map(|cell| cell * STATES).collect();
        debug_assert_eq!(groups.last(), Some(&focus));
        groups.push(counters);
        groups.extend((1..=COUNTERS).map(|counter| counters + counter * STEPS));
        debug_assert_eq!(groups.last(), Some(&tempo));
        groups.extend([phase, seats, turn, turn + 2, end]);
        groups
    }

    /// The feature of what a cell holds, for every seat; `None` for an empty cell.
    #[inline]
    pub fn of_cell(cell: Cell, content: Content) -> Option<CellFeature> {
        let (owner, state, distance) = match content {
            Content::Empty => return None,
            Content::Marker(owner) => (owner, 0, 1),
            Content::Collapsed(owner) => (owner, 2, 1),
            Content::Stack(stack) => {
                let owner = stack.top()?;
                let (cap, height) = (stack.cap() as usize, stack.height() as usize);
                let foreign = height - stack.count(owner) as usize;
                let state = 4 + (cap.min(CAPS) - 1) * FOREIGN + foreign.min(FOREIGN - 1);
                (owner, state, CAPS * FOREIGN)
            }
        };
        let mine = B::slot(cell) * STATES + state;
        Some(CellFeature { owner, mine: mine as u16, anothers: (mine + distance) as u16 })
    }

    /// All features of `position` seen from `seat`.
    pub fn active(position: &Position<B>, seat: Seat, active: &mut Vec<u16>) {
        active.clear();
        let cells = position.contents().filter_map(|(cell, content)| Self::of_cell(cell, content));
        active.extend(cells.map(|feature| feature.seen_from(seat)));
        active.extend_from_slice(TurnFeatures::new(position).seen_from(seat).as_slice());
    }

    /// The number of heads of a network that tells `stages` stages of the game apart: one per stage and number of turns
    /// until a seat moves.
    pub fn heads(stages: usize) -> usize {
        stages * MAX_SEATS
    }

    /// The head of the seat to move; those of the seats that move after it follow.
    pub fn head(position: &Position<B>, heads: usize) -> usize {
        Self::stage(position, heads / MAX_SEATS) * MAX_SEATS
    }

    /// The stage of the game, 0 for the opening: how near the nearest seat is to a goal.
    fn stage(position: &Position<B>, stages: usize) -> usize {
        if stages == 1 {
            return 0;
        }
        let goals = position.goals();
        let progress = |seat: Seat| {
            let eliminated = position.credits(seat) * 1_000 / u32::from(goals.eliminations).max(1);
            eliminated.max(position.territory(seat) * 1_000 / u32::from(goals.territory).max(1))
        };
        let nearest = Seat::all(position.seats()).map(progress).max().unwrap_or(0);
        (nearest as usize * stages / 1_000).min(stages.max(1) - 1)
    }

    /// The kind of each feature of a cell: what the cell holds, wherever it is, and who moves from it.
    pub fn kinds() -> Vec<Option<u16>> {
        let [focus, counters, ..] = Self::starts();
        (0..Self::count())
            .map(|feature| match feature {
                _ if feature < focus => Some((feature % STATES) as u16),
                _ if feature < counters => Some((STATES + (feature - focus) / Self::cells()) as u16),
                _ => None,
            })
            .collect()
    }

    /// Where each feature goes under a symmetry of the board.
    pub fn image(symmetry: usize) -> Vec<u16> {
        let mut image: Vec<u16> = (0..Self::count() as u16).collect();
        let [focus, ..] = Self::starts();
        for cell in B::ON_BOARD.cells() {
            let (from, to) = (B::slot(cell), B::slot(Position::<B>::image(cell, symmetry)));
            for state in 0..STATES {
                image[from * STATES + state] = (to * STATES + state) as u16;
            }
            for side in 0..2 {
                image[focus + side * Self::cells() + from] = (focus + side * Self::cells() + to) as u16;
            }
        }
        image
    }
}

/// The feature of what a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellFeature {
    owner: Seat,
    mine: u16,
    anothers: u16,
}

impl CellFeature {
    /// The feature for one perspective.
    #[inline]
    pub fn seen_from(self, seat: Seat) -> u16 {
        if self.owner == seat { self.mine } else { self.anothers }
    }
}

/// The features of everything but the contents of cells, read off a position once for all perspectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TurnFeatures<B> {
    seats: usize,
    mover: Seat,
    focus: Option<Cell>,
    /// Hand, eliminated rings, territory and rings on the board of every seat, in steps on their way to a goal.
    steps: [[u16; MAX_SEATS]; COUNTERS / 2],
    phase: Phase,
    owes: Owes,
    standing: Standing,
    board: PhantomData<B>,
}

impl<B: Geometry> TurnFeatures<B> {
    /// Reads the features of a position.
    #[inline]
    pub(super) fn new(position: &Position<B>) -> Self {
        let (seats, goals) = (position.seats(), position.goals());
        let [rings, eliminations, territory] =
            [goals.rings, goals.eliminations, goals.territory].map(u32::from);
        let mut steps = [[0; MAX_SEATS]; COUNTERS / 2];
        for seat in Seat::all(seats) {
            let index = seat.index();
            steps[0][index] = step(position.hand(seat), rings);
            steps[1][index] = step(position.credits(seat), eliminations);
            steps[2][index] = step(position.territory(seat), territory);
            steps[3][index] = step(position.rings_on_board(seat), rings);
        }
        Self {
            seats,
            mover: position.to_move(),
            focus: position.focus(),
            steps,
            phase: position.phase(),
            owes: position.owes(),
            standing: position.standing(),
            board: PhantomData,
        }
    }

    /// The number of turns until `seat` moves.
    #[inline]
    pub(super) fn turns_until(&self, seat: Seat) -> usize {
        let (seat, mover) = (seat.index(), self.mover.index());
        if seat >= mover { seat - mover } else { seat + self.seats - mover }
    }

    /// The features for one perspective.
    #[inline]
    pub(super) fn seen_from(&self, seat: Seat) -> ActiveFeatures {
        let [focus, counters, tempo, phase, seats_start, turn, _] = Features::<B>::starts();
        let Self { seats, mover, .. } = *self;
        let another = usize::from(mover != seat);
        let mut active = ActiveFeatures::default();
        if let Some(cell) = self.focus {
            active.add(focus + another * Features::<B>::cells() + B::slot(cell));
        }
        for (index, steps) in self.steps.iter().enumerate() {
            // Steps grow with the counters, so the largest step is that of the largest counter.
            let others = (0..seats).filter(|&other| other != seat.index()).map(|other| steps[other]);
            let sides = [steps[seat.index()], others.max().unwrap_or(0)];
            for (side, step) in sides.into_iter().enumerate() {
                active.add(counters + (2 * index + side) * STEPS + usize::from(step));
            }
        }
        active.add(tempo + self.turns_until(seat));
        active.add(phase + another * PHASES + (self.phase as usize).min(PHASES - 1));
        active.add(seats_start + seats - 2);
        match self.owes {
            Owes::Nothing => {}
            Owes::Line => active.add(turn),
            Owes::Region => active.add(turn + 1),
        }
        let Standing { alone, rounds, .. } = self.standing;
        if let Some(alone) = alone.filter(|_| rounds > 0) {
            active.add(turn + 2 + 2 * usize::from(alone != seat) + usize::from(rounds > 1));
        }
        active
    }
}

/// The most features that [`TurnFeatures`] have for one perspective.
const MOST_ACTIVE: usize = 1 + COUNTERS + 5;

/// A short list of active features.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct ActiveFeatures {
    list: [u16; MOST_ACTIVE],
    count: usize,
}

impl ActiveFeatures {
    #[inline]
    fn add(&mut self, feature: usize) {
        self.list[self.count] = feature as u16;
        self.count += 1;
    }

    /// The features.
    #[inline]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.list[..self.count]
    }
}

/// The step of a counter on its way to `goal`, exact where the goal is small.
#[inline]
fn step(value: u32, goal: u32) -> u16 {
    const LAST: u32 = STEPS as u32 - 1;
    let step = if goal <= LAST { value } else { value * LAST / goal };
    step.min(LAST) as u16
}
