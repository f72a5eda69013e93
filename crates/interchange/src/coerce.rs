//! Coercions of integers, booleans and times, as by the reference service, which accepts `"3"` and `3.0` for 3 and `"yes"`
//! for true.

use serde_json::{Number, Value};

/// Why a value is rejected: the type of the fault and a message.
pub(crate) type Fault = (&'static str, &'static str);

const INT_TYPE: Fault = ("int_type", "Input should be a valid integer");
const INT_FROM_FLOAT: Fault =
    ("int_from_float", "Input should be a valid integer, got a number with a fractional part");
const INT_SIZE: Fault =
    ("int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size");
const INT_PARSING: Fault =
    ("int_parsing", "Input should be a valid integer, unable to parse string as an integer");
const BOOL_TYPE: Fault = ("bool_type", "Input should be a valid boolean");
const BOOL_PARSING: Fault = ("bool_parsing", "Input should be a valid boolean, unable to interpret input");
const DATETIME_TYPE: Fault = ("datetime_type", "Input should be a valid datetime");
const DATETIME_RANGE: Fault = (
    "datetime_parsing",
    "Input should be a valid datetime, dates after 9999 are not supported as unix timestamps",
);
const DATETIME_PARSING: Fault = ("datetime_from_date_parsing", "Input should be a valid datetime or date");

/// The maximum length of a string that is parsed as a number.
const MAX_DIGITS: usize = 4_300;

/// Coerces a value to an integer, which saturates if it does not fit.
pub(crate) fn integer(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Bool(flag) => Ok((*flag).into()),
        Value::Number(number) => from_number(number),
        Value::String(text) => from_text(text),
        _ => Err(INT_TYPE),
    }
}

fn from_number(number: &Number) -> Result<i64, Fault> {
    if let Some(number) = number.as_i64() {
        return Ok(number);
    }
    if number.is_u64() {
        return Ok(i64::MAX);
    }
    match number.as_f64() {
        Some(number) if number.fract() != 0.0 => Err(INT_FROM_FLOAT),
        Some(number) if number.abs() < i64::MAX as f64 => Ok(number as i64),
        // Integers beyond 64 bits are parsed as floats, too; either way the number is too large.
        _ => Err(INT_SIZE),
    }
}

fn from_text(text: &str) -> Result<i64, Fault> {
    if text.len() > MAX_DIGITS {
        return Err(INT_SIZE);
    }
    let text = text.trim();
    let (minus, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let digits = match digits.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0') => whole,
        Some(_) => return Err(INT_PARSING),
        None => digits,
    };
    let groups = digits.split('_');
    let sound = groups.clone().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    if !sound {
        return Err(INT_PARSING);
    }
    let number = groups
        .flat_map(str::bytes)
        .fold(0_i64, |number, digit| number.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Ok(if minus { -number } else { number })
}

/// Coerces a value to a boolean.
pub(crate) fn boolean(value: &Value) -> Result<bool, Fault> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::Number(number) => match number.as_f64() {
            Some(0.0) => Ok(false),
            Some(1.0) => Ok(true),
            _ => Err(if number.is_f64() { BOOL_TYPE } else { BOOL_PARSING }),
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "on" | "1" => Ok(true),
            "false" | "f" | "no" | "n" | "off" | "0" => Ok(false),
            _ => Err(BOOL_PARSING),
        },
        _ => Err(BOOL_TYPE),
    }
}

/// Checks that a value is a time: ISO 8601, or seconds or milliseconds since 1970.
pub(crate) fn datetime(value: &Value) -> Result<(), Fault> {
    let timestamp = |seconds: f64| if seconds.abs() < 2.5e14 { Ok(()) } else { Err(DATETIME_RANGE) };
    match value {
        Value::Number(number) => timestamp(number.as_f64().unwrap_or(f64::INFINITY)),
        Value::String(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            match text.parse::<f64>().ok().filter(|_| plain) {
                Some(seconds) => timestamp(seconds),
                None if is_iso(text.as_bytes()) => Ok(()),
                None => Err(DATETIME_PARSING),
            }
        }
        _ => Err(DATETIME_TYPE),
    }
}

/// Whether the text is a date such as `2026-01-31`, optionally followed by `T12:00`, `:00`, `.000` and `Z` or `+01:00`.
fn is_iso(text: &[u8]) -> bool {
    let (Some(date), Some(rest)) = (text.get(..10), text.get(10..)) else { return false };
    let (year, month, day) = (number(&date[..4]), number(&date[5..7]), number(&date[8..]));
    let (Some(year), Some(month), Some(day)) = (year, month, day) else { return false };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let dated = date[4] == b'-' && date[7] == b'-' && year > 0;
    dated && (1..=12).contains(&month) && (1..=days).contains(&day) && (rest.is_empty() || is_clock(rest))
}

fn is_clock(text: &[u8]) -> bool {
    let [b'T' | b't' | b' ' | b'_', h1, h2, b':', m1, m2, rest @ ..] = text else { return false };
    let within = |digits: &[u8], end: u32| number(digits).is_some_and(|number| number < end);
    if !within(&[*h1, *h2], 24) || !within(&[*m1, *m2], 60) {
        return false;
    }
    let rest = match rest {
        [b':', s1, s2, rest @ ..] if within(&[*s1, *s2], 60) => match rest {
            [b'.' | b',', rest @ ..] => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if !(1..=9).contains(&digits) {
                    return false;
                }
                &rest[digits..]
            }
            rest => rest,
        },
        [b':', ..] => return false,
        rest => rest,
    };
    match rest {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] | [b'+' | b'-', h1, h2, m1, m2] => {
            within(&[*h1, *h2], 24) && within(&[*m1, *m2], 60)
        }
        _ => false,
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    let all = digits.iter().all(u8::is_ascii_digit);
    all.then(|| digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn integers_may_be_strings_floats_and_booleans() {
        let takes = [
            (json!(3), 3),
            (json!(3.0), 3),
            (json!(-7), -7),
            (json!("3"), 3),
            (json!(" +3\n"), 3),
            (json!("-3.00"), -3),
            (json!("3_000"), 3_000),
            (json!("1_0.0"), 10),
            (json!("0003"), 3),
            (json!(true), 1),
            (json!(u64::MAX), i64::MAX),
            (json!("9".repeat(30)), i64::MAX),
        ];
        for (value, number) in takes {
            assert_eq!(integer(&value), Ok(number), "{value}");
        }
        for text in
            ["", " ", "-", "3.", ".0", "3.5", "_3", "3__0", "3_", "1e3", "0x10", "٣", "+-3", "- 3", "1.0_0"]
        {
            assert_eq!(integer(&json!(text)), Err(INT_PARSING), "{text:?}");
        }
        assert_eq!(integer(&json!(3.5)), Err(INT_FROM_FLOAT));
        assert_eq!(integer(&json!(1e30)), Err(INT_SIZE));
        assert_eq!(integer(&json!("9".repeat(5_000))), Err(INT_SIZE));
        for value in [json!(null), json!([]), json!({})] {
            assert_eq!(integer(&value), Err(INT_TYPE), "{value}");
        }
    }

    #[test]
    fn booleans_may_be_words_and_numbers() {
        for value in [json!(true), json!(1), json!(1.0), json!("Yes"), json!("oN"), json!("t"), json!("1")] {
            assert_eq!(boolean(&value), Ok(true), "{value}");
        }
        for value in [json!(false), json!(0), json!("n"), json!("OFF"), json!("0")] {
            assert_eq!(boolean(&value), Ok(false), "{value}");
        }
        for value in [json!(2), json!(""), json!(" true "), json!("2")] {
            assert_eq!(boolean(&value), Err(BOOL_PARSING), "{value}");
        }
        for value in [json!(1.5), json!(2.0), json!(null), json!([])] {
            assert_eq!(boolean(&value), Err(BOOL_TYPE), "{value}");
        }
    }

    #[test]
    fn times_are_iso_8601_or_seconds() {
        let takes = [
            "2026-01-01T00:00:00.000Z",
            "2026-01-01",
            "2026-01-01 00:00",
            "2026-01-01t00:00:00z",
            "2026-01-01_00:00:00",
            "2026-01-01T00:00:00,5Z",
            "2026-01-01T00:00:00.1234567Z",
            "2024-02-29T23:59:59+05:30",
            "2026-01-01T00:00:00+0530",
            "5",
            "-5",
            "1700000000.5",
        ];
        for text in takes {
            assert_eq!(datetime(&json!(text)), Ok(()), "{text}");
        }
        let refuses = [
            "",
            "yesterday",
            "1e3",
            "inf",
            "2026-01",
            "2026-13-01",
            "2026-02-30",
            "2026-1-1",
            "0000-01-01",
            "2026-01-01T",
            "2026-01-01T00",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60",
            "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00 Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+25:00",
            "2026-01-01T00:00:00+05",
            " 2026-01-01",
            "20260101T000000Z",
            "2026-01-01é",
        ];
        for text in refuses {
            assert_eq!(datetime(&json!(text)), Err(DATETIME_PARSING), "{text}");
        }
        assert_eq!(datetime(&json!(1.7e12)), Ok(()));
        assert_eq!(datetime(&json!(1e20)), Err(DATETIME_RANGE));
        for value in [json!(true), json!(null), json!([])] {
            assert_eq!(datetime(&value), Err(DATETIME_TYPE), "{value}");
        }
    }
}
