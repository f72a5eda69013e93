//! Parsing of queries.

use std::time::Duration;

use go::{Colour, Komi, Move, Point, Rules};
use gtp::{colour, vertex};
use search::Restriction;
use serde_json::{Map, Value};

use crate::rule_sets;

/// What is wrong with a query, and with which field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) field: &'static str,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

/// Whose probabilities and scores to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Perspective {
    Of(Colour),
    SideToMove,
}

/// A query to analyse positions of one game.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) id: String,
    pub(super) rules: Rules,
    /// The stones at the start, by colour.
    pub(super) stones: [Vec<Point>; 2],
    pub(super) first: Colour,
    pub(super) moves: Vec<(Colour, Move)>,
    /// The numbers of moves after which to analyse.
    pub(super) turns: Vec<usize>,
    pub(super) visits: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) ownership: bool,
    pub(super) moves_ownership: bool,
    pub(super) policy: bool,
    /// The maximum length of principal variations after the first move.
    pub(super) line: usize,
    pub(super) restrictions: Vec<Restriction<Move>>,
    pub(super) report_every: Option<Duration>,
    pub(super) perspective: Perspective,
    pub(super) priority: i64,
    /// The priorities of the turns, if they differ.
    pub(super) priorities: Vec<i64>,
    /// Fields that have no effect.
    pub(super) unused: Vec<String>,
}

/// The fields that are known but need no handling: what they ask for is absent, or the default.
const IGNORED: [&str; 8] = [
    "includePVVisits",
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "whiteHandicapBonus",
    "action",
];

impl Query {
    pub(super) fn parse(value: &Value) -> Result<Self, Fault> {
        let Some(fields) = value.as_object() else {
            return Err(Fault::new("id", "expected an object with an id and a game"));
        };
        let id = fields.get("id").and_then(Value::as_str);
        let id = id.ok_or_else(|| Fault::new("id", "expected a text"))?.to_owned();
        let size = |field: &'static str| {
            let size = fields.get(field).and_then(Value::as_u64).and_then(|size| u8::try_from(size).ok());
            size.filter(|size| (Rules::SMALLEST..=Rules::LARGEST).contains(size))
                .ok_or_else(|| Fault::new(field, "expected the size of a square board, from 2 to 19"))
        };
        let (width, height) = (size("boardXSize")?, size("boardYSize")?);
        if width != height {
            return Err(Fault::new("boardYSize", "expected a square board"));
        }
        let lines = usize::from(width);
        let named = fields.get("rules").ok_or_else(|| Fault::new("rules", "expected rules"))?;
        let mut rules =
            rule_sets::from_json(named, Rules::new(width)).map_err(|message| Fault::new("rules", message))?;
        rules.komi = komi(fields.get("komi"), rules)?;
        let stones = placed(fields, "initialStones", lines)?;
        let moves = placed(fields, "moves", lines)?;
        let mut points: [Vec<Point>; 2] = Default::default();
        for &(colour, m) in &stones {
            let point = m.point().ok_or_else(|| Fault::new("initialStones", "a pass is not a stone"))?;
            points[colour.index()].push(point);
        }
        let handicap = points[0].len() > 1 && points[1].is_empty();
        let first = match fields.get("initialPlayer") {
            Some(first) => read_colour(first)
                .ok_or_else(|| Fault::new("initialPlayer", format!("{first} is not B or W")))?,
            None => match moves.first() {
                Some((colour, _)) => *colour,
                None if handicap => Colour::White,
                None => Colour::Black,
            },
        };
        let mut query = Self {
            id,
            rules,
            stones: points,
            first,
            turns: turns(fields, moves.len())?,
            moves,
            visits: None,
            time: None,
            ownership: flag(fields, "includeOwnership")?,
            moves_ownership: flag(fields, "includeMovesOwnership")?,
            policy: flag(fields, "includePolicy")?,
            line: 20,
            restrictions: Vec::new(),
            report_every: None,
            perspective: Perspective::Of(Colour::Black),
            priority: 0,
            priorities: Vec::new(),
            unused: Vec::new(),
        };
        for (name, value) in fields {
            query.option(name, value, lines)?;
        }
        Ok(query)
    }

    /// Reads an option. Those of the game have been read before.
    fn option(&mut self, name: &str, value: &Value, lines: usize) -> Result<(), Fault> {
        let seconds =
            || value.as_f64().filter(|time| (0.0..=1e6).contains(time)).map(Duration::from_secs_f64);
        match name {
            "id"
            | "boardXSize"
            | "boardYSize"
            | "rules"
            | "komi"
            | "initialStones"
            | "initialPlayer"
            | "moves"
            | "analyzeTurns"
            | "includeOwnership"
            | "includeMovesOwnership"
            | "includePolicy" => {}
            "maxVisits" => {
                let visits = value.as_u64().filter(|&visits| visits > 0);
                self.visits =
                    Some(visits.ok_or_else(|| Fault::new("maxVisits", "expected a number of at least 1"))?);
            }
            "maxTime" => {
                self.time =
                    Some(seconds().ok_or_else(|| Fault::new("maxTime", "expected a number of seconds"))?);
            }
            "analysisPVLen" => self.line = value.as_u64().unwrap_or(20).min(1000) as usize,
            "reportDuringSearchEvery" => {
                let field = "reportDuringSearchEvery";
                let every = seconds().ok_or_else(|| Fault::new(field, "expected a number of seconds"))?;
                self.report_every = Some(every);
            }
            "reportAnalysisWinratesAs" => {
                self.perspective = match value.as_str().unwrap_or_default() {
                    "BLACK" => Perspective::Of(Colour::Black),
                    "WHITE" => Perspective::Of(Colour::White),
                    "SIDETOMOVE" => Perspective::SideToMove,
                    _ => {
                        let expected = "expected BLACK, WHITE or SIDETOMOVE";
                        return Err(Fault::new("overrideSettings", expected));
                    }
                };
            }
            "avoidMoves" | "allowMoves" => self.restrict(name == "allowMoves", value, lines)?,
            "priority" => self.priority = value.as_i64().unwrap_or(0),
            "priorities" => {
                let all = value.as_array().into_iter().flatten();
                self.priorities = all.map(|priority| priority.as_i64().unwrap_or(0)).collect();
            }
            "overrideSettings" => {
                let settings = value.as_object();
                let settings =
                    settings.ok_or_else(|| Fault::new("overrideSettings", "expected an object"))?;
                for (name, value) in settings {
                    self.option(name, value, lines)?;
                }
            }
            _ if IGNORED.contains(&name) => {}
            _ => self.unused.push(name.to_owned()),
        }
        Ok(())
    }

    fn restrict(&mut self, only: bool, value: &Value, lines: usize) -> Result<(), Fault> {
        let field = if only { "allowMoves" } else { "avoidMoves" };
        let fault = || Fault::new(field, "expected a list of objects with player, moves and untilDepth");
        for entry in value.as_array().ok_or_else(fault)? {
            let player = entry.get("player").and_then(read_colour).ok_or_else(fault)?;
            let depth = entry.get("untilDepth").and_then(Value::as_u64).ok_or_else(fault)?;
            let mut moves = Vec::new();
            for text in entry.get("moves").and_then(Value::as_array).ok_or_else(fault)? {
                moves.push(text.as_str().and_then(|text| vertex(text, lines)).ok_or_else(fault)?);
            }
            let depth = u32::try_from(depth).unwrap_or(u32::MAX);
            self.restrictions.push(Restriction { seat: player.seat(), moves, only, depth });
        }
        Ok(())
    }
}

fn read_colour(value: &Value) -> Option<Colour> {
    value.as_str().and_then(colour)
}

fn flag(fields: &Map<String, Value>, field: &'static str) -> Result<bool, Fault> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(Fault::new(field, "expected true or false")),
    }
}

fn komi(value: Option<&Value>, rules: Rules) -> Result<Komi, Fault> {
    let Some(value) = value else { return Ok(rules.komi) };
    let number = value.as_f64().map(|number| number.to_string());
    let komi = number.and_then(|number| number.parse::<Komi>().ok());
    komi.filter(|komi| komi.half_points().abs() <= 300)
        .ok_or_else(|| Fault::new("komi", format!("{value} is not a multiple of one half from -150 to 150")))
}

/// A list of pairs of a colour and a point.
fn placed(
    fields: &Map<String, Value>,
    field: &'static str,
    lines: usize,
) -> Result<Vec<(Colour, Move)>, Fault> {
    let list = match fields.get(field) {
        None => return Ok(Vec::new()),
        Some(list) => list.as_array().ok_or_else(|| Fault::new(field, "expected a list"))?,
    };
    let pair = |pair: &Value| {
        let [side, place] = pair.as_array()?.as_slice() else { return None };
        Some((read_colour(side)?, vertex(place.as_str()?, lines)?))
    };
    let read = |value: &Value| {
        pair(value)
            .ok_or_else(|| Fault::new(field, format!("{value}: expected a pair such as [\"B\",\"D4\"]")))
    };
    list.iter().map(read).collect()
}

fn turns(fields: &Map<String, Value>, moves: usize) -> Result<Vec<usize>, Fault> {
    let Some(list) = fields.get("analyzeTurns") else { return Ok(vec![moves]) };
    let fault = || Fault::new("analyzeTurns", format!("expected a list of turns from 0 to {moves}"));
    let turn = |value: &Value| {
        let turn = value.as_u64().and_then(|turn| usize::try_from(turn).ok());
        turn.filter(|&turn| turn <= moves).ok_or_else(fault)
    };
    list.as_array().ok_or_else(fault)?.iter().map(turn).collect()
}
