//! RingRift for gradient move optimisation.
//!
//! Positions are the features of NNUE, seen from the seat to move: markers, territory, stacks by controller, cap and
//! foreign rings, hands, credits, territory, rings on the board, phase, what is owed. The twelve-plane encoder has those of
//! [`SeedFeatures`](crate::SeedFeatures) instead, which show neither markers nor heights, hands or phases.
//!
//! | group | words | width | meaning |
//! |---|---|---|---|
//! | 0 | 25 | 32 | the kind of the move |
//! | 1 | cells + 1 | 32 | the cell it starts from: the origin, or the stack that pays; last: none |
//! | 2 | cells + 1 | 32 | the cells it is about: destination, cell placed on, both ends of a line, cells of a region, stack that pays for a recovery; last: none |
//! | 3 | 24 | 16 | rings placed (none to three), direction, axis, wall of a region, a win, loss or draw at once |
//! | 4 | 2 × features | 64 | what it changes up to the next decision: features that appear, and features that vanish |
//!
//! No two legal moves have the same words. The twelve-plane encoder does without group 4 and without the words for the end
//! of the game: its moves are known by what they are, not by what they do.

use std::marker::PhantomData;

use game::{Game, Seat};
use nn::{CellGraph, GmoInput, MoveGroup};
use ringrift::{Bits, Cell, Direction, Geometry, Kind, Move, Position, Rules};

use super::{Aftermath, ENDINGS, GmoEncoder, GmoImage};
use crate::{FeatureSet, Features, SeedFeatures};

const KINDS: usize = Kind::ForcedElimination as usize + 1;

/// The first word of each family of the fourth group.
const DIRECTIONS: usize = 4;
const AXES: usize = DIRECTIONS + 8;
const WALLS: usize = AXES + 4;
const ENDS: usize = WALLS + 5;
const DETAILS: usize = ENDS + ENDINGS;

/// The encoder of RingRift on the board `B`.
#[derive(Clone, Debug)]
pub struct RingRiftGmo<B: Geometry>(Aftermath<Position<B>>);

impl<B: Geometry> Default for RingRiftGmo<B> {
    fn default() -> Self {
        Self(Aftermath::default())
    }
}

/// The twelve-plane encoder of RingRift on the board `B`.
#[derive(Clone, Copy, Debug)]
pub struct RingRiftSeedGmo<B>(PhantomData<B>);

impl<B> Default for RingRiftSeedGmo<B> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

fn cells<B: Geometry>() -> usize {
    B::NO_RINGS.as_ref().len()
}

/// The groups that both encoders share.
fn plain_groups<B: Geometry>() -> Vec<MoveGroup> {
    let group = |words, width| MoveGroup { words, width };
    let cells = cells::<B>() + 1;
    vec![group(KINDS, 32), group(cells, 32), group(cells, 32), group(DETAILS, 16)]
}

impl<B: Geometry> GmoEncoder<Position<B>> for RingRiftGmo<B> {
    fn id(_: &Rules) -> String {
        format!("ringrift-{}-gmo1", B::BOARD)
    }

    fn features(_: &Rules) -> usize {
        Features::<B>::count()
    }

    fn groups(_: &Rules) -> Vec<MoveGroup> {
        let mut groups = plain_groups::<B>();
        groups.push(MoveGroup { words: 2 * Features::<B>::count(), width: 64 });
        groups
    }

    fn encode(&mut self, position: &Position<B>, moves: &[Move], input: &mut GmoInput) {
        input.clear();
        Features::<B>::active(position, position.to_move(), &mut input.features);
        self.0.begin(&input.features);
        let mut changes = Vec::new();
        for &m in moves {
            changes.clear();
            let active = |position: &Position<B>, seat: Seat, list: &mut Vec<u16>| {
                Features::<B>::active(position, seat, list);
            };
            let change = |word| changes.push(word);
            let ending = self.0.compare(position, m, Features::<B>::count(), active, change);
            add_words(position, m, input);
            if let Some(ending) = ending {
                input.word(ENDS + ending);
            }
            input.end_group();
            for &change in &changes {
                input.word(change);
            }
            input.end_group();
        }
    }

    fn graph(_: &Rules) -> CellGraph {
        graph::<B>(&Features::<B>::kinds())
    }

    fn image(_: &Rules, symmetry: usize) -> GmoImage {
        image::<B>(symmetry, Features::<B>::image(symmetry), true)
    }

    fn is_skip(m: Move) -> bool {
        m.kind().is_idle()
    }
}

impl<B: Geometry> GmoEncoder<Position<B>> for RingRiftSeedGmo<B> {
    fn id(_: &Rules) -> String {
        format!("ringrift-{}-seed12-gmo", B::BOARD)
    }

    fn features(_: &Rules) -> usize {
        SeedFeatures::<B>::count()
    }

    fn groups(_: &Rules) -> Vec<MoveGroup> {
        plain_groups::<B>()
    }

    fn encode(&mut self, position: &Position<B>, moves: &[Move], input: &mut GmoInput) {
        input.clear();
        SeedFeatures::<B>::active(position, position.to_move(), &mut input.features);
        for &m in moves {
            add_words(position, m, input);
            input.end_group();
        }
    }

    fn graph(_: &Rules) -> CellGraph {
        graph::<B>(&SeedFeatures::<B>::kinds())
    }

    fn image(_: &Rules, symmetry: usize) -> GmoImage {
        image::<B>(symmetry, SeedFeatures::<B>::image(symmetry), false)
    }

    fn is_skip(m: Move) -> bool {
        m.kind().is_idle()
    }
}

/// Adds the first four groups of a move, except for the end of the fourth.
fn add_words<B: Geometry>(position: &Position<B>, m: Move, input: &mut GmoInput) {
    let none = cells::<B>();
    let slot = |cell: Cell| B::slot(cell);
    let kind = m.kind();
    input.word(kind as usize);
    input.end_group();
    // Lines and regions are known by cells that do not depend on where a list of them begins.
    let has_start = matches!(
        kind,
        Kind::MoveStack
            | Kind::Capture
            | Kind::ChainCapture
            | Kind::RecoverFallback
            | Kind::RecoverStrike
            | Kind::RecoverLine
            | Kind::RecoverWindow
            | Kind::PayLine
            | Kind::PayRegion
            | Kind::PayRegionBuried
            | Kind::ForcedElimination
    );
    input.word(if has_start { slot(m.cell()) } else { none });
    input.end_group();
    match kind {
        Kind::PlaceRing => input.word(slot(m.cell())),
        Kind::MoveStack | Kind::Capture | Kind::ChainCapture => input.word(slot(Position::<B>::landing(m))),
        Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
            input.word(slot(Position::<B>::slide_end(m)));
            if kind == Kind::RecoverWindow {
                ends(&position.collapsing(m)).for_each(|cell| input.word(slot(cell)));
            } else {
                input.word(slot(m.payer()));
            }
        }
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
            ends(&position.collapsing(m)).for_each(|cell| input.word(slot(cell)));
        }
        Kind::ClaimRegion => {
            let region = position.region(m).expect("a claim is about a region");
            region.cells().for_each(|cell| input.word(slot(cell)));
        }
        _ => input.word(none),
    }
    input.end_group();
    match kind {
        Kind::PlaceRing => input.word(m.count() as usize),
        _ => input.word(0),
    }
    match kind {
        Kind::MoveStack | Kind::Capture | Kind::ChainCapture => {
            input.word(DIRECTIONS + number(m.direction()));
        }
        Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
            input.word(DIRECTIONS + number(m.recovery_direction()));
            if matches!(kind, Kind::RecoverLine | Kind::RecoverWindow) {
                input.word(AXES + m.recovery_axis());
            }
        }
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => input.word(AXES + m.line_axis()),
        Kind::ClaimRegion => {
            let relative = |seat: Seat| {
                let seats = position.seats();
                (seat.index() + seats - position.to_move().index()) % seats
            };
            input.word(WALLS + m.pass().wall().map_or(4, relative));
        }
        _ => {}
    }
}

fn ends(cells: &[Cell]) -> impl Iterator<Item = Cell> {
    [cells.first(), cells.last()].into_iter().flatten().copied()
}

/// The number of a direction; those of an axis are neighbours.
fn number(direction: Direction) -> usize {
    2 * direction.axis() + usize::from(direction != Direction::along(direction.axis()))
}

/// The cells as a graph, given the kind of every feature of a cell. Features of a kind are in the order of cells.
fn graph<B: Geometry>(kinds: &[Option<u16>]) -> CellGraph {
    let count = kinds.iter().flatten().map(|&kind| kind + 1).max().unwrap_or(0);
    let (mut of_kind, mut wide) = (vec![0; usize::from(count)], count);
    let places = kinds.iter().map(|kind| {
        let (next, kind) = match *kind {
            Some(kind) => (&mut of_kind[usize::from(kind)], kind),
            None => (&mut wide, count),
        };
        let index = *next;
        *next += 1;
        if kind < count { (index, kind) } else { (cells::<B>() as u16, index) }
    });
    let places = places.collect();
    let mut neighbours: Vec<Vec<u16>> = (0..cells::<B>() as u16).map(|cell| vec![cell]).collect();
    for cell in B::ON_BOARD.cells() {
        let others = B::directions().filter_map(|direction| B::neighbour(cell, direction));
        neighbours[B::slot(cell)].extend(others.map(|other| B::slot(other) as u16));
    }
    CellGraph { places, neighbours }
}

/// Where words and features go under a symmetry of the board.
fn image<B: Geometry>(symmetry: usize, features: Vec<u16>, has_changes: bool) -> GmoImage {
    let same = |count: usize| (0..count as u16).collect::<Vec<u16>>();
    let mut cell_image = same(cells::<B>() + 1);
    let mut details = same(DETAILS);
    for cell in B::ON_BOARD.cells() {
        let to = Position::<B>::image(cell, symmetry);
        cell_image[B::slot(cell)] = B::slot(to) as u16;
        for direction in B::directions() {
            let Some(next) = B::neighbour(cell, direction) else { continue };
            let next = Position::<B>::image(next, symmetry);
            let image = B::directions().find(|&image| B::neighbour(to, image) == Some(next));
            let image = number(image.expect("neighbours stay neighbours"));
            details[DIRECTIONS + number(direction)] = (DIRECTIONS + image) as u16;
            details[AXES + direction.axis()] = (AXES + image / 2) as u16;
        }
    }
    let mut groups = vec![same(KINDS), cell_image.clone(), cell_image, details];
    if has_changes {
        let count = features.len() as u16;
        groups.push(features.iter().copied().chain(features.iter().map(|to| to + count)).collect());
    }
    GmoImage { features, groups }
}
