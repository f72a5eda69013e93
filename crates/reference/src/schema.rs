//! Why a body is refused, in the form of the reference service: a list of details, each with the place and the value.

use ringrift::{Board, Phase};
use serde_json::{Map, Value, json};

use crate::engines;

/// What a game can be, and one word more that a client uses.
pub(crate) const STATUSES: [&str; 6] = ["waiting", "active", "paused", "abandoned", "completed", "finished"];

/// The phases by name.
pub(crate) const PHASES: [&str; 8] = {
    let mut names = [""; 8];
    let mut index = 0;
    while index < names.len() {
        names[index] = Phase::ALL[index].name();
        index += 1;
    }
    names
};

/// The most details that are told.
const MOST_DETAILS: usize = 24;
/// The largest value that is echoed, in bytes of JSON, roughly.
const MOST_ECHO: usize = 600;

/// Collects what is wrong with a body.
pub(crate) struct Checker {
    details: Vec<Value>,
    place: Vec<Value>,
}

/// A value for an error message, unless it is too large.
fn echo(value: &Value) -> Value {
    fn size(value: &Value, budget: usize) -> usize {
        match value {
            Value::String(text) => text.len() + 2,
            Value::Array(items) => items
                .iter()
                .try_fold(2, |sum: usize, item| (sum <= budget).then(|| sum + 1 + size(item, budget)))
                .unwrap_or(usize::MAX / 4),
            Value::Object(fields) => fields
                .iter()
                .try_fold(2, |sum: usize, (name, item)| {
                    (sum <= budget).then(|| sum + name.len() + 4 + size(item, budget))
                })
                .unwrap_or(usize::MAX / 4),
            _ => 8,
        }
    }
    if size(value, MOST_ECHO) <= MOST_ECHO { value.clone() } else { "<too large to repeat>".into() }
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match &quoted[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => quoted.concat(),
    }
}

impl Checker {
    pub(crate) fn new(_: &Value) -> Self {
        Self { details: Vec::new(), place: vec!["body".into()] }
    }

    pub(crate) fn found_nothing(&self) -> bool {
        self.details.is_empty()
    }

    pub(crate) fn into_details(self) -> Vec<Value> {
        self.details
    }

    pub(crate) fn missing_body() -> Value {
        json!({"type": "missing", "loc": ["body"], "msg": "Field required", "input": null})
    }

    /// A body of which nothing better can be said.
    pub(crate) fn plain(error: &str) -> Value {
        let error: String = error.chars().take(200).collect();
        json!({"type": "value_error", "loc": ["body"], "msg": format!("Value error, {error}"), "input": {}})
    }

    pub(crate) fn not_json(error: &serde_json::Error, bytes: &[u8]) -> Value {
        let lines = bytes.split(|&byte| byte == b'\n');
        let before: usize = lines.take(error.line().saturating_sub(1)).map(|line| line.len() + 1).sum();
        let place = (before + error.column()).min(bytes.len());
        let says = error.to_string();
        json!({
            "type": "json_invalid", "loc": ["body", place], "msg": "JSON decode error", "input": {},
            "ctx": {"error": says},
        })
    }

    fn add(&mut self, kind: &str, message: &str, input: &Value, context: Option<Value>) {
        if self.details.len() >= MOST_DETAILS {
            return;
        }
        let mut detail = json!({"type": kind, "loc": self.place, "msg": message, "input": echo(input)});
        if let Some(context) = context {
            detail["ctx"] = context;
        }
        self.details.push(detail);
    }

    pub(crate) fn value_error(&mut self, value: &Value, message: &str) {
        self.add("value_error", &format!("Value error, {message}"), value, Some(json!({"error": {}})));
    }

    pub(crate) fn inside(&mut self, step: impl Into<Value>, check: impl FnOnce(&mut Self)) {
        self.place.push(step.into());
        check(self);
        self.place.pop();
    }

    pub(crate) fn object<'a>(&mut self, value: &'a Value) -> Option<&'a Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            let message = "Input should be a valid dictionary or object to extract fields from";
            self.add("model_attributes_type", message, value, None);
        }
        object
    }

    /// The field `name`, under its camel or snake name, if it is there; optional ones may also be null.
    fn field<'a>(&mut self, object: &'a Map<String, Value>, name: &str, required: bool) -> Option<&'a Value> {
        let found = object.get(name).or_else(|| object.get(&snake(name)));
        match found {
            None if required => {
                let input = Value::Object(Map::new());
                let input = if object.len() > 40 { input } else { Value::Object(object.clone()) };
                self.inside(name, |checker| checker.add("missing", "Field required", &input, None));
                None
            }
            Some(Value::Null) if !required => None,
            found => found,
        }
    }

    pub(crate) fn whole_value(&mut self, value: &Value, least: Option<i64>, most: Option<i64>) {
        let Some(number) = value.as_i64() else {
            match value {
                Value::Number(number) if number.is_u64() => {
                    self.add(
                        "int_parsing_size",
                        "Unable to parse input string as an integer, exceeded maximum size",
                        value,
                        None,
                    );
                }
                Value::Number(_) => {
                    let message = "Input should be a valid integer, got a number with a fractional part";
                    self.add("int_from_float", message, value, None);
                }
                _ => self.add("int_type", "Input should be a valid integer", value, None),
            }
            return;
        };
        if let Some(least) = least.filter(|least| number < *least) {
            let message = format!("Input should be greater than or equal to {least}");
            self.add("greater_than_equal", &message, value, Some(json!({"ge": least})));
        }
        if let Some(most) = most.filter(|most| number > *most) {
            let message = format!("Input should be less than or equal to {most}");
            self.add("less_than_equal", &message, value, Some(json!({"le": most})));
        }
    }

    pub(crate) fn whole(
        &mut self,
        object: &Map<String, Value>,
        name: &str,
        required: bool,
        least: Option<i64>,
        most: Option<i64>,
    ) {
        if let Some(value) = self.field(object, name, required) {
            self.inside(name, |checker| checker.whole_value(value, least, most));
        }
    }

    pub(crate) fn text(&mut self, object: &Map<String, Value>, name: &str, required: bool) {
        if let Some(value) = self.field(object, name, required).filter(|value| !value.is_string()) {
            self.inside(name, |checker| {
                checker.add("string_type", "Input should be a valid string", value, None);
            });
        }
    }

    fn flag(&mut self, object: &Map<String, Value>, name: &str, required: bool) {
        if let Some(value) = self.field(object, name, required).filter(|value| !value.is_boolean()) {
            self.inside(name, |checker| {
                checker.add("bool_type", "Input should be a valid boolean", value, None);
            });
        }
    }

    pub(crate) fn one_of_value(&mut self, value: &Value, names: &[&str]) {
        if !value.as_str().is_some_and(|text| names.contains(&text)) {
            let expected = listed(names);
            let message = format!("Input should be {expected}");
            self.add("enum", &message, value, Some(json!({"expected": expected})));
        }
    }

    pub(crate) fn one_of(&mut self, object: &Map<String, Value>, name: &str, required: bool, names: &[&str]) {
        if let Some(value) = self.field(object, name, required) {
            self.inside(name, |checker| checker.one_of_value(value, names));
        }
    }

    pub(crate) fn ai_type(&mut self, object: &Map<String, Value>, name: &str) {
        let names: Vec<&str> = engines::ai_types().collect();
        self.one_of(object, name, false, &names);
    }

    /// A list of so many values; empty if it is none.
    pub(crate) fn list<'a>(
        &mut self,
        object: &'a Map<String, Value>,
        name: &str,
        least: usize,
        most: usize,
    ) -> &'a [Value] {
        let Some(value) = self.field(object, name, true) else { return &[] };
        let Some(items) = value.as_array() else {
            self.inside(name, |checker| {
                checker.add("list_type", "Input should be a valid list", value, None);
            });
            return &[];
        };
        if items.len() < least || items.len() > most {
            let (kind, word, bound) = if items.len() < least {
                ("too_short", "at least", least)
            } else {
                ("too_long", "at most", most)
            };
            let message = format!("List should have {word} {bound} items, not {}", items.len());
            self.inside(name, |checker| checker.add(kind, &message, value, None));
            return &[];
        }
        items
    }

    fn mapping<'a>(
        &mut self,
        object: &'a Map<String, Value>,
        name: &str,
        required: bool,
    ) -> Option<&'a Map<String, Value>> {
        let value = self.field(object, name, required)?;
        if !value.is_object() {
            self.inside(name, |checker| {
                checker.add("dict_type", "Input should be a valid dictionary", value, None);
            });
        }
        value.as_object()
    }

    pub(crate) fn state(&mut self, body: &Map<String, Value>, name: &str) {
        // The envelope has one spelling only.
        match body.get(name) {
            None => {
                let input = Value::Object(body.clone());
                self.inside(name, |checker| checker.add("missing", "Field required", &input, None));
            }
            Some(state) => self.inside(name, |checker| checker.state_fields(state)),
        }
    }

    pub(crate) fn state_fields(&mut self, state: &Value) {
        let Some(fields) = self.object(state) else { return };
        self.text(fields, "id", true);
        self.one_of(fields, "boardType", true, &Board::ALL.map(Board::name));
        self.whole(fields, "rngSeed", false, None, None);
        if let Some(board) = self.field(fields, "board", true) {
            self.inside("board", |checker| checker.board(board));
        }
        let players = self.field(fields, "players", true);
        if let Some(players) = players {
            self.inside("players", |checker| checker.players(players));
        }
        self.one_of(fields, "currentPhase", true, &PHASES);
        self.whole(fields, "currentPlayer", true, None, None);
        if let Some(history) = self.field(fields, "moveHistory", false) {
            self.inside("moveHistory", |checker| match history.as_array() {
                None => checker.add("list_type", "Input should be a valid list", history, None),
                Some(moves) => {
                    for (index, m) in moves.iter().enumerate() {
                        checker.inside(index, |checker| checker.played_fields(m, false));
                    }
                }
            });
        }
        self.field(fields, "timeControl", true);
        self.one_of(fields, "gameStatus", true, &STATUSES);
        for name in ["createdAt", "lastMoveAt"] {
            self.text(fields, name, true);
        }
        self.flag(fields, "isRated", true);
        let counts = [
            "maxPlayers",
            "totalRingsInPlay",
            "totalRingsEliminated",
            "victoryThreshold",
            "territoryVictoryThreshold",
        ];
        for name in counts {
            self.whole(fields, name, true, None, None);
        }
        self.text(fields, "mustMoveFromStackKey", false);
        self.flag(fields, "pendingLineRewardElimination", false);
        self.whole(fields, "lpsRoundsRequired", false, None, None);
    }

    fn board(&mut self, board: &Value) {
        let Some(fields) = self.object(board) else { return };
        self.text(fields, "type", true);
        self.whole(fields, "size", true, None, None);
        for (key, stack) in self.mapping(fields, "stacks", false).into_iter().flatten() {
            self.inside("stacks", |checker| {
                checker.inside(key.as_str(), |checker| {
                    let Some(stack) = checker.object(stack) else { return };
                    for (index, ring) in checker.list(stack, "rings", 0, usize::MAX).iter().enumerate() {
                        checker.inside("rings", |checker| {
                            checker.inside(index, |checker| checker.whole_value(ring, None, None));
                        });
                    }
                    checker.whole(stack, "controllingPlayer", false, None, None);
                    checker.whole(stack, "capHeight", false, None, None);
                });
            });
        }
        for (key, marker) in self.mapping(fields, "markers", false).into_iter().flatten() {
            self.inside("markers", |checker| {
                checker.inside(key.as_str(), |checker| {
                    if let Some(marker) = checker.object(marker) {
                        checker.whole(marker, "player", true, None, None);
                    }
                });
            });
        }
        for name in ["collapsedSpaces", "eliminatedRings"] {
            for (key, number) in self.mapping(fields, name, false).into_iter().flatten() {
                self.inside(name, |checker| {
                    checker.inside(key.as_str(), |checker| checker.whole_value(number, None, None));
                });
            }
        }
    }

    fn players(&mut self, players: &Value) {
        let Some(list) = players.as_array() else {
            self.add("list_type", "Input should be a valid list", players, None);
            return;
        };
        if !(2..=4).contains(&list.len()) {
            let message = format!("RingRift is for 2 to 4 players, not {}", list.len());
            self.value_error(players, &message);
        }
        for (index, player) in list.iter().take(8).enumerate() {
            self.inside(index, |checker| {
                let Some(fields) = checker.object(player) else { return };
                for name in ["id", "username", "type"] {
                    checker.field(fields, name, true);
                }
                checker.flag(fields, "isReady", true);
                for name in
                    ["playerNumber", "timeRemaining", "ringsInHand", "eliminatedRings", "territorySpaces"]
                {
                    checker.whole(fields, name, true, None, None);
                }
            });
        }
    }

    pub(crate) fn played(&mut self, body: &Map<String, Value>, name: &str) {
        match body.get(name) {
            None => {
                let input = Value::Object(body.clone());
                self.inside(name, |checker| checker.add("missing", "Field required", &input, None));
            }
            Some(m) => self.inside(name, |checker| checker.played_fields(m, true)),
        }
    }

    fn played_fields(&mut self, m: &Value, strictly: bool) {
        let Some(fields) = self.object(m) else { return };
        self.text(fields, "type", strictly);
        self.whole(fields, "player", strictly, None, None);
        for name in ["from", "to", "captureTarget"] {
            if let Some(cell) = self.field(fields, name, false) {
                self.inside(name, |checker| {
                    if let Some(cell) = checker.object(cell) {
                        checker.whole(cell, "x", true, None, None);
                        checker.whole(cell, "y", true, None, None);
                        checker.whole(cell, "z", false, None, None);
                    }
                });
            }
        }
        self.whole(fields, "placementCount", false, None, None);
    }

    /// Told only if nothing else is wrong: the number of a player without a seat.
    pub(crate) fn seat_exists(&mut self, value: &Value, body: &Map<String, Value>) {
        if !self.found_nothing() {
            return;
        }
        let players = body.get("game_state").and_then(|state| state.get("players")).and_then(Value::as_array);
        let (count, number) =
            (players.map_or(0, Vec::len), body.get("player_number").and_then(Value::as_i64));
        if let Some(number) = number.filter(|&number| number > count as i64) {
            let message = format!("player_number {number} exceeds number of players ({count})");
            self.value_error(value, &message);
        }
    }
}

/// `ringsInHand` as `rings_in_hand`.
pub(crate) fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
