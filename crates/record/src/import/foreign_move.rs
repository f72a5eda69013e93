//! Moves as the reference service spells them in JSON.

use game::Game;
use ringrift::{Cell, Geometry, Kind, Move, Position, cell_key, parse_cell_key};
use serde::{Deserialize, Deserializer};

/// A cell by its coordinates; `z` is for hex boards and may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Point {
    /// Column.
    pub x: i64,
    /// Row.
    pub y: i64,
    /// `−x−y`.
    #[serde(default)]
    pub z: Option<i64>,
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

/// A move. Which fields matter depends on its type; all others are ignored.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ForeignMove {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Who moves, from 1.
    pub player: Option<i64>,
    /// Cell moved from.
    pub from: Option<Point>,
    /// Cell placed on, landed on or paid from; a placeholder for moves without one.
    pub to: Option<Point>,
    /// Cell captured.
    #[serde(alias = "capture_target")]
    pub capture_target: Option<Point>,
    /// Rings placed; 1 if left out.
    #[serde(alias = "placement_count")]
    pub placement_count: Option<i64>,
    /// The line that is collapsed, first of the list.
    #[serde(alias = "formed_lines")]
    pub formed_lines: Option<Vec<FormedLine>>,
    /// The part of the line that is collapsed; all of it if left out.
    #[serde(alias = "collapsed_markers")]
    pub collapsed_markers: Option<Vec<Point>>,
    /// The region that is claimed, first of the list.
    #[serde(alias = "disconnected_regions")]
    pub disconnected_regions: Option<Vec<Region>>,
    /// What an elimination pays for.
    #[serde(alias = "elimination_context")]
    pub elimination_context: Option<String>,
    /// `line`, `fallback` or `stack_strike`.
    #[serde(alias = "recovery_mode")]
    pub recovery_mode: Option<String>,
    /// 1 for the whole line, 2 for a part.
    #[serde(alias = "recovery_option")]
    pub recovery_option: Option<i64>,
    /// Another name of the same, which one client uses.
    pub option: Option<i64>,
    /// Cells that a recovery collapses.
    #[serde(alias = "collapse_positions")]
    pub collapse_positions: Option<Vec<Point>>,
    /// The stack that pays for a recovery, as `x,y` or as a cell.
    #[serde(alias = "extraction_stacks", deserialize_with = "stacks")]
    pub extraction_stacks: Option<Vec<String>>,
}

/// A line of markers.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct FormedLine {
    /// Its cells.
    pub positions: Vec<Point>,
}

/// A region cut off from the rest.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Region {
    /// Its cells, without the border.
    pub spaces: Vec<Point>,
}

fn stacks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Named {
        Key(String),
        Cell(Point),
    }
    let list: Option<Vec<Named>> = Deserialize::deserialize(deserializer)?;
    let text = |named| match named {
        Named::Key(key) => key,
        Named::Cell(cell) => cell.text(),
    };
    Ok(list.map(|list| list.into_iter().map(text).collect()))
}

impl ForeignMove {
    /// The present name of the type: old names are still found in files.
    pub fn name(&self) -> &str {
        match self.kind.as_str() {
            "move_ring" => "move_stack",
            "chain_capture" => "continue_capture_segment",
            "line_formation" => "process_line",
            "choose_line_reward" => "choose_line_option",
            "process_territory_region" | "territory_claim" => "choose_territory_option",
            name => name,
        }
    }

    /// Type and cells in short, for messages.
    pub fn text(&self) -> String {
        let mut text = self.kind.clone();
        let arrow = if self.from.is_some() { ">" } else { " " };
        for (mark, point) in [(" ", self.from), ("*", self.capture_target), (arrow, self.to)] {
            if let Some(point) = point {
                text += mark;
                text += &point.text();
            }
        }
        text
    }

    /// The legal move that this means in `position`.
    ///
    /// # Errors
    /// Why there is none, or not only one, in words.
    pub fn find<B: Geometry>(&self, position: &Position<B>) -> Result<Move, String> {
        let mover = position.to_move().number() as i64;
        if let Some(player) = self.player.filter(|&player| player != mover || position.is_over()) {
            return Err(format!("it is a move of player {player}"));
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&m| self.fits(position, m));
        let Some((&first, others)) = moves.split_first() else { return Err(what_is_legal(position)) };
        // The same region may be found in two ways that other programs do not tell apart.
        let key = position.full_interchange_key(first);
        if others.iter().all(|&m| position.full_interchange_key(m) == key) {
            Ok(first)
        } else {
            Err(format!("{} legal moves fit it: which one is not said", moves.len()))
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
                name == "move_stack" && is(self.from, m.cell()) && is(self.to, Position::<B>::landing(m))
            }
            // The reference service gives the first name to all captures in some phases.
            Kind::Capture | Kind::ChainCapture => {
                let target = position.captured_cell(m);
                matches!(name, "overtaking_capture" | "continue_capture_segment")
                    && is(self.from, m.cell())
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
        let (mode, option) = match m.kind() {
            Kind::RecoverFallback => ("fallback", None),
            Kind::RecoverStrike => ("stack_strike", None),
            Kind::RecoverLine => ("line", Some(1)),
            _ => ("line", Some(2)),
        };
        let to = Position::<B>::slide_end(m);
        let pays = m.kind() != Kind::RecoverWindow;
        let payer = self.extraction_stacks.as_ref().and_then(|stacks| stacks.first());
        self.from.and_then(Point::cell::<B>) == Some(m.cell())
            && self.to.and_then(Point::cell::<B>) == Some(to)
            && self.recovery_mode.as_deref().is_none_or(|found| found == mode)
            && (option.is_none()
                || self.recovery_option.or(self.option).is_none_or(|found| Some(found) == option))
            && payer.is_none_or(|key| pays && parse_cell_key::<B>(key) == Some(m.payer()))
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
        let key = position.interchange_key(m);
        let list = key.split_once(' ').map_or("", |(_, list)| list);
        let (whole, part) = list.split_once('|').unwrap_or((list, list));
        line.is_none_or(|line| line == whole) && collapsed == part
    }

    fn region_fits<B: Geometry>(&self, position: &Position<B>, m: Move) -> bool {
        let key = position.interchange_key(m);
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

/// Cells in canonical order as interchange keys list them; `None` if one is not on the board.
fn key_list<B: Geometry>(cells: &[Point]) -> Option<String> {
    let cells: Option<Vec<Cell>> = cells.iter().map(|point| point.cell::<B>()).collect();
    cells.map(key_of_cells::<B>)
}

fn key_of_cells<B: Geometry>(mut cells: Vec<Cell>) -> String {
    cells.sort();
    cells.dedup();
    cells.into_iter().map(cell_key::<B>).collect::<Vec<_>>().join(";")
}

/// What could be played instead, for messages.
pub(crate) fn what_is_legal<B: Geometry>(position: &Position<B>) -> String {
    if position.is_over() {
        return "the game is over".to_owned();
    }
    let keys = position.legal_keys();
    let shown = keys.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    match keys.len().saturating_sub(3) {
        0 => format!("legal are {shown}"),
        more => format!("legal are {shown} and {more} more"),
    }
}
