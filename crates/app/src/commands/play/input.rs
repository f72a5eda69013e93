//! Parses the lines typed at the prompt.

use std::path::PathBuf;

/// A parsed line of input.
#[derive(PartialEq, Debug)]
pub(super) enum Input {
    /// Any other text, which should be a move.
    Move(String),
    /// List the legal moves that start with this text.
    Moves(String),
    Hint,
    Undo,
    Save(Option<PathBuf>),
    Load(PathBuf),
    Resign,
    /// Show the score if the game ended here.
    Score,
    /// Toggle whether the chain on this point is dead.
    Dead(String),
    Board,
    Position,
    Help,
    Quit,
    Nothing,
}

/// The commands that are available in every game.
pub(super) const HELP: &str = "\
moves [START]   list the legal moves that start with START, or all of them, and mark them on the board
hint            show what a search would play
undo            go back to your last decision
board           draw the board again
position        print the position as one line of text
save [FILE]     save the game to a file
load FILE       resume the last game of a file
resign          resign the game
quit            leave the game";

impl Input {
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let input = match word.to_ascii_lowercase().as_str() {
            "" => Self::Nothing,
            "moves" => return Ok(Self::Moves(rest.to_ascii_lowercase())),
            "save" => return Ok(Self::Save((!rest.is_empty()).then(|| rest.into()))),
            "load" if rest.is_empty() => {
                return Err("load needs a file name, as in: load game.jsonl".to_owned());
            }
            "load" => return Ok(Self::Load(rest.into())),
            "hint" => Self::Hint,
            "undo" => Self::Undo,
            "resign" => Self::Resign,
            "score" => Self::Score,
            "dead" if rest.is_empty() => {
                return Err("dead needs the point of a stone, as in: dead D4".to_owned());
            }
            "dead" => return Ok(Self::Dead(rest.to_ascii_uppercase())),
            "board" => Self::Board,
            "position" => Self::Position,
            "help" | "?" => Self::Help,
            "quit" | "exit" | "q" => Self::Quit,
            _ => return Ok(Self::Move(line.to_ascii_lowercase())),
        };
        if rest.is_empty() { Ok(input) } else { Err(format!("{word} takes no argument, but got {rest:?}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_distinguished_from_moves() {
        for (line, expected) in [
            ("", Input::Nothing),
            ("  undo ", Input::Undo),
            ("Moves D4", Input::Moves("d4".to_owned())),
            ("save", Input::Save(None)),
            ("save my game.jsonl", Input::Save(Some("my game.jsonl".into()))),
            ("load Games/A.jsonl", Input::Load("Games/A.jsonl".into())),
            ("++D4", Input::Move("++d4".to_owned())),
            ("skip", Input::Move("skip".to_owned())),
            ("?", Input::Help),
            ("dead e3", Input::Dead("E3".to_owned())),
        ] {
            assert_eq!(Input::parse(line), Ok(expected), "{line:?}");
        }
        assert!(Input::parse("load").is_err() && Input::parse("dead").is_err());
        assert!(Input::parse("undo 3").is_err());
    }
}
