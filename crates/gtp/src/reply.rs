//! Replies of the protocol.

use std::fmt;

/// The reply to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The id of the command, if it had one.
    pub id: Option<u32>,
    /// Whether the command failed.
    pub fails: bool,
    /// The text of the reply.
    pub text: String,
}

impl Reply {
    /// Parses the first line of a reply, or returns `None` if it is not one.
    pub fn parse(line: &str) -> Option<Self> {
        let fails = match line.bytes().next()? {
            b'=' => false,
            b'?' => true,
            _ => return None,
        };
        let rest = &line[1..];
        let text = rest.trim_start_matches(|character: char| character.is_ascii_digit());
        let id = rest[..rest.len() - text.len()].parse().ok();
        Some(Self { id, fails, text: text.trim().to_owned() })
    }
}

impl fmt::Display for Reply {
    /// Includes the empty line that ends the reply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.fails { "?" } else { "=" })?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        for (index, line) in self.text.trim_end().lines().enumerate() {
            // An empty line in the middle would end the reply.
            let line = if line.is_empty() { " " } else { line };
            write!(f, "{}{line}", if index == 0 { " " } else { "\n" })?;
        }
        f.write_str("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_written_with_their_number_and_an_empty_line() {
        let reply = |id, fails, text: &str| Reply { id, fails, text: text.to_owned() }.to_string();
        assert_eq!(reply(None, false, ""), "=\n\n");
        assert_eq!(reply(Some(7), false, "D4"), "=7 D4\n\n");
        assert_eq!(reply(Some(0), true, "illegal move"), "?0 illegal move\n\n");
        assert_eq!(reply(None, false, "a\n\nb\n"), "= a\n \nb\n\n");
    }

    #[test]
    fn first_lines_are_parsed() {
        for (line, id, fails, text) in [
            ("=", None, false, ""),
            ("= D4", None, false, "D4"),
            ("=12 pass", Some(12), false, "pass"),
            ("?3 unknown command", Some(3), true, "unknown command"),
            ("=99999999999 x", None, false, "x"),
        ] {
            assert_eq!(Reply::parse(line), Some(Reply { id, fails, text: text.to_owned() }), "{line}");
        }
        for line in ["", "D4", "info move D4", " = D4"] {
            assert_eq!(Reply::parse(line), None, "{line}");
        }
    }
}
