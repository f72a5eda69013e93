//! Routes about the service itself: banner, health, nets, cache and levels.

use interchange::query_number;
use ladder::{Level, Tier, Venue};
use ringrift::Board;
use serde_json::{Value, json};

use crate::{Answer, clock, engines};

pub(crate) fn banner() -> Answer {
    Answer::ok(json!({
        "service": "RingRift AI Service", "status": "running", "version": env!("CARGO_PKG_VERSION"),
        "implementation": "riftlab",
    }))
}

/// The status and body of `/health`: 200 without issues, otherwise 503.
pub fn health(components: &[(&str, &str)], issues: &[String], warnings: &[String]) -> (u16, Value) {
    let healthy = issues.is_empty();
    let components: serde_json::Map<String, Value> =
        components.iter().map(|(name, state)| ((*name).to_owned(), (*state).into())).collect();
    let body = json!({
        "status": if healthy { "healthy" } else { "unhealthy" },
        "timestamp": clock::now("+00:00"),
        "components": components,
        "issues": issues,
        "warnings": warnings,
    });
    (if healthy { 200 } else { 503 }, body)
}

/// The status and body of `/ready`.
pub fn ready(ready: bool) -> (u16, Value) {
    (if ready { 200 } else { 503 }, json!({"ready": ready}))
}

/// The status and body of `/live`.
pub fn live() -> (u16, Value) {
    (200, json!({"live": true}))
}

/// The list of nets, which is empty so far.
pub(crate) fn models() -> Answer {
    Answer::ok(json!({"models": {}, "timestamp": clock::seconds()}))
}

/// The statistics of the agent cache. There is no cache, because every request creates its own agent.
pub(crate) fn cache() -> Answer {
    Answer::ok(json!({"enabled": false, "count": 0, "max": 0, "ttl_sec": 0}))
}

pub(crate) fn clear_cache(given: Option<&str>, wanted: Option<&str>) -> Answer {
    match (given, wanted) {
        (None | Some(""), _) => Answer::error(401, "X-Admin-Key header required"),
        (Some(given), Some(wanted)) if constant_time_eq(given.as_bytes(), wanted.as_bytes()) => {
            Answer::ok(json!({"status": "cache cleared", "instances_removed": 0}))
        }
        (Some(_), Some(_)) => Answer::error(403, "Invalid admin key"),
        (Some(_), None) => Answer::error(403, "No admin key is set for this service"),
    }
}

/// Compares in constant time.
fn constant_time_eq(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Acknowledges a game without learning from it.
pub(crate) fn learn(body: &[u8]) -> Answer {
    if let Err(rejection) = Answer::body::<Value>(body) {
        return rejection;
    }
    Answer::ok(json!({
        "success": false, "learned": false,
        "message": "this service does not learn from single games; the game was discarded",
    }))
}

pub(crate) fn ladder_health(query: &str) -> Answer {
    let mut details = Vec::new();
    let mut number = |name: &str| {
        let number = query_number(name, &parameter(query, name)?);
        number.map_err(|detail| details.push(detail)).ok()
    };
    let (players, difficulty) = (number("num_players"), number("difficulty"));
    if !details.is_empty() {
        return Answer::invalid(details);
    }
    let wanted = parameter(query, "board_type").map(|name| name.trim().to_lowercase());
    let board = match wanted.filter(|name| !name.is_empty()).map(|name| name.parse::<Board>()) {
        None => None,
        Some(Ok(board)) => Some(board),
        Some(Err(_)) => {
            let names = Board::ALL.map(Board::name).join(", ");
            return Answer::error(400, &format!("Unsupported board_type: expected one of {names}"));
        }
    };
    if players.is_some_and(|players| !(2..=4).contains(&players)) {
        return Answer::error(400, "num_players must be 2, 3, or 4");
    }
    if difficulty.is_some_and(|difficulty| !(1..=10).contains(&difficulty)) {
        return Answer::error(400, "difficulty must be between 1 and 10");
    }
    let venues = Venue::all().filter_map(|venue| match venue {
        Venue::RingRift { board, seats } => Some((board, seats)),
        Venue::Go { .. } => None,
    });
    let mut tiers = Vec::new();
    for (of, seats) in venues {
        for level in Level::all() {
            let wanted = board.is_none_or(|board| board == of)
                && players.is_none_or(|players| players == i64::from(seats))
                && difficulty.is_none_or(|difficulty| difficulty == i64::from(level.difficulty()));
            if wanted {
                tiers.push(Tier::at(level, Venue::RingRift { board: of, seats }));
            }
        }
    }
    let missing = |kind: &str| tiers.iter().filter(|tier| tier.net == Some(kind) && !tier.has_net).count();
    Answer::ok(json!({
        "generated_at": clock::now("+00:00"),
        "filters": {
            "board_type": board.map(Board::name), "num_players": players, "difficulty": difficulty,
        },
        "summary": {
            "tiers": tiers.len(), "overridden_tiers": 0, "missing_heuristic_profiles": 0,
            "missing_nnue_checkpoints": missing("nnue"), "missing_neural_checkpoints": missing("pv"),
        },
        "tiers": tiers.iter().map(tier_json).collect::<Vec<_>>(),
    }))
}

/// The last value of a query parameter, if it is present.
fn parameter(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let (_, value) = pairs.rev().find(|(key, _)| *key == name)?;
    let (mut bytes, mut rest) = (Vec::new(), value.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let digits =
            after.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(if byte == b'+' { b' ' } else { byte }));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn tier_json(tier: &Tier) -> Value {
    let (board, seats) = match tier.venue {
        Venue::RingRift { board, seats } => (board.name(), seats),
        Venue::Go { .. } => ("go", 2),
    };
    let mut artifacts = json!({
        "heuristic_profile": {"id": tier.heuristic_profile_id, "available": true, "source": "shipped"},
    });
    if let Some(id) = &tier.model_id {
        let kind = if tier.net == Some("nnue") { "nnue" } else { "neural" };
        let exists = tier.has_net;
        artifacts[kind] = json!({
            "model_id": id, "file": {"basename": id, "exists": exists}, "root_present": exists,
        });
    }
    json!({
        "difficulty": tier.level.difficulty(), "board_type": board, "num_players": seats,
        "ai_type": engines::ai_type(tier.kind), "use_neural_net": tier.use_neural_net, "randomness": tier.randomness,
        "think_time_ms": tier.think_time.as_millis() as u64, "model_id": tier.model_id,
        "heuristic_profile_id": tier.heuristic_profile_id, "overridden": false, "artifacts": artifacts,
    })
}
