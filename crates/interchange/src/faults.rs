//! Collects the faults of a body as error details, each with its location and the offending value, in the form of the
//! reference service.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::{
    coerce,
    model::{Field, Presence, Read, Source},
};

/// The maximum number of reported details.
const MAX_DETAILS: usize = 24;
/// The approximate maximum size of an echoed value, in bytes of JSON.
const MAX_ECHO: usize = 600;

/// A list of the faults of a body.
#[derive(Debug)]
pub struct Faults {
    source: Source,
    details: Vec<Value>,
    location: Vec<Value>,
}

impl Faults {
    /// `root` is the first step of every location.
    pub(crate) fn new(source: Source, root: &str) -> Self {
        Self { source, details: Vec::new(), location: vec![root.into()] }
    }

    pub(crate) fn source(&self) -> Source {
        self.source
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.details.is_empty()
    }

    pub(crate) fn into_details(self) -> Vec<Value> {
        self.details
    }

    pub(crate) fn add(&mut self, kind: &str, message: &str, input: &Value, context: Option<Value>) {
        if self.details.len() >= MAX_DETAILS {
            return;
        }
        let mut detail = json!({"type": kind, "loc": self.location, "msg": message, "input": echo(input)});
        if let Some(context) = context {
            detail["ctx"] = context;
        }
        self.details.push(detail);
    }

    /// Reports a value that contradicts itself or another one.
    pub(crate) fn contradiction(&mut self, value: &Value, message: &str) {
        self.add("value_error", &format!("Value error, {message}"), value, Some(json!({"error": {}})));
    }

    pub(crate) fn unknown_name(&mut self, value: &Value, names: &[&str]) {
        let expected = one_of(names);
        let message = format!("Input should be {expected}");
        self.add("enum", &message, value, Some(json!({"expected": expected})));
    }

    pub(crate) fn inside<T>(&mut self, step: impl Into<Value>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.location.push(step.into());
        let result = read(self);
        self.location.pop();
        result
    }

    pub(crate) fn coerced<T>(
        &mut self,
        value: &Value,
        coerce: impl FnOnce(&Value) -> Result<T, coerce::Fault>,
    ) -> Option<T> {
        coerce(value).map_err(|(kind, message)| self.add(kind, message, value, None)).ok()
    }

    /// The fields of a model.
    pub(crate) fn model<'a>(&mut self, value: &'a mut Value) -> Option<&'a mut Map<String, Value>> {
        if !value.is_object() {
            let message = "Input should be a valid dictionary or object to extract fields from";
            self.add("model_attributes_type", message, value, None);
        }
        value.as_object_mut()
    }

    /// The entries of an object with arbitrary names.
    pub(crate) fn mapping<'a>(&mut self, value: &'a mut Value) -> Option<&'a mut Map<String, Value>> {
        if !value.is_object() {
            self.add("dict_type", "Input should be a valid dictionary", value, None);
        }
        value.as_object_mut()
    }

    /// A list, of the type that the reference service calls `name`.
    pub(crate) fn items<T: Read>(&mut self, value: &mut Value, name: &str) -> Option<Vec<T>> {
        let Some(items) = value.as_array_mut() else {
            self.add(&format!("{name}_type"), &format!("Input should be a valid {name}"), value, None);
            return None;
        };
        let (length, mut read) = (items.len(), Vec::new());
        for (index, value) in items.iter_mut().enumerate() {
            read.extend(self.inside(index, |faults| T::read(value, faults)));
        }
        (read.len() == length).then_some(read)
    }

    /// A field of an object, or `default` where it may be missing.
    pub(crate) fn field<T: Read>(
        &mut self,
        object: &mut Map<String, Value>,
        field: &Field,
        default: Option<fn() -> T>,
    ) -> Option<T> {
        let in_file = self.source == Source::File;
        let Some((name, value)) = entry(object, field) else {
            let default = default.filter(|_| in_file || field.presence != Presence::Expected);
            return default.map(|default| default()).or_else(|| self.missing(object, field));
        };
        let nullable = in_file || matches!(field.presence, Presence::Nullable | Presence::Private);
        match default {
            Some(default) if value.is_null() && nullable => Some(default()),
            Some(default) if field.presence == Presence::Private => {
                let mut ignored = Self::new(self.source, "");
                let read = T::read(value, &mut ignored).filter(|_| ignored.is_empty());
                Some(read.unwrap_or_else(|| {
                    *value = Value::Null;
                    default()
                }))
            }
            _ => self.inside(name, |faults| T::read(value, faults)),
        }
    }

    fn missing<T>(&mut self, object: &Map<String, Value>, field: &Field) -> Option<T> {
        let known = if object.len() > 40 { Map::new() } else { object.clone() };
        self.inside(field.name, |faults| {
            faults.add("missing", "Field required", &Value::Object(known), None);
        });
        None
    }
}

/// Formats every detail as `path.in.the.value: message`.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, detail) in self.details.iter().enumerate() {
            let steps = detail["loc"].as_array().into_iter().flatten().skip(1);
            let step = |step: &Value| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
            let place = steps.map(step).collect::<Vec<_>>().join(".");
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{place}: {}", detail["msg"].as_str().unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Returns the value of a field and the name it had, and renames the field to its first name.
fn entry<'a>(object: &'a mut Map<String, Value>, field: &Field) -> Option<(&'static str, &'a mut Value)> {
    let second = if field.alias.is_empty() { None } else { object.remove(field.alias) };
    let mut used = field.name;
    if let Some(value) = second.filter(|_| !object.contains_key(field.name)) {
        object.insert(field.name.to_owned(), value);
        used = field.alias;
    }
    object.get_mut(field.name).map(|value| (used, value))
}

/// The value for an error message, or a placeholder if it is too large.
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
    if size(value, MAX_ECHO) <= MAX_ECHO { value.clone() } else { "<too large to repeat>".into() }
}

fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match &quoted[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{alias, model};

    model! {
        struct Sample {
            required first: i64,
            expected second: Option<i64>,
            optional third: i64 = 7,
            nullable fourth_field "fourthField": Option<i64>,
            private fifth: Option<i64>,
        }
    }

    /// The value, or the type and location of every fault.
    fn read(mut json: Value, source: Source) -> Result<Sample, String> {
        let mut faults = Faults::new(source, "body");
        let read = Sample::read(&mut json, &mut faults);
        let fault = |detail: &Value| format!("{} {}", detail["type"], detail["loc"]);
        read.ok_or_else(|| faults.details.iter().map(fault).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn presence_decides_what_may_be_missing_or_null() {
        let sample =
            |second, third, fourth_field, fifth| Ok(Sample { first: 1, second, third, fourth_field, fifth });
        let missing = |name: &str| Err(format!("\"missing\" [\"body\",\"{name}\"]"));
        let not_whole = |name: &str| Err(format!("\"int_type\" [\"body\",\"{name}\"]"));
        let cases = [
            (
                json!({"first": 1, "second": 2}),
                sample(Some(2), 7, None, None),
                sample(Some(2), 7, None, None),
            ),
            (json!({"second": 2}), missing("first"), missing("first")),
            (json!({"first": 1}), missing("second"), sample(None, 7, None, None)),
            (json!({"first": null, "second": 2}), not_whole("first"), not_whole("first")),
            (json!({"first": 1, "second": null}), not_whole("second"), sample(None, 7, None, None)),
            (
                json!({"first": 1, "second": 2, "third": null}),
                not_whole("third"),
                sample(Some(2), 7, None, None),
            ),
            (
                json!({"first": "1", "second": 2.0, "fourthField": null, "fifth": []}),
                sample(Some(2), 7, None, None),
                sample(Some(2), 7, None, None),
            ),
            (
                json!({"first": true, "second": 2, "fourth_field": [], "fifth": "5"}),
                not_whole("fourth_field"),
                not_whole("fourth_field"),
            ),
        ];
        for (json, client, file) in cases {
            assert_eq!(read(json.clone(), Source::Client), client, "{json} of a client");
            assert_eq!(read(json.clone(), Source::File), file, "{json} in a file");
        }
    }

    #[test]
    fn second_names_are_those_of_the_rust_fields() {
        assert_eq!(alias("cap_height", "capHeight"), "cap_height");
        assert_eq!(alias("from_pos", "from"), "from_pos");
        assert_eq!((alias("rings", "rings"), alias("r#type", "type")), ("", ""));
    }
}
