//! `/ai/choice/…`: one of some options, by simple rules that need no search.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Answer, engines,
    read::{self, Body},
    schema::Checker,
};

/// What is to be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// What to collapse of an overlength line.
    LineReward,
    /// The stack that pays.
    RingElimination,
    /// The region that comes first.
    RegionOrder,
    /// The line that comes first.
    LineOrder,
    /// Where to capture.
    CaptureDirection,
}

const ALL: &str = "option_1_collapse_all_and_eliminate";
const MINIMUM: &str = "option_2_min_collapse_no_elimination";

impl Choice {
    const fn name(self) -> &'static str {
        match self {
            Self::LineReward => "line_reward_option",
            Self::RingElimination => "ring_elimination",
            Self::RegionOrder => "region_order",
            Self::LineOrder => "line_order",
            Self::CaptureDirection => "capture_direction",
        }
    }
}

#[derive(Deserialize)]
struct ChoiceBody<O> {
    #[serde(alias = "playerNumber")]
    player_number: i64,
    #[serde(default = "read::default_difficulty")]
    difficulty: i64,
    #[serde(default, alias = "aiType")]
    ai_type: Option<String>,
    /// The whole state over there; only the stacks matter here.
    #[serde(default, alias = "gameState")]
    game_state: Option<Around>,
    options: Vec<O>,
}

#[derive(Deserialize)]
struct Around {
    board: Stacks,
}

#[derive(Deserialize)]
struct Stacks {
    #[serde(default)]
    stacks: std::collections::BTreeMap<String, Owner>,
}

#[derive(Deserialize)]
struct Owner {
    #[serde(default, alias = "controllingPlayer")]
    controlling_player: i64,
}

#[derive(Deserialize, Clone, Copy)]
struct Cell {
    x: i64,
    y: i64,
    #[serde(default)]
    z: Option<i64>,
}

impl Cell {
    fn json(self) -> Value {
        match self.z {
            Some(z) => json!({"x": self.x, "y": self.y, "z": z}),
            None => json!({"x": self.x, "y": self.y}),
        }
    }

    fn distance(self, other: Self) -> i64 {
        self.x
            .saturating_sub(other.x)
            .saturating_abs()
            .saturating_add(self.y.saturating_sub(other.y).saturating_abs())
    }
}

#[derive(Deserialize)]
struct Elimination {
    #[serde(alias = "stackPosition")]
    stack_position: Cell,
    #[serde(alias = "capHeight")]
    cap_height: i64,
    #[serde(alias = "totalHeight")]
    total_height: i64,
}

#[derive(Deserialize)]
struct Region {
    #[serde(rename = "regionId", alias = "region_id")]
    id: String,
    size: i64,
    #[serde(rename = "representativePosition", alias = "representative_position")]
    cell: Cell,
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "lineId", alias = "line_id")]
    id: String,
    #[serde(alias = "markerPositions")]
    marker_positions: Vec<Cell>,
}

#[derive(Deserialize)]
struct Capture {
    #[serde(alias = "targetPosition")]
    target_position: Cell,
    #[serde(alias = "landingPosition")]
    landing_position: Cell,
    #[serde(alias = "capturedCapHeight")]
    captured_cap_height: i64,
}

/// Options of one kind.
trait Options: Sized + for<'de> Deserialize<'de> {
    const KIND: Choice;

    /// What is wrong with one option.
    fn check(option: &Value, checker: &mut Checker);

    fn is_sound(&self) -> bool {
        true
    }

    /// The chosen option, written out.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value>;
}

fn cell_fields(
    option: &Value,
    checker: &mut Checker,
    name: &'static str,
    cells: &[&'static str],
    wholes: &[&str],
) {
    let Some(fields) = checker.object(option) else { return };
    if !name.is_empty() {
        checker.text(fields, name, true);
    }
    for cell in cells {
        checker.inside(*cell, |checker| {
            let found = fields.get(*cell).unwrap_or(&Value::Null);
            if let Some(found) = checker.object(found) {
                checker.whole(found, "x", true, None, None);
                checker.whole(found, "y", true, None, None);
                checker.whole(found, "z", false, None, None);
            }
        });
    }
    for whole in wholes {
        checker.whole(fields, whole, true, None, None);
    }
}

impl Options for String {
    const KIND: Choice = Choice::LineReward;

    fn check(option: &Value, checker: &mut Checker) {
        checker.one_of_value(option, &[ALL, MINIMUM]);
    }

    fn is_sound(&self) -> bool {
        [ALL, MINIMUM].contains(&self.as_str())
    }

    /// The free one if it is offered, and also if nothing is.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        let free = body.options.is_empty() || body.options.iter().any(|option| option == MINIMUM);
        Some(if free { MINIMUM } else { ALL }.into())
    }
}

impl Options for Elimination {
    const KIND: Choice = Choice::RingElimination;

    fn check(option: &Value, checker: &mut Checker) {
        cell_fields(option, checker, "", &["stackPosition"], &["capHeight", "totalHeight"]);
    }

    /// The smallest cap, then the lowest stack, then the first.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        let chosen = body.options.iter().min_by_key(|option| (option.cap_height, option.total_height))?;
        Some(json!({
            "stackPosition": chosen.stack_position.json(), "capHeight": chosen.cap_height,
            "totalHeight": chosen.total_height,
        }))
    }
}

impl Options for Region {
    const KIND: Choice = Choice::RegionOrder;

    fn check(option: &Value, checker: &mut Checker) {
        cell_fields(option, checker, "regionId", &["representativePosition"], &["size"]);
    }

    /// The largest, enemies close to it counting too; the first of equals.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        let enemies: Vec<Cell> = body
            .game_state
            .iter()
            .flat_map(|state| &state.board.stacks)
            .filter_map(|(key, stack)| {
                let mut numbers = key.split(',').map(|number| number.parse().ok());
                let (x, y) = (numbers.next()??, numbers.next()??);
                (stack.controlling_player != body.player_number).then_some(Cell { x, y, z: None })
            })
            .collect();
        let score = |option: &Region| {
            let near = enemies.iter().map(|enemy| enemy.distance(option.cell));
            let pressure: f64 =
                near.filter(|&distance| distance <= 3).map(|distance| 2.0 / (1 + distance) as f64).sum();
            option.size as f64 + pressure
        };
        let mut best: Option<(&Region, f64)> = None;
        for option in &body.options {
            let score = score(option);
            let better =
                best.is_none_or(|(found, most)| score > most || score >= most && option.size > found.size);
            if better {
                best = Some((option, score));
            }
        }
        Some(match best {
            Some((region, _)) => json!({
                "regionId": region.id, "size": region.size,
                "representativePosition": region.cell.json(),
            }),
            None => json!({"regionId": "0", "size": 0, "representativePosition": {"x": 0, "y": 0}}),
        })
    }
}

impl Options for Line {
    const KIND: Choice = Choice::LineOrder;

    fn check(option: &Value, checker: &mut Checker) {
        let Some(fields) = checker.object(option) else { return };
        checker.text(fields, "lineId", true);
        checker.list(fields, "markerPositions", 0, usize::MAX);
    }

    /// The longest, then the first.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        // The first of the longest: the last one that `max_by_key` would keep, so looked at from the end.
        let chosen = body.options.iter().rev().max_by_key(|option| option.marker_positions.len())?;
        let cells: Vec<Value> = chosen.marker_positions.iter().map(|cell| cell.json()).collect();
        Some(json!({"lineId": chosen.id, "markerPositions": cells}))
    }
}

impl Options for Capture {
    const KIND: Choice = Choice::CaptureDirection;

    fn check(option: &Value, checker: &mut Checker) {
        let cells = ["targetPosition", "landingPosition"];
        cell_fields(option, checker, "", &cells, &["capturedCapHeight"]);
    }

    /// The highest cap, then the landing nearest to that of the first option.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        let from = body.options.first()?.landing_position;
        let chosen = body.options.iter().min_by_key(|option| {
            (std::cmp::Reverse(option.captured_cap_height), option.landing_position.distance(from))
        })?;
        Some(json!({
            "targetPosition": chosen.target_position.json(), "landingPosition": chosen.landing_position.json(),
            "capturedCapHeight": chosen.captured_cap_height,
        }))
    }
}

impl<O: Options> Body for ChoiceBody<O> {
    fn check(value: &Value, checker: &mut Checker) {
        let Some(body) = checker.object(value) else { return };
        checker.whole(body, "playerNumber", true, Some(1), None);
        checker.whole(body, "difficulty", false, Some(1), Some(10));
        checker.ai_type(body, "aiType");
        for (index, option) in checker.list(body, "options", 0, usize::MAX).iter().enumerate() {
            checker.inside("options", |checker| checker.inside(index, |checker| O::check(option, checker)));
        }
    }

    fn is_sound(&self) -> bool {
        self.player_number >= 1
            && (1..=10).contains(&self.difficulty)
            && self.ai_type.as_deref().is_none_or(|name| engines::ai_types().any(|known| known == name))
            && self.options.iter().all(O::is_sound)
    }
}

fn chosen<O: Options>(bytes: &[u8]) -> Answer {
    let body: ChoiceBody<O> = match read::body(bytes) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let Some(option) = O::choose(&body) else {
        return Answer::error(400, &format!("{} choice has no options", O::KIND.name()));
    };
    let usual = engines::usual(body.difficulty as u8);
    Answer::ok(json!({
        "selectedOption": option,
        "aiType": body.ai_type.as_deref().unwrap_or(usual),
        "difficulty": body.difficulty,
    }))
}

pub(crate) fn answer(kind: Choice, bytes: &[u8]) -> Answer {
    match kind {
        Choice::LineReward => chosen::<String>(bytes),
        Choice::RingElimination => chosen::<Elimination>(bytes),
        Choice::RegionOrder => chosen::<Region>(bytes),
        Choice::LineOrder => chosen::<Line>(bytes),
        Choice::CaptureDirection => chosen::<Capture>(bytes),
    }
}
