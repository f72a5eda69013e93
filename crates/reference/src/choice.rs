//! `/ai/choice/…`: chooses one of several options by simple rules, without search.

use std::cmp::Reverse;

use interchange::{
    AiType, CaptureOption, ChoiceRequest, EliminationOption, GameState, LineOption, LineReward, Point, Read,
    RegionOption, WithJson, drop_nulls,
};
use serde_json::{Value, json};

use crate::{Answer, engines};

/// The kind of choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// How much of an overlength line to collapse.
    LineReward,
    /// The stack that pays an elimination.
    RingElimination,
    /// The region to process first.
    RegionOrder,
    /// The line to process first.
    LineOrder,
    /// The capture to make.
    CaptureDirection,
}

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

/// The Manhattan distance, including the third axis of hex cells.
fn distance(one: Point, other: Point) -> i64 {
    let depth = |cell: Point| cell.z.unwrap_or(0);
    let axes = [(one.x, other.x), (one.y, other.y), (depth(one), depth(other))];
    let apart = axes.map(|(one, other)| one.saturating_sub(other).saturating_abs());
    apart.into_iter().fold(0, i64::saturating_add)
}

/// A type of options.
trait Options: Read {
    /// The kind of choice.
    const CHOICE: Choice;

    /// Returns the chosen option as JSON.
    fn choose(body: &ChoiceRequest<Self>) -> Option<Value>;
}

impl Options for LineReward {
    const CHOICE: Choice = Choice::LineReward;

    /// The option without an elimination, if it is offered or if the list is empty.
    fn choose(body: &ChoiceRequest<Self>) -> Option<Value> {
        let free = body.options.is_empty() || body.options.contains(&Self::CollapseMinimum);
        let chosen = if free { Self::CollapseMinimum } else { Self::CollapseAll };
        Some(chosen.name().into())
    }
}

impl Options for WithJson<EliminationOption> {
    const CHOICE: Choice = Choice::RingElimination;

    /// The smallest cap, then the lowest stack, then the first.
    fn choose(body: &ChoiceRequest<Self>) -> Option<Value> {
        let chosen =
            body.options.iter().min_by_key(|option| (option.value.cap_height, option.value.total_height))?;
        Some(chosen.json.clone())
    }
}

impl Options for WithJson<RegionOption> {
    const CHOICE: Choice = Choice::RegionOrder;

    /// The largest, with a bonus for nearby enemy stacks; the first of equals.
    fn choose(body: &ChoiceRequest<Self>) -> Option<Value> {
        let hostile = |state: &GameState, seat: i64| {
            seat != body.player_number && state.players.iter().any(|player| player.player_number == seat)
        };
        let enemies: Vec<Point> = body
            .game_state
            .iter()
            .flat_map(|state| state.board.stacks.values().map(move |stack| (state, stack)))
            .filter(|(state, stack)| stack.controlling_player.is_some_and(|seat| hostile(state, seat)))
            .filter_map(|(_, stack)| stack.position)
            .collect();
        let score = |option: &RegionOption| {
            let near = enemies.iter().map(|&enemy| distance(enemy, option.representative_position));
            let pressure: f64 =
                near.filter(|&distance| distance <= 3).map(|distance| 2.0 / (1 + distance) as f64).sum();
            option.size as f64 + pressure
        };
        let mut best: Option<(&Self, f64)> = None;
        for option in &body.options {
            let (score, size) = (score(&option.value), option.value.size);
            let better =
                best.is_none_or(|(found, most)| score > most || score >= most && size > found.value.size);
            if better {
                best = Some((option, score));
            }
        }
        let none = json!({"regionId": "0", "size": 0, "representativePosition": {"x": 0, "y": 0}});
        Some(best.map_or(none, |(region, _)| region.json.clone()))
    }
}

impl Options for WithJson<LineOption> {
    const CHOICE: Choice = Choice::LineOrder;

    /// The longest, then the first.
    fn choose(body: &ChoiceRequest<Self>) -> Option<Value> {
        // `max_by_key` returns the last maximum, so reverse the order to get the first.
        let chosen = body.options.iter().rev().max_by_key(|option| option.value.marker_positions.len())?;
        Some(chosen.json.clone())
    }
}

impl Options for WithJson<CaptureOption> {
    const CHOICE: Choice = Choice::CaptureDirection;

    /// The highest cap, then the landing nearest to that of the first option.
    fn choose(body: &ChoiceRequest<Self>) -> Option<Value> {
        let from = body.options.first()?.value.landing_position;
        let chosen = body.options.iter().min_by_key(|WithJson { value, .. }| {
            (Reverse(value.captured_cap_height), distance(value.landing_position, from))
        })?;
        Some(chosen.json.clone())
    }
}

fn chosen<O: Options>(bytes: &[u8]) -> Answer {
    let body: ChoiceRequest<O> = match Answer::body(bytes) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let Some(mut option) = O::choose(&body) else {
        return Answer::error(400, &format!("{} choice has no options", O::CHOICE.name()));
    };
    // Cells of square boards have no `z` in responses.
    drop_nulls(&mut option);
    let difficulty = body.difficulty.0 as u8;
    Answer::ok(json!({
        "selectedOption": option,
        "aiType": body.ai_type.map_or_else(|| engines::default_ai_type(difficulty), AiType::name),
        "difficulty": difficulty,
    }))
}

pub(crate) fn respond(kind: Choice, bytes: &[u8]) -> Answer {
    match kind {
        Choice::LineReward => chosen::<LineReward>(bytes),
        Choice::RingElimination => chosen::<WithJson<EliminationOption>>(bytes),
        Choice::RegionOrder => chosen::<WithJson<RegionOption>>(bytes),
        Choice::LineOrder => chosen::<WithJson<LineOption>>(bytes),
        Choice::CaptureDirection => chosen::<WithJson<CaptureOption>>(bytes),
    }
}
