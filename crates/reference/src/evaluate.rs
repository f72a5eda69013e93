//! `/ai/evaluate` and `/ai/evaluate_position`: evaluations by the heuristic, in points.
//!
//! A value of one half corresponds to a lead of 100 points. The scale is unbounded.

use eval::{Heuristic, Persona, Profile};
use game::{Game, MAX_SEATS, Seat};
use interchange::{EvaluatePositionRequest, EvaluateRequest, GameState};
use ringrift::{Geometry, Phase, Position, on_board};
use serde_json::{Map, Value, json};

use crate::{Answer, clock};

/// Converts a value from −1 to 1 to points.
pub(crate) fn points(value: f32) -> f64 {
    let value =
        f64::from(value.clamp(-Heuristic::<ringrift::Square8>::MOST, Heuristic::<ringrift::Square8>::MOST));
    100.0 * value / (1.0 - value.abs())
}

/// The lead of a seat over its best rival, in points.
pub(crate) fn lead<B: Geometry>(heuristic: &Heuristic<B>, position: &Position<B>, seat: Seat) -> f64 {
    let scores = heuristic.scores(position);
    let rival = best_rival(&scores, position.seats(), seat);
    let scale = Profile::shipped(B::BOARD, position.seats()).scale;
    100.0 * f64::from(scores[seat.index()] - scores[rival.index()]) / f64::from(scale)
}

fn best_rival(scores: &[f32; MAX_SEATS], seats: usize, seat: Seat) -> Seat {
    let others = Seat::all(seats).filter(|&other| other != seat);
    others.max_by(|one, two| scores[one.index()].total_cmp(&scores[two.index()])).unwrap_or(seat)
}

/// The position of a state, even if the game is over.
fn position<B: Geometry>(state: &GameState) -> Option<Position<B>> {
    state.nearest().position.or_else(|| {
        let mut quiet = state.clone();
        quiet.current_phase = Phase::RingPlacement.name().into();
        quiet.move_history.clear();
        quiet.nearest().position
    })
}

/// The weighted components of a seat's evaluation, in points.
fn terms<B: Geometry>(position: &Position<B>, seat: Seat) -> Vec<(&'static str, f64)> {
    let Profile { mut weights, scale } = Profile::shipped(B::BOARD, position.seats());
    let components = Heuristic::<B>::new(Persona::default()).components(position, seat);
    let weigh = |(name, amount): (&'static str, f32)| {
        let weight = weights.by_name(name).map_or(0.0, |weight| *weight);
        (name, 100.0 * f64::from(weight * amount) / f64::from(scale))
    };
    components.into_iter().map(weigh).collect()
}

/// Responds to `/ai/evaluate`.
pub(crate) fn evaluate(body: &[u8]) -> Answer {
    let body: EvaluateRequest = match Answer::body(body) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let Ok(board) = body.game_state.board() else { return Answer::error(422, "unknown board") };
    let breakdown = on_board!(board, B => match (position::<B>(&body.game_state), interchange::seat(body.player_number.0)) {
        (Some(position), Some(seat)) => breakdown(&position, seat),
        _ => Map::new(),
    });
    let score: f64 = breakdown.values().filter_map(Value::as_f64).sum();
    let mut breakdown = breakdown;
    breakdown.insert("total".to_owned(), score.into());
    Answer::ok(json!({"score": score, "breakdown": breakdown}))
}

/// The contribution of each component to the lead of `seat` over its best rival.
fn breakdown<B: Geometry>(position: &Position<B>, seat: Seat) -> Map<String, Value> {
    let scores = Heuristic::<B>::new(Persona::default()).scores(position);
    let rival = best_rival(&scores, position.seats(), seat);
    let own = terms(position, seat).into_iter().zip(terms(position, rival));
    own.map(|((name, own), (_, others))| (name.to_owned(), (own - others).into())).collect()
}

/// Responds to `/ai/evaluate_position`.
pub(crate) fn evaluate_position(body: &[u8]) -> Answer {
    let body: EvaluatePositionRequest = match Answer::body(body) {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let state = &body.game_state;
    let Ok(board) = state.board() else { return Answer::error(422, "unknown board") };
    if state.players.is_empty() {
        return Answer::error(400, "No players found in game_state");
    }
    let per_player = on_board!(board, B => match position::<B>(state) {
        Some(position) => per_player(&position),
        None => Map::new(),
    });
    Answer::ok(json!({
        "engine_profile": body.engine_profile.filter(|name| !name.is_empty()).unwrap_or_else(|| "heuristic".to_owned()),
        "board_type": &*state.board_type,
        "game_id": state.id,
        "move_number": state.move_history.len(),
        "per_player": per_player,
        "evaluation_scale": "zero_sum_margin",
        "generated_at": clock::now("+00:00"),
    }))
}

/// The margins of all seats over the mean, which sum to 0.
fn per_player<B: Geometry>(position: &Position<B>) -> Map<String, Value> {
    let terms: Vec<Vec<(&str, f64)>> =
        Seat::all(position.seats()).map(|seat| terms(position, seat)).collect();
    let margins = |wanted: &dyn Fn(&str) -> bool| -> Vec<f64> {
        let sum = |terms: &Vec<(&str, f64)>| {
            terms.iter().filter(|(name, _)| wanted(name)).map(|(_, term)| term).sum()
        };
        let sums: Vec<f64> = terms.iter().map(sum).collect();
        let mean = sums.iter().sum::<f64>() / sums.len() as f64;
        sums.into_iter().map(|sum| sum - mean).collect()
    };
    let total = margins(&|_| true);
    let territory = margins(&|name| name == "territory");
    let rings = margins(&|name| name == "credits");
    Seat::all(position.seats())
        .map(|seat| {
            let index = seat.index();
            let value = json!({
                "totalEval": total[index], "territoryEval": territory[index], "ringEval": rings[index],
                "winProbability": null,
            });
            (seat.to_string(), value)
        })
        .collect()
}
