//! Coercion of numbers, flags and times: the reference service accepts `"3"` and `3.0` for 3 and `"yes"` for true.

use serde_json::{Number, Value};

/// Why a value is rejected: the name of the fault and a sentence.
pub(crate) type Fault = (&'static str, &'static str);

const NO_WHOLE: Fault = ("int_type", "Input should be a valid integer");
const FRACTION: Fault =
    ("int_from_float", "Input should be a valid integer, got a number with a fractional part");
const TOO_LARGE: Fault =
    ("int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size");
const NO_DIGITS: Fault =
    ("int_parsing", "Input should be a valid integer, unable to parse string as an integer");
const NO_FLAG: Fault = ("bool_type", "Input should be a valid boolean");
const OTHER_WORD: Fault = ("bool_parsing", "Input should be a valid boolean, unable to interpret input");
const NO_TIME: Fault = ("datetime_type", "Input should be a valid datetime");
const LATE: Fault = (
    "datetime_parsing",
    "Input should be a valid datetime, dates after 9999 are not supported as unix timestamps",
);
const NO_DATE: Fault = ("datetime_from_date_parsing", "Input should be a valid datetime or date");

/// The longest text that is read as a number.
const MOST_DIGITS: usize = 4_300;

/// A whole number. One that does not fit saturates.
pub(crate) fn whole(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Bool(flag) => Ok((*flag).into()),
        Value::Number(number) => from_number(number),
        Value::String(text) => from_text(text),
        _ => Err(NO_WHOLE),
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
        Some(number) if number.fract() != 0.0 => Err(FRACTION),
        Some(number) if number.abs() < i64::MAX as f64 => Ok(number as i64),
        // Digits beyond 64 bits come as a float, too: too large for anything, whichever it was.
        _ => Err(TOO_LARGE),
    }
}

fn from_text(text: &str) -> Result<i64, Fault> {
    if text.len() > MOST_DIGITS {
        return Err(TOO_LARGE);
    }
    let text = text.trim();
    let (minus, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let digits = match digits.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0') => whole,
        Some(_) => return Err(NO_DIGITS),
        None => digits,
    };
    let groups = digits.split('_');
    let sound = groups.clone().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    if !sound {
        return Err(NO_DIGITS);
    }
    let number = groups
        .flat_map(str::bytes)
        .fold(0_i64, |number, digit| number.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Ok(if minus { -number } else { number })
}

/// True or false.
pub(crate) fn flag(value: &Value) -> Result<bool, Fault> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::Number(number) => match number.as_f64() {
            Some(0.0) => Ok(false),
            Some(1.0) => Ok(true),
            _ => Err(if number.is_f64() { NO_FLAG } else { OTHER_WORD }),
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "on" | "1" => Ok(true),
            "false" | "f" | "no" | "n" | "off" | "0" => Ok(false),
            _ => Err(OTHER_WORD),
        },
        _ => Err(NO_FLAG),
    }
}

/// Whether this is a time: ISO 8601, or seconds or milliseconds since 1970.
pub(crate) fn time(value: &Value) -> Result<(), Fault> {
    let stamp = |seconds: f64| if seconds.abs() < 2.5e14 { Ok(()) } else { Err(LATE) };
    match value {
        Value::Number(number) => stamp(number.as_f64().unwrap_or(f64::INFINITY)),
        Value::String(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            match text.parse::<f64>().ok().filter(|_| plain) {
                Some(seconds) => stamp(seconds),
                None if is_iso(text.as_bytes()) => Ok(()),
                None => Err(NO_DATE),
            }
        }
        _ => Err(NO_TIME),
    }
}

/// `2026-01-31`, perhaps with `T12:00`, `:00`, `.000` and `Z` or `+01:00` after it.
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
    fn whole_numbers_may_be_texts_floats_and_flags() {
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
            assert_eq!(whole(&value), Ok(number), "{value}");
        }
        for text in
            ["", " ", "-", "3.", ".0", "3.5", "_3", "3__0", "3_", "1e3", "0x10", "٣", "+-3", "- 3", "1.0_0"]
        {
            assert_eq!(whole(&json!(text)), Err(NO_DIGITS), "{text:?}");
        }
        assert_eq!(whole(&json!(3.5)), Err(FRACTION));
        assert_eq!(whole(&json!(1e30)), Err(TOO_LARGE));
        assert_eq!(whole(&json!("9".repeat(5_000))), Err(TOO_LARGE));
        for value in [json!(null), json!([]), json!({})] {
            assert_eq!(whole(&value), Err(NO_WHOLE), "{value}");
        }
    }

    #[test]
    fn flags_may_be_words_and_numbers() {
        for value in [json!(true), json!(1), json!(1.0), json!("Yes"), json!("oN"), json!("t"), json!("1")] {
            assert_eq!(flag(&value), Ok(true), "{value}");
        }
        for value in [json!(false), json!(0), json!("n"), json!("OFF"), json!("0")] {
            assert_eq!(flag(&value), Ok(false), "{value}");
        }
        for value in [json!(2), json!(""), json!(" true "), json!("2")] {
            assert_eq!(flag(&value), Err(OTHER_WORD), "{value}");
        }
        for value in [json!(1.5), json!(2.0), json!(null), json!([])] {
            assert_eq!(flag(&value), Err(NO_FLAG), "{value}");
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
            assert_eq!(time(&json!(text)), Ok(()), "{text}");
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
            assert_eq!(time(&json!(text)), Err(NO_DATE), "{text}");
        }
        assert_eq!(time(&json!(1.7e12)), Ok(()));
        assert_eq!(time(&json!(1e20)), Err(LATE));
        for value in [json!(true), json!(null), json!([])] {
            assert_eq!(time(&value), Err(NO_TIME), "{value}");
        }
    }
}
