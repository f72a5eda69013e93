//! Commands of the protocol and the syntax of their arguments.

use go::{Colour, Move, Point};

/// A command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Its id, to be repeated in the reply.
    pub id: Option<u32>,
    /// The name of the command.
    pub name: String,
    /// The rest of the line.
    pub rest: String,
}

impl Command {
    /// Parses a line, or returns `None` if it has no command. Control characters and comments are removed, as the
    /// protocol requires.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.split('#').next().unwrap_or_default();
        let clean: String = line
            .chars()
            .map(|character| if character == '\t' { ' ' } else { character })
            .filter(|character| !character.is_control())
            .collect();
        let clean = clean.trim();
        let (first, rest) = clean.split_once(' ').unwrap_or((clean, ""));
        let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, command) = match first.parse() {
            Ok(id) if is_number => (Some(id), rest.trim_start()),
            _ => (None, clean),
        };
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        let (name, rest) = (name.to_owned(), rest.trim().to_owned());
        (id.is_some() || !name.is_empty()).then_some(Self { id, name, rest })
    }

    /// The arguments.
    pub fn arguments(&self) -> Vec<&str> {
        self.rest.split_whitespace().collect()
    }
}

/// Parses a colour: `b`, `w`, `black` or `white`, case-insensitively.
pub fn colour(text: &str) -> Option<Colour> {
    let is = |letter: &str, word: &str| text.eq_ignore_ascii_case(letter) || text.eq_ignore_ascii_case(word);
    if is("b", "black") {
        Some(Colour::Black)
    } else if is("w", "white") {
        Some(Colour::White)
    } else {
        None
    }
}

/// Parses a point of a board of this size, or a pass, case-insensitively.
pub fn vertex(text: &str, size: usize) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::PASS);
    }
    Point::parse(text).filter(|point| point.column().max(point.row()) < size).map(Move::at)
}

/// Formats a move: points in upper case and a pass in lower case, which every program accepts.
pub fn vertex_text(m: Move) -> String {
    m.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<u32>, String, String)> {
        Command::parse(line).map(|command| (command.id, command.name, command.rest))
    }

    #[test]
    fn ids_comments_and_control_characters_are_separated() {
        let expected = |id, name: &str, rest: &str| Some((id, name.to_owned(), rest.to_owned()));
        assert_eq!(read("name"), expected(None, "name", ""));
        assert_eq!(read(" 12  play\tb  D4 # a comment\r"), expected(Some(12), "play", "b  D4"));
        assert_eq!(read("7"), expected(Some(7), "", ""));
        assert_eq!(read("pl\u{7}ay w q\u{0}16"), expected(None, "play", "w q16"));
        assert_eq!(read("99999999999 name"), expected(None, "99999999999", "name"));
        assert_eq!(read("-1 name"), expected(None, "-1", "name"));
        assert_eq!(read("+1 name"), expected(None, "+1", "name"));
        for nothing in ["", "   ", "# only a comment", "\r", "\u{1}\t"] {
            assert_eq!(read(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn colours_and_points_are_read_in_any_case() {
        for text in ["b", "B", "black", "BLACK", "Black"] {
            assert_eq!(colour(text), Some(Colour::Black));
        }
        assert_eq!(colour("White"), Some(Colour::White));
        assert_eq!(colour("grey"), None);
        assert_eq!(vertex("d4", 5), Some(Move::at(Point::new(3, 3))));
        assert_eq!(vertex("j9", 9), Some(Move::at(Point::new(8, 8))));
        assert_eq!(vertex("PASS", 9), Some(Move::PASS));
        for wrong in ["i5", "F1", "A6", "A0", "", "resign", "4d"] {
            assert_eq!(vertex(wrong, 5), None, "{wrong}");
        }
    }
}
