//! A client that checks the moves in responses as strictly as the strictest real client.

#![allow(dead_code, reason = "each test program uses a part")]

use std::{collections::BTreeSet, path::PathBuf};

use game::Game;
use interchange::TraceText;
use reference::{Answer, Caps, Request, Service};
use ringrift::{Geometry, Kind, Move, Position};
use search::Stop;
use serde_json::Value;

/// All recorded exchanges; none if the file is missing, which is an error in CI.
pub(crate) fn exchanges() -> Vec<Value> {
    let path =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/reference-api/exchanges.jsonl"));
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{}: {error}", path.display());
            #[expect(clippy::print_stdout, reason = "why nothing was looked at is said beside the results")]
            {
                println!("skipped: {} is not there", path.display());
            }
            Vec::new()
        }
    }
}

/// Posts a body, with a short time limit.
pub(crate) fn post(path: &str, body: &[u8]) -> Answer {
    let caps = Caps { nodes: 60, ..Caps::default() };
    let request = Request { method: "POST", path, query: None, body, admin_key: None };
    Service::new(caps).handle(&request, &Stop::default())
}

/// A cell as `x,y` or `x,y,z`: with `z` on hex boards, without on squares.
fn key<B: Geometry>(cell: &Value) -> Result<String, String> {
    let fields = cell.as_object().ok_or_else(|| format!("{cell} is no cell"))?;
    let number = |name: &str| fields.get(name).and_then(Value::as_i64);
    match (number("x"), number("y"), fields.get("z").map(Value::as_i64), fields.len()) {
        (Some(x), Some(y), None, 2) if !B::HEX => Ok(format!("{x},{y}")),
        (Some(x), Some(y), Some(Some(z)), 3) if B::HEX && x + y + z == 0 => Ok(format!("{x},{y},{z}")),
        _ => Err(format!("{cell} is no cell of {}", B::BOARD)),
    }
}

fn coordinates(cell: &Value) -> (i64, i64) {
    (cell["x"].as_i64().unwrap(), cell["y"].as_i64().unwrap())
}

/// The keys of cells in canonical order.
fn sorted<B: Geometry>(cells: &Value) -> Result<String, String> {
    let list = cells.as_array().ok_or_else(|| format!("{cells} is no list of cells"))?;
    let mut keys = Vec::new();
    for cell in list {
        keys.push((coordinates(cell), key::<B>(cell)?));
    }
    keys.sort();
    Ok(keys.into_iter().map(|(_, key)| key).collect::<Vec<_>>().join(";"))
}

fn no_nulls(value: &Value, place: &str) -> Result<(), String> {
    match value {
        Value::Null => Err(format!("{place} is null")),
        Value::Array(items) => items.iter().try_for_each(|item| no_nulls(item, place)),
        Value::Object(fields) => fields.iter().try_for_each(|(name, item)| no_nulls(item, name)),
        _ => Ok(()),
    }
}

fn only(m: &Value, allowed: &[&str]) -> Result<(), String> {
    let always = ["id", "type", "player", "to", "timestamp", "thinkTime", "moveNumber", "phase"];
    let fields = m.as_object().unwrap().keys();
    let odd: Vec<&String> =
        fields.filter(|name| !always.contains(&name.as_str()) && !allowed.contains(&name.as_str())).collect();
    if odd.is_empty() { Ok(()) } else { Err(format!("fields {odd:?} do not belong there")) }
}

/// Computes the canonical key of a move from its fields.
fn canonical<B: Geometry>(m: &Value) -> Result<String, String> {
    let kind = m["type"].as_str().ok_or("no type")?;
    let cell = |name: &str| key::<B>(&m[name]);
    Ok(match kind {
        "place_ring" => {
            only(m, &["placementCount", "placedOnStack"])?;
            format!("{kind} {} x{}", cell("to")?, m["placementCount"])
        }
        "move_stack" => {
            only(m, &["from"])?;
            format!("{kind} {}>{}", cell("from")?, cell("to")?)
        }
        "overtaking_capture" | "continue_capture_segment" => {
            only(m, &["from", "captureTarget"])?;
            format!("{kind} {}*{}>{}", cell("from")?, cell("captureTarget")?, cell("to")?)
        }
        "recovery_slide" => {
            let options = ["option", "recoveryOption"];
            only(
                m,
                &["from", "recoveryMode", options[0], options[1], "collapsePositions", "extractionStacks"],
            )?;
            let option = options.iter().find_map(|name| m.get(*name)?.as_i64()).unwrap_or(1);
            let mode = match m["recoveryMode"].as_str() {
                Some("line") => format!("line {option}"),
                Some(mode) => mode.to_owned(),
                None => return Err("no recoveryMode".to_owned()),
            };
            format!("{kind} {}>{} {mode}", cell("from")?, cell("to")?)
        }
        "process_line" | "choose_line_option" => {
            only(m, &["formedLines", "collapsedMarkers"])?;
            line_order::<B>(m)?;
            let line = sorted::<B>(&m["formedLines"][0]["positions"])?;
            if kind == "process_line" {
                only(m, &["formedLines"])?;
                format!("{kind} {line}")
            } else {
                format!("{kind} {line}|{}", sorted::<B>(&m["collapsedMarkers"])?)
            }
        }
        "choose_territory_option" => {
            only(m, &["disconnectedRegions"])?;
            region_order::<B>(m)?;
            format!("{kind} {}", sorted::<B>(&m["disconnectedRegions"][0]["spaces"])?)
        }
        "eliminate_rings_from_stack" => {
            only(m, &["eliminatedRings", "eliminationContext", "eliminationFromStack"])?;
            let context = m["eliminationContext"].as_str().ok_or("no eliminationContext")?;
            if (context == "line") == m.get("eliminationFromStack").is_some() {
                return Err(format!("eliminationFromStack in the context {context}"));
            }
            format!("{kind} {} {context}", cell("to")?)
        }
        "forced_elimination" => {
            only(m, &["eliminatedRings", "eliminationFromStack"])?;
            if key::<B>(&m["eliminationFromStack"]["position"])? != cell("to")? {
                return Err("eliminationFromStack is another stack".to_owned());
            }
            format!("{kind} {}", cell("to")?)
        }
        _ => {
            only(m, &[])?;
            if m["to"] != serde_json::json!({"x": 0, "y": 0}) {
                return Err(format!("{kind} needs the placeholder, not {}", m["to"]));
            }
            kind.to_owned()
        }
    })
}

/// Checks that a line runs along one of the client's directions, and that the collapsed cells are a part of it in the same
/// order.
fn line_order<B: Geometry>(m: &Value) -> Result<(), String> {
    let directions: &[(i64, i64)] =
        if B::HEX { &[(1, 0), (1, -1), (0, -1)] } else { &[(1, 0), (1, 1), (0, 1), (1, -1)] };
    let line = &m["formedLines"][0];
    let cells: Vec<(i64, i64)> =
        line["positions"].as_array().ok_or("no line")?.iter().map(coordinates).collect();
    let direction = coordinates(&line["direction"]);
    let straight = cells.windows(2).all(|two| (two[1].0 - two[0].0, two[1].1 - two[0].1) == direction);
    if !directions.contains(&direction) || !straight || line["player"] != m["player"] {
        return Err(format!("the line {line} is not in the client's order"));
    }
    if line["length"].as_u64() != Some(cells.len() as u64) || coordinates(&m["to"]) != cells[0] {
        return Err("length or first cell of the line".to_owned());
    }
    if let Some(collapsed) = m.get("collapsedMarkers").and_then(Value::as_array) {
        let collapsed: Vec<(i64, i64)> = collapsed.iter().map(coordinates).collect();
        if !cells.windows(collapsed.len()).any(|window| window == collapsed) {
            return Err("collapsedMarkers are no piece of the line".to_owned());
        }
    }
    Ok(())
}

/// Checks that a region is listed breadth first from its first cell, in the client's order of neighbours.
fn region_order<B: Geometry>(m: &Value) -> Result<(), String> {
    let steps: &[(i64, i64)] = if B::HEX {
        &[(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    } else {
        &[(0, 1), (1, 0), (0, -1), (-1, 0)]
    };
    let region = &m["disconnectedRegions"][0];
    let cells: Vec<(i64, i64)> =
        region["spaces"].as_array().ok_or("no region")?.iter().map(coordinates).collect();
    let set: BTreeSet<(i64, i64)> = cells.iter().copied().collect();
    let (mut queue, mut seen) = (vec![*set.first().ok_or("an empty region")?], BTreeSet::new());
    let mut next = 0;
    let mut expected = Vec::new();
    while next < queue.len() {
        let cell = queue[next];
        next += 1;
        if !set.contains(&cell) || !seen.insert(cell) {
            continue;
        }
        expected.push(cell);
        queue.extend(steps.iter().map(|step| (cell.0 + step.0, cell.1 + step.1)));
    }
    let owned = region["controllingPlayer"].as_u64().is_some_and(|player| player >= 1);
    if expected != cells || coordinates(&m["to"]) != cells[0] || region["isDisconnected"] != true || !owned {
        return Err(format!("the region {region} is not as the client finds it"));
    }
    Ok(())
}

/// The legal move that a client identifies with a move in a response.
pub(crate) fn accepted<B: Geometry>(position: &Position<B>, m: &Value) -> Result<Move, String> {
    no_nulls(m, "the move")?;
    let mover = position.to_move().number();
    if m["player"].as_u64() != Some(mover as u64) || m["phase"] != position.phase().name() {
        return Err(format!("player or phase of {m}"));
    }
    if m["timestamp"].as_str().is_none_or(|time| !time.ends_with('Z')) || !m["moveNumber"].is_u64() {
        return Err(format!("time or number of {m}"));
    }
    let wanted = canonical::<B>(m)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let found = moves.iter().copied().find(|&legal| position.move_key(legal) == wanted);
    let found = found.ok_or_else(|| format!("{wanted} is not legal: {:?}", position.legal_keys()))?;
    let declines = |kind| matches!(kind, Kind::SkipCapture | Kind::SkipTerritory | Kind::SkipRecovery);
    if declines(found.kind()) && moves.iter().any(|m| !declines(m.kind())) {
        return Err(format!("{wanted} declines what could be done"));
    }
    if let Some(extra) = m.get("eliminatedRings") {
        let stack = position.stack(found.cell());
        let count =
            if matches!(found.kind(), Kind::PayLine | Kind::PayRegionBuried) { 1 } else { stack.cap() };
        if extra[0]["count"].as_u64() != Some(count.into())
            || extra[0]["player"].as_u64() != Some(mover as u64)
        {
            return Err(format!("{extra} rings for a stack {stack}"));
        }
    }
    if found.kind() == Kind::PlaceRing && m["placedOnStack"] != !position.stack(found.cell()).is_empty() {
        return Err("placedOnStack".to_owned());
    }
    Ok(found)
}
