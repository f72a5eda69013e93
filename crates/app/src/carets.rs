//! Marks the location of a fault in a line of text with carets.

use game::Fault;

/// The number of columns shown on either side of the fault, so that excerpts of long positions stay readable.
const CONTEXT: usize = 36;

/// Returns the part of `text` around the fault, a line of carets below it, and the message.
pub(crate) fn excerpt(text: &str, fault: &Fault, mark: impl Fn(&str) -> String) -> Vec<String> {
    let text = text.trim_end_matches(['\r', '\n']);
    let column = |byte: usize| text.char_indices().take_while(|&(at, _)| at < byte).count();
    let shown: Vec<char> =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let (start, end) = (column(fault.span.start), column(fault.span.end));
    let first = start.saturating_sub(CONTEXT);
    let last = (end.min(start + CONTEXT) + CONTEXT).min(shown.len());
    let before = if first > 0 { "…" } else { "" };
    let after = if last < shown.len() { "…" } else { "" };
    let line: String = shown[first..last].iter().collect();
    let carets = "^".repeat(end.min(last).saturating_sub(start).max(1));
    let indent = " ".repeat(start - first + before.chars().count());
    vec![
        format!("{before}{line}{after}"),
        format!("{indent}{}", mark(&carets)),
        format!("{indent}{}", fault.message),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, fault: &Fault) -> String {
        excerpt(text, fault, str::to_owned).join("\n")
    }

    #[test]
    fn carets_stand_under_the_fault() {
        let fault = Fault::new(4..6, "no such cell");
        assert_eq!(plain("d4-d9\n", &fault), "d4-d9\n    ^\n    no such cell");
        let missing = Fault::new(3..3, "expected a cell");
        assert_eq!(plain("d4-", &missing), "d4-\n   ^\n   expected a cell");
    }

    #[test]
    fn characters_count_once_however_many_bytes_they_have() {
        let fault = Fault::new(3..4, "what");
        assert_eq!(plain("ä-x", &fault), "ä-x\n  ^\n  what");
    }

    #[test]
    fn long_texts_are_cut_around_the_fault() {
        let text = "a".repeat(100) + "!" + &"b".repeat(100);
        let lines = excerpt(&text, &Fault::new(100..101, "odd"), str::to_owned);
        assert_eq!(lines[0], format!("…{}!{}…", "a".repeat(CONTEXT), "b".repeat(CONTEXT)));
        assert_eq!(lines[1].trim_start(), "^");
        assert_eq!(lines[1].chars().count() - 1, 1 + CONTEXT);
    }
}
