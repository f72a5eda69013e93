//! The current time as text, for timestamps in responses. No decision depends on it.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current time in seconds since 1970.
pub(crate) fn seconds() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// The current time in ISO 8601 with microseconds, followed by `zone`.
pub fn now(zone: &str) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    text(since.as_secs(), since.subsec_micros(), zone)
}

fn text(seconds: u64, micros: u32, zone: &str) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}{zone}")
}

/// The year, month and day that is `days` after 1 January 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_written_as_dates() {
        assert_eq!(text(0, 0, "Z"), "1970-01-01T00:00:00.000000Z");
        assert_eq!(text(951_782_400, 5, "+00:00"), "2000-02-29T00:00:00.000005+00:00");
        assert_eq!(text(1_794_788_906, 206_473, "Z"), "2026-11-16T00:28:26.206473Z");
        assert_eq!(text(4_107_542_399, 999_999, "Z"), "2100-02-28T23:59:59.999999Z");
    }
}
