//! Moves in the JSON of the reference service.

use std::collections::BTreeMap;

use game::{ForfeitKind, Game};
use ringrift::{Cell, Geometry, Kind, Move, Position};
use serde_json::Value;

use crate::{
    TraceText, cell_key,
    faults::Faults,
    model::{Checked, Name, Read, Shape, Source, Time, Tuple, model, name_list},
    parse_cell_key,
    state::StackState,
};

model! {
    /// The coordinates of a cell; `z` is for hex boards and optional.
    #[derive(Copy, Eq)]
    pub struct Point {
        /// Column.
        pub required x: i64,
        /// Row.
        pub required y: i64,
        /// `−x−y`.
        pub nullable z: Option<i64>,
    }
}

impl Point {
    /// The cell, if the board has it.
    pub fn cell<B: Geometry>(self) -> Option<Cell> {
        let (x, y) = (i16::try_from(self.x).ok()?, i16::try_from(self.y).ok()?);
        let (x, y) = (i32::from(x), i32::from(y));
        let consistent = !B::HEX || self.z.is_none_or(|z| z == i64::from(-x - y));
        consistent.then(|| B::cell(x, y)).flatten()
    }

    fn text(self) -> String {
        match self.z {
            Some(z) => format!("{},{},{z}", self.x, self.y),
            None => format!("{},{}", self.x, self.y),
        }
    }
}

name_list! {
    /// The types of moves, with obsolete ones at the end.
    MoveTypes = [
        "place_ring", "skip_placement", "no_placement_action", "swap_sides", "move_stack",
        "no_movement_action", "recovery_slide", "skip_recovery", "overtaking_capture",
        "continue_capture_segment", "skip_capture", "process_line", "choose_line_option", "no_line_action",
        "choose_territory_option", "skip_territory_processing", "no_territory_action",
        "eliminate_rings_from_stack", "forced_elimination", "resign", "timeout", "move_ring", "build_stack",
        "choose_line_reward", "process_territory_region", "line_formation", "territory_claim",
        "chain_capture",
    ]
}

model! {
    /// A move. Its type determines which fields are used.
    pub struct ForeignMove {
        expected id: Checked<String>,
        /// Its type; [`ForeignMove::name`] replaces obsolete names.
        pub expected r#type "type": Name<MoveTypes>,
        /// The seat that moves, from 1.
        pub expected player: Option<i64>,
        /// The cell moved from.
        pub nullable from_pos "from": Option<Point>,
        /// The cell placed on, landed on or paid from; a placeholder for moves without one.
        pub nullable to: Option<Point>,
        /// The captured cell.
        pub nullable capture_target "captureTarget": Option<Point>,
        nullable captured_stacks "capturedStacks": Checked<Tuple<StackState>>,
        nullable capture_chain "captureChain": Checked<Tuple<Point>>,
        nullable overtaken_rings "overtakenRings": Checked<Tuple<i64>>,
        nullable placed_on_stack "placedOnStack": Checked<bool>,
        /// The number of rings placed; 1 if absent.
        pub nullable placement_count "placementCount": Option<i64>,
        nullable stack_moved "stackMoved": Checked<StackState>,
        nullable minimum_distance "minimumDistance": Checked<i64>,
        nullable actual_distance "actualDistance": Checked<i64>,
        nullable marker_left "markerLeft": Checked<Point>,
        nullable line_index "lineIndex": Checked<i64>,
        /// The collapsed line is the first of the list.
        pub nullable formed_lines "formedLines": Option<Tuple<FormedLine>>,
        /// The collapsed part of the line; all of it if absent.
        pub nullable collapsed_markers "collapsedMarkers": Option<Tuple<Point>>,
        nullable claimed_territory "claimedTerritory": Checked<Tuple<Region>>,
        /// The claimed region is the first of the list.
        pub nullable disconnected_regions "disconnectedRegions": Option<Tuple<Region>>,
        /// 1 for the whole line, 2 for a part.
        pub nullable recovery_option "recoveryOption": Option<i64>,
        /// `line`, `fallback` or `stack_strike`.
        pub nullable recovery_mode "recoveryMode": Option<String>,
        /// The cells that a recovery collapses.
        pub nullable collapse_positions "collapsePositions": Option<Tuple<Point>>,
        /// The stack that pays for a recovery.
        pub nullable extraction_stacks "extractionStacks": Option<Tuple<CellKey>>,
        nullable eliminated_rings "eliminatedRings": Checked<Tuple<BTreeMap<String, i64>>>,
        /// The reason for an elimination.
        pub nullable elimination_context "eliminationContext": Option<String>,
        nullable timestamp: Checked<Time>,
        nullable think_time "thinkTime": Checked<i64>,
        nullable move_number "moveNumber": Checked<i64>,
        /// Another name for `recoveryOption`, which one client uses.
        pub private option: Option<i64>,
    }
}

model! {
    /// A line of markers.
    pub struct FormedLine {
        /// Its cells.
        pub required positions: Vec<Point>,
        expected player: Checked<i64>,
        expected length: Checked<i64>,
        expected direction: Checked<Point>,
    }
}

model! {
    /// A disconnected region.
    pub struct Region {
        /// Its cells, without the border.
        pub required spaces: Vec<Point>,
        expected controlling_player "controllingPlayer": Checked<i64>,
        expected is_disconnected "isDisconnected": Checked<bool>,
    }
}

/// A cell as `x,y` or `x,y,z`; in files, also as an object of coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellKey(pub String);

impl Read for CellKey {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        if faults.source() == Source::File && value.is_object() {
            return Point::read(value, faults).map(|point| Self(point.text()));
        }
        String::read(value, faults).map(Self)
    }
}

impl ForeignMove {
    /// The current name of the type; obsolete names still occur in files.
    pub fn name(&self) -> &str {
        match &*self.r#type {
            "move_ring" => "move_stack",
            "chain_capture" => "continue_capture_segment",
            "line_formation" => "process_line",
            "choose_line_reward" => "choose_line_option",
            "process_territory_region" | "territory_claim" => "choose_territory_option",
            name => name,
        }
    }

    /// The kind of forfeit, if the move is one.
    pub fn forfeit(&self) -> Option<ForfeitKind> {
        match &*self.r#type {
            "resign" => Some(ForfeitKind::Resignation),
            "timeout" => Some(ForfeitKind::Timeout),
            _ => None,
        }
    }

    /// A short form of the type and cells, for messages.
    pub fn text(&self) -> String {
        let mut text = self.r#type.to_string();
        let arrow = if self.from_pos.is_some() { ">" } else { " " };
        for (mark, point) in [(" ", self.from_pos), ("*", self.capture_target), (arrow, self.to)] {
            if let Some(point) = point {
                text += mark;
                text += &point.text();
            }
        }
        text
    }

    /// Finds the legal move of `position` that matches.
    ///
    /// # Errors
    /// Why no legal move, or more than one, matches.
    pub fn find<B: Geometry>(&self, position: &Position<B>) -> Result<Move, String> {
        let mover = position.to_move().number() as i64;
        if let Some(player) = self.player.filter(|&player| player != mover || position.is_over()) {
            return Err(format!("it is a move of player {player}"));
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&m| self.fits(position, m));
        let Some((&first, others)) = moves.split_first() else { return Err(describe_legal(position)) };
        // The same region may have two moves that other programs do not distinguish.
        let key = position.full_move_key(first);
        if others.iter().all(|&m| position.full_move_key(m) == key) {
            Ok(first)
        } else {
            Err(format!("{} legal moves match it: expected exactly one", moves.len()))
        }
    }

    fn fits<B: Geometry>(&self, position: &Position<B>, m: Move) -> bool {
        let is = |point: Option<Point>, cell: Cell| point.and_then(Point::cell::<B>) == Some(cell);
        let name = self.name();
        let context = |wanted| self.elimination_context.as_deref().is_none_or(|found| found == wanted);
        let pays = |wanted| name == m.kind().name() && is(self.to, m.cell()) && context(wanted);
        match m.kind() {
            Kind::PlaceRing => {
                let count = self.placement_count.unwrap_or(1).max(1);
                name == "place_ring" && is(self.to, m.cell()) && count == i64::from(m.count())
            }
            Kind::MoveStack => {
                name == "move_stack" && is(self.from_pos, m.cell()) && is(self.to, Position::<B>::landing(m))
            }
            // In some phases the reference service uses the first name for all captures.
            Kind::Capture | Kind::ChainCapture => {
                let target = position.captured_cell(m);
                matches!(name, "overtaking_capture" | "continue_capture_segment")
                    && is(self.from_pos, m.cell())
                    && is(self.to, Position::<B>::landing(m))
                    && self.capture_target.is_none_or(|point| point.cell::<B>() == target)
            }
            Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
                name == "recovery_slide" && self.recovery_fits(position, m)
            }
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
                matches!(name, "process_line" | "choose_line_option") && self.line_fits(position, m)
            }
            Kind::PayLine => pays("line"),
            Kind::PayRegion => pays("territory"),
            Kind::PayRegionBuried => pays("recovery"),
            Kind::ForcedElimination => {
                matches!(name, "forced_elimination" | "eliminate_rings_from_stack")
                    && is(self.to, m.cell())
                    && context("forced")
            }
            Kind::ClaimRegion => name == "choose_territory_option" && self.region_fits(position, m),
            kind => name == kind.name(),
        }
    }

    fn recovery_fits<B: Geometry>(&self, position: &Position<B>, m: Move) -> bool {
        let (mode, option) = recovery_mode(m.kind());
        let to = Position::<B>::slide_end(m);
        let pays = m.kind() != Kind::RecoverWindow;
        let payer = self.extraction_stacks.as_ref().and_then(|stacks| stacks.first());
        self.from_pos.and_then(Point::cell::<B>) == Some(m.cell())
            && self.to.and_then(Point::cell::<B>) == Some(to)
            && self.recovery_mode.as_deref().is_none_or(|found| found == mode)
            && (option.is_none()
                || self.recovery_option.or(self.option).is_none_or(|found| Some(found) == option))
            && payer.is_none_or(|key| pays && parse_cell_key::<B>(&key.0) == Some(m.payer()))
            && self
                .collapse_positions
                .as_ref()
                .filter(|cells| !cells.is_empty())
                .is_none_or(|cells| key_list::<B>(cells) == Some(key_of_cells::<B>(position.collapsing(m))))
    }

    fn line_fits<B: Geometry>(&self, position: &Position<B>, m: Move) -> bool {
        let line = self.formed_lines.as_ref().and_then(|lines| lines.first());
        let line = line.and_then(|line| key_list::<B>(&line.positions));
        let collapsed = self.collapsed_markers.as_ref().filter(|cells| !cells.is_empty());
        let collapsed = collapsed.map_or_else(|| line.clone(), |cells| key_list::<B>(cells));
        let Some(collapsed) = collapsed else { return false };
        let key = position.move_key(m);
        let list = key.split_once(' ').map_or("", |(_, list)| list);
        let (whole, part) = list.split_once('|').unwrap_or((list, list));
        line.is_none_or(|line| line == whole) && collapsed == part
    }

    fn region_fits<B: Geometry>(&self, position: &Position<B>, m: Move) -> bool {
        let key = position.move_key(m);
        let cells = key.split_once(' ').map_or("", |(_, list)| list);
        match self.disconnected_regions.as_ref().and_then(|regions| regions.first()) {
            Some(region) => key_list::<B>(&region.spaces).is_some_and(|list| list == cells),
            None => self
                .to
                .and_then(Point::cell::<B>)
                .is_some_and(|cell| cells.split(';').any(|key| key == cell_key::<B>(cell))),
        }
    }
}

/// The payment mode of a recovery slide, and its option if there is a choice.
pub(crate) fn recovery_mode(kind: Kind) -> (&'static str, Option<i64>) {
    match kind {
        Kind::RecoverFallback => ("fallback", None),
        Kind::RecoverStrike => ("stack_strike", None),
        Kind::RecoverLine => ("line", Some(1)),
        _ => ("line", Some(2)),
    }
}

/// The keys of cells in canonical order; `None` if one is not on the board.
fn key_list<B: Geometry>(cells: &[Point]) -> Option<String> {
    let cells: Option<Vec<Cell>> = cells.iter().map(|point| point.cell::<B>()).collect();
    cells.map(key_of_cells::<B>)
}

fn key_of_cells<B: Geometry>(mut cells: Vec<Cell>) -> String {
    cells.sort();
    cells.dedup();
    cells.into_iter().map(cell_key::<B>).collect::<Vec<_>>().join(";")
}

/// The legal moves, for messages.
pub(crate) fn describe_legal<B: Geometry>(position: &Position<B>) -> String {
    if position.is_over() {
        return "the game is over".to_owned();
    }
    let keys = position.legal_keys();
    let shown = keys.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    match keys.len().saturating_sub(3) {
        0 => format!("the legal moves are {shown}"),
        more => format!("the legal moves are {shown} and {more} more"),
    }
}
