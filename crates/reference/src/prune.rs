//! JSON, read by what it is to be: fields that nobody knows are skipped, not kept. Game servers send along ten times
//! as much as matters.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::schema::{Field, Kind};

/// Reads a value that should be of this kind, whatever it is.
///
/// # Errors
/// If it is not JSON, as a detail of a refusal.
pub(crate) fn read(bytes: &[u8], kind: &'static Kind) -> Result<Value, Value> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Pruned(Some(kind)).deserialize(&mut reader);
    value.and_then(|value| reader.end().map(|()| value)).map_err(|error| not_json(&error, bytes))
}

/// Where and why a text is no JSON.
fn not_json(error: &serde_json::Error, bytes: &[u8]) -> Value {
    let lines = bytes.split(|&byte| byte == b'\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(|line| line.len() + 1).sum();
    // The column counts the offending byte, unless there is none left.
    let place = before + error.column() - usize::from(!error.is_eof() && error.column() > 0);
    let place = bytes.get(..place).unwrap_or(bytes);
    let place = place.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    let text = error.to_string();
    let reasons = [
        ("EOF while parsing a string", "Unterminated string starting at"),
        ("expected value", "Expecting value"),
        ("EOF while parsing a value", "Expecting value"),
        ("trailing comma", "Expecting value"),
        ("key must be a string", "Expecting property name enclosed in double quotes"),
        ("expected `:`", "Expecting ':' delimiter"),
        ("expected `,`", "Expecting ',' delimiter"),
        ("EOF while parsing", "Expecting ',' delimiter"),
        ("trailing characters", "Extra data"),
        ("control character", "Invalid control character at"),
        ("invalid escape", "Invalid \\escape"),
    ];
    let reason = reasons.iter().find(|(ours, _)| text.starts_with(ours)).map(|(_, theirs)| *theirs);
    json!({
        "type": "json_invalid", "loc": ["body", place], "msg": "JSON decode error", "input": {},
        "ctx": {"error": reason.unwrap_or("Expecting value")},
    })
}

/// A value of some kind, or of any.
#[derive(Clone, Copy)]
struct Pruned(Option<&'static Kind>);

impl Pruned {
    /// What a list of this should have in it.
    fn item(self) -> Self {
        match self.0 {
            Some(Kind::List(item) | Kind::Tuple(item)) => Self(Some(item)),
            Some(Kind::Nullable(kind) | Kind::Perhaps(kind)) => Self(Some(kind)).item(),
            _ => Self(None),
        }
    }

    /// How to read the entry `name` of a mapping; `None` to skip it.
    fn entry(self, name: &str) -> Option<Self> {
        let known = |model: &'static [Field]| {
            let field = model.iter().find(|field| field.name == name || field.other == name);
            field.map(|field| Self(Some(&field.kind)))
        };
        match self.0 {
            Some(Kind::Model(model)) => known(model),
            Some(Kind::Loose(model)) => Some(known(model).unwrap_or(Self(None))),
            Some(Kind::Map(item)) => Some(Self(Some(item))),
            Some(Kind::Nullable(kind) | Kind::Perhaps(kind)) => Self(Some(kind)).entry(name),
            _ => Some(Self(None)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Pruned {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Pruned {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self.item())? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if let Some(kind) = self.entry(&name) {
                entries.insert(name, map.next_value_seed(kind)?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(entries.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{may, need};

    static INNER: Kind = Kind::Model(&[need("x", "", Kind::Whole(None, None))]);
    static OUTER: Kind = Kind::Model(&[
        need("cellList", "cell_list", Kind::List(&INNER)),
        may("cellMap", "cell_map", Kind::Nullable(&MAP)),
    ]);
    static MAP: Kind = Kind::Map(&INNER);

    #[test]
    fn only_known_fields_are_kept() {
        let text = r#"{"a":[[{}]],"cell_list":[{"x":1,"y":2}],"cellMap":{"k":{"z":3,"x":4}}}"#;
        let kept = json!({"cell_list": [{"x": 1}], "cellMap": {"k": {"x": 4}}});
        assert_eq!(read(text.as_bytes(), &OUTER), Ok(kept));
        let other = json!({"cell_list": {"1": 2}, "cellMap": 5});
        assert_eq!(read(other.to_string().as_bytes(), &OUTER), Ok(other), "other kinds are kept whole");
    }

    #[test]
    fn texts_that_are_no_json_are_told_where() {
        let cases = [
            (r#"{"a":1"#, 6, "Expecting ',' delimiter"),
            (r#"{"a":1}}"#, 7, "Extra data"),
            ("{a:1}", 1, "Expecting property name enclosed in double quotes"),
            ("{\"a\":\n\n}", 7, "Expecting value"),
            (r#"{"a" 1}"#, 5, "Expecting ':' delimiter"),
            ("[1,]", 3, "Expecting value"),
            ("hello", 0, "Expecting value"),
            ("   ", 3, "Expecting value"),
            (r#"{"é":}"#, 5, "Expecting value"),
        ];
        for (text, place, reason) in cases {
            let detail = read(text.as_bytes(), &OUTER).unwrap_err();
            assert_eq!(detail["loc"], json!(["body", place]), "{text}");
            assert_eq!(detail["ctx"]["error"], reason, "{text}");
        }
    }
}
