//! What a body has to look like, and why it is refused: a list of details, each with the place and the value, in the
//! form of the reference service.
//!
//! What is deliberately absent: which fields there are (`models`), and what they mean.

use serde_json::{Map, Value, json};

use crate::lax;

/// What a value has to be.
pub(crate) enum Kind {
    /// A whole number, perhaps with a least and a greatest one.
    Whole(Option<i64>, Option<i64>),
    Text,
    Flag,
    Time,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Values of one kind.
    List(&'static Kind),
    /// The same, under the name that the reference service has for lists in moves.
    Tuple(&'static Kind),
    /// Values of one kind by any names.
    Map(&'static Kind),
    /// Certain fields; all others are left out.
    Model(&'static [Field]),
    /// A mapping of anything, of which some fields are of interest if they make sense.
    Loose(&'static [Field]),
    /// This, or null.
    Nullable(&'static Kind),
    /// Of interest to us alone: taken for null if it is not this.
    Perhaps(&'static Kind),
}

/// A field of a model.
pub(crate) struct Field {
    /// Its name, which counts if both are there.
    pub(crate) name: &'static str,
    /// Another name of it; empty if there is none.
    pub(crate) other: &'static str,
    needed: bool,
    pub(crate) kind: Kind,
}

/// A field that must be there.
pub(crate) const fn need(name: &'static str, other: &'static str, kind: Kind) -> Field {
    Field { name, other, needed: true, kind }
}

/// A field that may be missing.
pub(crate) const fn may(name: &'static str, other: &'static str, kind: Kind) -> Field {
    Field { name, other, needed: false, kind }
}

/// The most details that are told.
const MOST_DETAILS: usize = 24;
/// The largest value that is echoed, in bytes of JSON, roughly.
const MOST_ECHO: usize = 600;

/// Collects what is wrong with a body.
pub(crate) struct Faults {
    details: Vec<Value>,
    place: Vec<Value>,
}

impl Faults {
    pub(crate) fn new() -> Self {
        Self { details: Vec::new(), place: vec!["body".into()] }
    }

    /// About what follows the question mark.
    pub(crate) fn of_query() -> Self {
        Self { details: Vec::new(), place: vec!["query".into()] }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.details.is_empty()
    }

    pub(crate) fn into_details(self) -> Vec<Value> {
        self.details
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

    /// A value that contradicts itself or another one.
    pub(crate) fn contradiction(&mut self, value: &Value, message: &str) {
        self.add("value_error", &format!("Value error, {message}"), value, Some(json!({"error": {}})));
    }

    pub(crate) fn inside(&mut self, step: impl Into<Value>, look: impl FnOnce(&mut Self)) {
        self.place.push(step.into());
        look(self);
        self.place.pop();
    }

    /// Looks whether `value` is of this kind. Numbers and flags that are written otherwise are put right, times become
    /// texts, and every field gets its first name.
    pub(crate) fn examine(&mut self, kind: &'static Kind, value: &mut Value) {
        match kind {
            Kind::Whole(least, most) => self.whole(value, *least, *most),
            Kind::Text => {
                if !value.is_string() {
                    self.add("string_type", "Input should be a valid string", value, None);
                }
            }
            Kind::Flag => match lax::flag(value) {
                Ok(flag) => *value = flag.into(),
                Err((kind, message)) => self.add(kind, message, value, None),
            },
            Kind::Time => match lax::time(value) {
                Ok(()) => {
                    if value.is_number() {
                        *value = value.to_string().into();
                    }
                }
                Err((kind, message)) => self.add(kind, message, value, Some(json!({"error": message}))),
            },
            Kind::Word(words) => self.word(value, words),
            Kind::List(item) => self.list(value, item, "list_type", "list"),
            Kind::Tuple(item) => self.list(value, item, "tuple_type", "tuple"),
            Kind::Map(item) => {
                if let Some(entries) = self.mapping(value) {
                    for (name, entry) in entries.iter_mut() {
                        self.inside(name.as_str(), |faults| faults.examine(item, entry));
                    }
                }
            }
            Kind::Model(model) => {
                if let Some(fields) = value.as_object_mut() {
                    self.fields(model, fields);
                } else {
                    let message = "Input should be a valid dictionary or object to extract fields from";
                    self.add("model_attributes_type", message, value, None);
                }
            }
            Kind::Loose(model) => {
                if let Some(fields) = self.mapping(value) {
                    self.fields(model, fields);
                }
            }
            Kind::Nullable(kind) => {
                if !value.is_null() {
                    self.examine(kind, value);
                }
            }
            Kind::Perhaps(kind) => {
                let mut aside = Self::new();
                aside.examine(kind, value);
                if !aside.are_none() {
                    *value = Value::Null;
                }
            }
        }
    }

    fn whole(&mut self, value: &mut Value, least: Option<i64>, most: Option<i64>) {
        let number = match lax::whole(value) {
            Ok(number) => number,
            Err((kind, message)) => return self.add(kind, message, value, None),
        };
        if let Some(least) = least.filter(|least| number < *least) {
            let message = format!("Input should be greater than or equal to {least}");
            self.add("greater_than_equal", &message, value, Some(json!({"ge": least})));
        }
        if let Some(most) = most.filter(|most| number > *most) {
            let message = format!("Input should be less than or equal to {most}");
            self.add("less_than_equal", &message, value, Some(json!({"le": most})));
        }
        *value = number.into();
    }

    fn mapping<'a>(&mut self, value: &'a mut Value) -> Option<&'a mut Map<String, Value>> {
        if !value.is_object() {
            self.add("dict_type", "Input should be a valid dictionary", value, None);
        }
        value.as_object_mut()
    }

    fn word(&mut self, value: &Value, words: &[&str]) {
        if !value.as_str().is_some_and(|text| words.contains(&text)) {
            let expected = listed(words);
            let message = format!("Input should be {expected}");
            self.add("enum", &message, value, Some(json!({"expected": expected})));
        }
    }

    fn list(&mut self, value: &mut Value, item: &'static Kind, kind: &str, name: &str) {
        let Some(items) = value.as_array_mut() else {
            self.add(kind, &format!("Input should be a valid {name}"), value, None);
            return;
        };
        for (index, value) in items.iter_mut().enumerate() {
            self.inside(index, |faults| faults.examine(item, value));
        }
    }

    fn fields(&mut self, model: &'static [Field], fields: &mut Map<String, Value>) {
        for field in model {
            let spare = if field.other.is_empty() { None } else { fields.remove(field.other) };
            if let Some(value) = fields.get_mut(field.name) {
                self.inside(field.name, |faults| faults.examine(&field.kind, value));
            } else if let Some(mut value) = spare {
                self.inside(field.other, |faults| faults.examine(&field.kind, &mut value));
                fields.insert(field.name.to_owned(), value);
            } else if field.needed {
                let known = if fields.len() > 40 { Map::new() } else { fields.clone() };
                self.inside(field.name, |faults| {
                    faults.add("missing", "Field required", &Value::Object(known), None);
                });
            }
        }
    }
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
