//! `/ai/choice/…`: one of some options, by simple rules that need no search.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Answer, engines,
    models::{self, REWARDS},
    read::{self, Body},
    schema::Kind,
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

const ALL: &str = REWARDS[0];
const MINIMUM: &str = REWARDS[1];

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
#[serde(rename_all = "camelCase")]
struct ChoiceBody<O> {
    player_number: i64,
    #[serde(default = "read::default_difficulty")]
    difficulty: u8,
    #[serde(default)]
    ai_type: Option<String>,
    /// The whole state over there; only players and stacks matter here.
    #[serde(default)]
    game_state: Option<Around>,
    options: Vec<O>,
}

#[derive(Deserialize)]
struct Around {
    players: Vec<Player>,
    board: Stacks,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Player {
    player_number: i64,
}

#[derive(Deserialize)]
struct Stacks {
    #[serde(default)]
    stacks: BTreeMap<String, Stack>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stack {
    position: Cell,
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

    /// Along all axes, also the third one of hex cells.
    fn distance(self, other: Self) -> i64 {
        let depth = |cell: Self| cell.z.unwrap_or(0);
        let axes = [(self.x, other.x), (self.y, other.y), (depth(self), depth(other))];
        let apart = axes.map(|(one, two)| one.saturating_sub(two).saturating_abs());
        apart.into_iter().fold(0, i64::saturating_add)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Elimination {
    stack_position: Cell,
    cap_height: i64,
    total_height: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    #[serde(rename = "regionId")]
    id: String,
    size: i64,
    representative_position: Cell,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(rename = "lineId")]
    id: String,
    marker_positions: Vec<Cell>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Capture {
    target_position: Cell,
    landing_position: Cell,
    captured_cap_height: i64,
}

/// Options of one kind.
trait Options: Sized + for<'de> Deserialize<'de> {
    /// What is chosen.
    const CHOICE: Choice;

    /// What a body with them has to look like.
    fn kind() -> &'static Kind;

    /// The chosen option, written out.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value>;
}

impl Options for String {
    const CHOICE: Choice = Choice::LineReward;

    fn kind() -> &'static Kind {
        &models::CHOOSE_REWARD
    }

    /// The free one if it is offered, and also if nothing is.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        let free = body.options.is_empty() || body.options.iter().any(|option| option == MINIMUM);
        Some(if free { MINIMUM } else { ALL }.into())
    }
}

impl Options for Elimination {
    const CHOICE: Choice = Choice::RingElimination;

    fn kind() -> &'static Kind {
        &models::CHOOSE_ELIMINATION
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
    const CHOICE: Choice = Choice::RegionOrder;

    fn kind() -> &'static Kind {
        &models::CHOOSE_REGION
    }

    /// The largest, enemies close to it counting too; the first of equals.
    fn choose(body: &ChoiceBody<Self>) -> Option<Value> {
        let hostile = |state: &Around, seat: i64| {
            seat != body.player_number && state.players.iter().any(|player| player.player_number == seat)
        };
        let enemies: Vec<Cell> = body
            .game_state
            .iter()
            .flat_map(|state| state.board.stacks.values().map(move |stack| (state, stack)))
            .filter(|(state, stack)| hostile(state, stack.controlling_player))
            .map(|(_, stack)| stack.position)
            .collect();
        let score = |option: &Region| {
            let near = enemies.iter().map(|enemy| enemy.distance(option.representative_position));
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
                "representativePosition": region.representative_position.json(),
            }),
            None => json!({"regionId": "0", "size": 0, "representativePosition": {"x": 0, "y": 0}}),
        })
    }
}

impl Options for Line {
    const CHOICE: Choice = Choice::LineOrder;

    fn kind() -> &'static Kind {
        &models::CHOOSE_LINE
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
    const CHOICE: Choice = Choice::CaptureDirection;

    fn kind() -> &'static Kind {
        &models::CHOOSE_CAPTURE
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
    fn kind() -> &'static Kind {
        O::kind()
    }
}

fn chosen<O: Options>(bytes: &[u8]) -> Answer {
    let body: ChoiceBody<O> = match read::body(bytes) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let Some(option) = O::choose(&body) else {
        return Answer::error(400, &format!("{} choice has no options", O::CHOICE.name()));
    };
    let usual = engines::usual(body.difficulty);
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
