//! Declarative descriptions of JSON bodies, from which their parsers are derived.
//!
//! A body is a struct declared by [`model!`]. The declaration has the type of every field, its JSON name if that differs,
//! and whether it may be missing. The derived [`Read`] implementation coerces values as the reference service does, reports
//! every fault with its location, and renames every field to its first name. The [`Shape`] tells the
//! [parser](crate::parse) which fields to keep.

use std::{collections::BTreeMap, marker::PhantomData, ops::Deref};

use serde_json::{Value, json};

use crate::{coerce, faults::Faults};

/// The source of a body, which determines which fields may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A client of the reference service, which must send all fields that the service's models require.
    Client,
    /// A file of recorded games, in which fields that a position or a move does not need may be missing.
    File,
}

/// A type with a JSON form.
pub trait Read: Sized {
    /// The parts of the JSON that are read.
    const SHAPE: &'static Shape;

    /// Reads a value and rewrites it in canonical form, with coerced numbers and booleans, and fields under their first names.
    /// Adds faults to `faults` and returns `None` if the value is invalid.
    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self>;
}

/// The parts of a JSON value that are read. Values of another form are kept as a whole for error messages.
#[derive(Debug)]
pub enum Shape {
    /// The whole value.
    Whole,
    /// A list.
    Items(&'static Shape),
    /// An object with arbitrary names.
    Entries(&'static Shape),
    /// An object of which only these fields are read.
    Fields(&'static [Field]),
    /// An object that is kept as a whole, with descriptions of these fields.
    OpenFields(&'static [Field]),
    /// A value that is checked only in requests of clients.
    Checked(&'static Shape),
}

/// A field of an object.
#[derive(Debug)]
pub struct Field {
    /// Its name, which takes precedence.
    pub name: &'static str,
    /// A second name; empty if there is none.
    pub alias: &'static str,
    /// Whether it may be missing.
    pub presence: Presence,
    /// The parts of its value.
    pub shape: &'static Shape,
}

/// Whether a field may be missing or null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// The field is required.
    Required,
    /// The field is required in requests and optional in files.
    Expected,
    /// The field may be missing. Null counts as missing in files only.
    Optional,
    /// The field may be missing or null.
    Nullable,
    /// The reference service does not know the field, so a value of another type counts as missing instead of as a fault.
    Private,
}

/// The second JSON name of a Rust field: its own name, unless that is the first name or a keyword.
pub(crate) const fn alias(field: &'static str, name: &'static str) -> &'static str {
    let (one, other) = (field.as_bytes(), name.as_bytes());
    if one.len() > 2 && one[0] == b'r' && one[1] == b'#' {
        return "";
    }
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    if index == one.len() && index == other.len() { "" } else { field }
}

/// Declares a struct that is read from JSON.
///
/// A field is written as `pub presence name "jsonName": Type = default`, with the [`Presence`] in lower case. The JSON name
/// may be omitted if it equals the Rust name, and the default if the type has one. Fields that are only [checked](Checked)
/// are private. Fields are read in the order of declaration, which is the order of the original's error details. `: open`
/// after the name of the struct keeps unknown fields in the JSON.
macro_rules! model {
    (
        $(#[$meta:meta])* $struct_vis:vis struct $name:ident $(<$of:ident>)? $(: $open:ident)? {
            $( $(#[$field_meta:meta])*
               $vis:vis $presence:ident $field:ident $($json:literal)? : $type:ty $(= $default:expr)? ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        $struct_vis struct $name $(<$of>)? { $( $(#[$field_meta])* $vis $field: $type, )* }

        impl $(<$of: $crate::model::Read>)? $name $(<$of>)? {
            const FIELDS: &'static [$crate::model::Field] = &[ $( $crate::model::Field {
                name: $crate::model::model!(@name $field $($json)?),
                alias: $crate::model::alias(stringify!($field), $crate::model::model!(@name $field $($json)?)),
                presence: $crate::model::model!(@presence $presence),
                shape: <$type as $crate::model::Read>::SHAPE,
            } ),* ];
        }

        impl $(<$of: $crate::model::Read>)? $crate::model::Read for $name $(<$of>)? {
            const SHAPE: &'static $crate::model::Shape = $crate::model::model!(@shape $($open)?);

            fn read(
                value: &mut serde_json::Value,
                faults: &mut $crate::faults::Faults,
            ) -> Option<Self> {
                let object = $crate::model::model!(@object faults value $($open)?)?;
                let mut fields = Self::FIELDS.iter();
                $( let $field: Option<$type> = faults.field(
                    object,
                    fields.next()?,
                    $crate::model::model!(@default $presence $($default)?),
                ); )*
                Some(Self { $( $field: $field? ),* })
            }
        }
    };
    (@name $field:ident $json:literal) => { $json };
    (@name $field:ident) => { stringify!($field) };
    (@shape) => { &$crate::model::Shape::Fields(Self::FIELDS) };
    (@shape open) => { &$crate::model::Shape::OpenFields(Self::FIELDS) };
    (@object $faults:ident $value:ident) => { $faults.model($value) };
    (@object $faults:ident $value:ident open) => { $faults.mapping($value) };
    (@presence required) => { $crate::model::Presence::Required };
    (@presence expected) => { $crate::model::Presence::Expected };
    (@presence optional) => { $crate::model::Presence::Optional };
    (@presence nullable) => { $crate::model::Presence::Nullable };
    (@presence private) => { $crate::model::Presence::Private };
    (@default required) => { None };
    (@default $presence:ident) => { Some(Default::default) };
    (@default $presence:ident $default:expr) => { Some(|| $default) };
}
pub(crate) use model;

/// Declares an enumeration by its JSON names, in the order in which errors list them.
macro_rules! names {
    ($(#[$meta:meta])* pub enum $type:ident { $( $(#[$variant_meta:meta])* $variant:ident = $name:literal ),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type { $( $(#[$variant_meta])* #[doc = concat!("`", $name, "`.")] $variant ),* }

        impl $type {
            /// The name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name ),* }
            }
        }

        impl $crate::model::Read for $type {
            const SHAPE: &'static $crate::model::Shape = &$crate::model::Shape::Whole;

            fn read(
                value: &mut serde_json::Value,
                faults: &mut $crate::faults::Faults,
            ) -> Option<Self> {
                match value.as_str() {
                    $( Some($name) => return Some(Self::$variant), )*
                    _ => faults.unknown_name(value, &[$($name),*]),
                }
                None
            }
        }
    };
}
pub(crate) use names;

/// A list of valid names.
pub trait Names {
    /// The names, in the order in which errors list them.
    const ALL: &'static [&'static str];
}

/// Declares a list of names.
macro_rules! name_list {
    ($(#[$meta:meta])* $list:ident = $names:expr) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $list;

        impl $crate::model::Names for $list {
            const ALL: &'static [&'static str] = &$names;
        }
    };
}
pub(crate) use name_list;

/// A string that clients must choose from a list. Files may have other strings, which have no meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name<L>(String, PhantomData<fn() -> L>);

impl<L> From<&str> for Name<L> {
    fn from(text: &str) -> Self {
        Self(text.to_owned(), PhantomData)
    }
}

impl<L> Default for Name<L> {
    fn default() -> Self {
        "".into()
    }
}

impl<L> Deref for Name<L> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<L: Names> Read for Name<L> {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        match value.as_str() {
            Some(text) if faults.source() == Source::File || L::ALL.contains(&text) => Some(text.into()),
            _ => {
                faults.unknown_name(value, L::ALL);
                None
            }
        }
    }
}

/// A value that must be valid in requests but is not used. It is not read from files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked<T>(PhantomData<fn() -> T>);

impl<T> Default for Checked<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T: Read> Read for Checked<T> {
    const SHAPE: &'static Shape = &Shape::Checked(T::SHAPE);

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        if faults.source() == Source::Client {
            T::read(value, faults)?;
        }
        Some(Self::default())
    }
}

/// A value together with its JSON in canonical form.
#[derive(Clone, PartialEq, Debug)]
pub struct WithJson<T> {
    /// The value.
    pub value: T,
    /// Its JSON, without fields that the model does not have.
    pub json: Value,
}

impl<T: Read> Read for WithJson<T> {
    const SHAPE: &'static Shape = T::SHAPE;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        T::read(value, faults).map(|read| Self { value: read, json: value.clone() })
    }
}

/// An integer from `MIN` to `MAX`. The limits of `i64` stand for no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> Read for Bounded<MIN, MAX> {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        let number = faults.coerced(value, coerce::integer)?;
        if number < MIN {
            let message = format!("Input should be greater than or equal to {MIN}");
            faults.add("greater_than_equal", &message, value, Some(json!({"ge": MIN})));
        }
        if number > MAX {
            let message = format!("Input should be less than or equal to {MAX}");
            faults.add("less_than_equal", &message, value, Some(json!({"le": MAX})));
        }
        *value = number.into();
        Some(Self(number))
    }
}

impl Read for i64 {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        Bounded::<{ i64::MIN }, { i64::MAX }>::read(value, faults).map(|number| number.0)
    }
}

impl Read for bool {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        let flag = faults.coerced(value, coerce::boolean)?;
        *value = flag.into();
        Some(flag)
    }
}

impl Read for String {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            faults.add("string_type", "Input should be a valid string", value, None);
        }
        text
    }
}

/// Arbitrary JSON.
impl Read for Value {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, _: &mut Faults) -> Option<Self> {
        Some(value.clone())
    }
}

/// A time, which is checked but not stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time;

impl Read for Time {
    const SHAPE: &'static Shape = &Shape::Whole;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        match coerce::datetime(value) {
            Ok(()) => {
                if value.is_number() {
                    *value = value.to_string().into();
                }
                Some(Self)
            }
            Err((kind, message)) => {
                faults.add(kind, message, value, Some(json!({"error": message})));
                None
            }
        }
    }
}

/// Reads the inner value. The [`Presence`] of the field determines whether null stands for `None`.
impl<T: Read> Read for Option<T> {
    const SHAPE: &'static Shape = T::SHAPE;

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        T::read(value, faults).map(Some)
    }
}

impl<T: Read> Read for Vec<T> {
    const SHAPE: &'static Shape = &Shape::Items(T::SHAPE);

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        faults.items(value, "list")
    }
}

/// A list that is a tuple in the reference service.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuple<T>(pub Vec<T>);

impl<T> Deref for Tuple<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Read> Read for Tuple<T> {
    const SHAPE: &'static Shape = &Shape::Items(T::SHAPE);

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        faults.items(value, "tuple").map(Self)
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    const SHAPE: &'static Shape = &Shape::Entries(T::SHAPE);

    fn read(value: &mut Value, faults: &mut Faults) -> Option<Self> {
        // Read all entries, so that every fault is reported.
        let entries: Vec<Option<(String, T)>> = faults
            .mapping(value)?
            .iter_mut()
            .map(|(name, value)| {
                let entry = faults.inside(name.as_str(), |faults| T::read(value, faults))?;
                Some((name.clone(), entry))
            })
            .collect();
        entries.into_iter().collect()
    }
}
