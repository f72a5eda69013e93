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
use ringrift::{Bits, Cell, Content, Geometry, Owes, Phase, Position};

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

    /// The feature of what a cell holds, seen from `seat`; `None` for an empty cell.
    #[inline]
    pub fn of_cell(cell: Cell, content: Content, seat: Seat) -> Option<u16> {
        let whose = |owner: Seat| usize::from(owner != seat);
        let state = match content {
            Content::Empty => return None,
            Content::Marker(owner) => whose(owner),
            Content::Collapsed(owner) => 2 + whose(owner),
            Content::Stack(stack) => {
                let owner = stack.top()?;
                let (cap, height) = (stack.cap() as usize, stack.height() as usize);
                let foreign = height - stack.count(owner) as usize;
                4 + (whose(owner) * CAPS + cap.min(CAPS) - 1) * FOREIGN + foreign.min(FOREIGN - 1)
            }
        };
        Some((B::slot(cell) * STATES + state) as u16)
    }

    /// The features of everything but the contents of cells, seen from `seat`.
    pub fn of_turn(position: &Position<B>, seat: Seat, active: &mut Vec<u16>) {
        let [focus, counters, tempo, phase, seats_start, turn, _] = Self::starts();
        let (mover, seats, goals) = (position.to_move(), position.seats(), position.goals());
        let another = usize::from(mover != seat);
        let mut add = |feature: usize| active.push(feature as u16);
        if let Some(cell) = position.focus() {
            add(focus + another * Self::cells() + B::slot(cell));
        }
        let rings = u32::from(goals.rings);
        let measures: [(&dyn Fn(Seat) -> u32, u32); 4] = [
            (&|seat| position.hand(seat), rings),
            (&|seat| position.credits(seat), goals.eliminations.into()),
            (&|seat| position.territory(seat), goals.territory.into()),
            (&|seat| position.rings_on_board(seat), rings),
        ];
        for (index, (measure, goal)) in measures.into_iter().enumerate() {
            let others = Seat::all(seats).filter(|&other| other != seat).map(measure);
            for (side, value) in [measure(seat), others.max().unwrap_or(0)].into_iter().enumerate() {
                add(counters + (2 * index + side) * STEPS + step(value, goal));
            }
        }
        add(tempo + (seat.index() + seats - mover.index()) % seats);
        let number = Phase::ALL.iter().position(|&other| other == position.phase()).unwrap_or(0);
        add(phase + another * PHASES + number.min(PHASES - 1));
        add(seats_start + seats - 2);
        match position.owes() {
            Owes::Nothing => {}
            Owes::Line => add(turn),
            Owes::Region => add(turn + 1),
        }
        let standing = position.standing();
        if let Some(alone) = standing.alone.filter(|_| standing.rounds > 0) {
            add(turn + 2 + 2 * usize::from(alone != seat) + usize::from(standing.rounds > 1));
        }
    }

    /// All features of `position` seen from `seat`.
    pub fn active(position: &Position<B>, seat: Seat, active: &mut Vec<u16>) {
        active.clear();
        let cells = position.contents().filter_map(|(cell, content)| Self::of_cell(cell, content, seat));
        active.extend(cells);
        Self::of_turn(position, seat, active);
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
        let goals = position.goals();
        let progress = |seat: Seat| {
            let eliminated = position.credits(seat) * 1_000 / u32::from(goals.eliminations).max(1);
            eliminated.max(position.territory(seat) * 1_000 / u32::from(goals.territory).max(1))
        };
        let nearest = Seat::all(position.seats()).map(progress).max().unwrap_or(0);
        (nearest as usize * stages / 1_000).min(stages.max(1) - 1)
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

/// The step of a counter on its way to `goal`, exact where the goal is small.
fn step(value: u32, goal: u32) -> usize {
    let goal = goal.max(1);
    let step = if goal < STEPS as u32 { value } else { value * (STEPS as u32 - 1) / goal };
    (step as usize).min(STEPS - 1)
}
