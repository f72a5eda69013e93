//! Text helpers that all games share.

/// A count with its noun: `1 ring`, `2 rings`.
pub fn count_of(count: u32, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// What a description adds to the notation of a move: `moves d4 to d6`, but nothing if it only repeats the notation, as in
/// `plays E5`.
pub fn remark<'a>(notation: &str, description: &'a str) -> &'a str {
    if notation == "pass" && description == "passes" {
        return "";
    }
    let Some(rest) = description.strip_prefix("plays ").and_then(|rest| rest.strip_prefix(notation)) else {
        return description;
    };
    rest.strip_prefix(" and ").unwrap_or(rest)
}

/// The notation of a move with its description, if that adds something: `d4-d6 (moves d4 to d6)`, `E5`.
pub fn spelled(notation: &str, description: &str) -> String {
    match remark(notation, description) {
        "" => notation.to_owned(),
        remark => format!("{notation} ({remark})"),
    }
}

/// `text` with a capital first letter, for the beginning of a sentence.
pub fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + rest.as_str())
}

/// Phrases as one enumeration: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
