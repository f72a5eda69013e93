//! A JSON parser that skips the parts that a [`Shape`] does not mention. Game servers send ten times as much as is needed.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::model::{Field, Shape, Source};

/// Parses a value, keeping only the parts that `shape` mentions.
///
/// # Errors
/// If the text is not JSON.
pub(crate) fn parse(bytes: &[u8], shape: &'static Shape, source: Source) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Pruned { shape, source }.deserialize(&mut reader)?;
    reader.end().map(|()| value)
}

/// The error detail for a text that is not JSON.
pub(crate) fn syntax_detail(error: &serde_json::Error, bytes: &[u8]) -> Value {
    let lines = bytes.split(|&byte| byte == b'\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(|line| line.len() + 1).sum();
    // The column includes the offending byte, unless the text has ended.
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

/// Reads a value and drops the parts that its shape does not mention.
#[derive(Clone, Copy)]
struct Pruned {
    shape: &'static Shape,
    source: Source,
}

impl Pruned {
    fn with(self, shape: &'static Shape) -> Self {
        match shape {
            Shape::Checked(shape) => self.with(shape),
            _ => Self { shape, ..self },
        }
    }

    fn item(self) -> Self {
        match self.shape {
            Shape::Items(item) => self.with(item),
            _ => self.with(&Shape::Whole),
        }
    }

    /// The seed for the entry `name` of an object; `None` to skip it.
    fn entry(self, name: &str) -> Option<Self> {
        let field =
            |fields: &'static [Field]| fields.iter().find(|field| field.name == name || field.alias == name);
        match self.shape {
            Shape::Fields(fields) => {
                let in_file = self.source == Source::File;
                let field =
                    field(fields).filter(|field| !(in_file && matches!(field.shape, Shape::Checked(_))));
                field.map(|field| self.with(field.shape))
            }
            Shape::OpenFields(fields) => {
                Some(self.with(field(fields).map_or(&Shape::Whole, |field| field.shape)))
            }
            Shape::Entries(entry) => Some(self.with(entry)),
            _ => Some(self.with(&Shape::Whole)),
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{Checked, Read, model};

    model! {
        struct Inner {
            required x: i64,
            expected y: Checked<i64>,
        }
    }

    model! {
        struct Outer {
            required cell_list "cellList": Vec<Inner>,
            nullable cell_map "cellMap": Option<BTreeMap<String, Inner>>,
        }
    }

    fn pruned(text: &str, source: Source) -> Value {
        parse(text.as_bytes(), Outer::SHAPE, source).unwrap()
    }

    #[test]
    fn only_described_fields_are_kept() {
        let text = r#"{"a":[[{}]],"cell_list":[{"x":1,"y":2,"z":0}],"cellMap":{"k":{"z":3,"x":4}}}"#;
        let kept = json!({"cell_list": [{"x": 1, "y": 2}], "cellMap": {"k": {"x": 4}}});
        assert_eq!(pruned(text, Source::Client), kept);
        let kept = json!({"cell_list": [{"x": 1}], "cellMap": {"k": {"x": 4}}});
        assert_eq!(pruned(text, Source::File), kept, "files do not need fields that are only checked");
        let other = json!({"cell_list": {"1": 2}, "cellMap": 5});
        assert_eq!(
            pruned(&other.to_string(), Source::Client),
            other,
            "values of another form are kept as a whole"
        );
    }

    #[test]
    fn syntax_errors_are_located() {
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
            let error = parse(text.as_bytes(), Outer::SHAPE, Source::Client).unwrap_err();
            let detail = syntax_detail(&error, text.as_bytes());
            assert_eq!(detail["loc"], json!(["body", place]), "{text}");
            assert_eq!(detail["ctx"]["error"], reason, "{text}");
        }
    }
}
