//! The JSON forms of options: setups, which may omit defaults, and records, which contain all options.

use std::fmt;

use go::Komi;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor},
    ser::SerializeMap,
};

use super::{BadOption, Config, GameKind, GameOption, Options, Value, Values};

/// The field with the revision of the rules, which only records have.
const RULES: &str = "rules";

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Flag(yes) => to.serialize_bool(yes),
            Self::Number(number) => to.serialize_u16(number),
            // A multiple of one half is exact in binary.
            Self::Points(points) => to.serialize_f64(f64::from(points.half_points()) / 2.0),
            Self::Name(name) => to.serialize_str(name),
        }
    }
}

impl GameOption {
    /// Reads a value from JSON; `name` is the field name of the option.
    fn read_json(&self, name: &'static str, json: &serde_json::Value) -> Result<Value, BadOption> {
        let value = match (self.values, json) {
            (Values::Flag, serde_json::Value::Bool(yes)) => Some(Value::Flag(*yes)),
            (Values::Number { .. }, serde_json::Value::Number(number)) if number.is_u64() => {
                self.parse(&number.to_string()).ok()
            }
            (Values::HalfPoints, serde_json::Value::Number(number)) => {
                let halves =
                    number.as_f64().map(|points| 2.0 * points).filter(|halves| halves.fract() == 0.0);
                let halves = halves.filter(|halves| halves.abs() <= f64::from(i16::MAX));
                halves.map(|halves| Value::Points(Komi::from_half_points(halves as i16)))
            }
            (Values::Names(_), serde_json::Value::String(name)) => self.parse(name).ok(),
            _ => None,
        };
        value.ok_or_else(|| BadOption::Value {
            name,
            found: json.to_string(),
            expected: self.values.to_string(),
        })
    }
}

impl Serialize for Options {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("game", self.game().name())?;
        for (option, value) in self.chosen() {
            map.serialize_entry(option.name, &value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Fields { game, others } = from.deserialize_map(FieldsVisitor)?;
        let mut options = Self::new(game);
        for (name, json) in &others {
            let (place, option) = options.find(name).map_err(de::Error::custom)?;
            // Null stands for the default.
            if !json.is_null() {
                let value = option.read_json(option.name, json).map_err(de::Error::custom)?;
                options.set_at(place, value).map_err(de::Error::custom)?;
            }
        }
        Ok(options)
    }
}

/// The form in records: `{"game":"go","rules":1,"size":9,…}`.
impl Serialize for Config {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("game", self.kind().name())?;
        map.serialize_entry(RULES, &self.version())?;
        for option in self.kind().options() {
            map.serialize_entry(option.recorded_as, &(option.get)(self))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Fields { game, others } = from.deserialize_map(FieldsVisitor)?;
        let mut options = Options::new(game);
        let mut version = None;
        for (name, json) in &others {
            if name == RULES {
                let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
                version = Some(number.ok_or_else(|| {
                    de::Error::custom(format!(
                        "rules is {json}: expected the revision of the rules, such as 1"
                    ))
                })?);
                continue;
            }
            let place = game.options().iter().position(|option| option.recorded_as == name);
            let (place, option) = match place {
                Some(place) => (place, &game.options()[place]),
                None => options.find(name).map_err(de::Error::custom)?,
            };
            let value = option.read_json(option.recorded_as, json).map_err(de::Error::custom)?;
            options.set_at(place, value).map_err(de::Error::custom)?;
        }
        let given = options.chosen().count();
        if let Some(option) = game.options().iter().find(|option| {
            given < game.options().len() && options.chosen().all(|(chosen, _)| chosen.name != option.name)
        }) {
            return Err(de::Error::custom(BadOption::Missing { game, name: option.recorded_as }));
        }
        let version = version.ok_or_else(|| de::Error::missing_field(RULES))?;
        let mut config = options.config().map_err(de::Error::custom)?;
        match &mut config {
            Self::RingRift(config) => config.version = version,
            Self::Go(config) => config.version = version,
        }
        Ok(config)
    }
}

/// The game, and all other fields uninterpreted.
struct Fields {
    game: GameKind,
    others: Vec<(String, serde_json::Value)>,
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a game and its options, such as {\"game\":\"go\",\"size\":9}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let (mut game, mut others) = (None::<GameKind>, Vec::new());
        while let Some((name, json)) = map.next_entry::<String, serde_json::Value>()? {
            if name != "game" {
                others.push((name, json));
                continue;
            }
            if game.is_some() {
                return Err(de::Error::duplicate_field("game"));
            }
            let text = json.as_str().map_or_else(|| json.to_string(), str::to_owned);
            game = Some(text.parse().map_err(de::Error::custom)?);
        }
        Ok(Fields { game: game.ok_or_else(|| de::Error::custom(BadOption::NoGame))?, others })
    }
}
