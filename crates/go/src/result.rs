//! The result of a game, as written in records and protocols.

use std::{convert::Infallible, fmt, str::FromStr};

use game::Outcome;

use crate::{Colour, Score, rules::parse_halves};

/// The result of a game. Unlike an [`Outcome`], it includes the reason, and endings other than by moves.
///
/// ```
/// use go::{Colour, GameResult};
/// let result: GameResult = "W+R".parse().unwrap();
/// assert_eq!(result, GameResult::Resignation(Colour::White));
/// assert_eq!("b+12.5".parse::<GameResult>().unwrap().to_string(), "B+12.5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// The game was scored; a score of zero is a tie.
    Score(Score),
    /// This colour won because the opponent resigned.
    Resignation(Colour),
    /// This colour won because the opponent ran out of time.
    Time(Colour),
    /// This colour won because the opponent forfeited the game.
    Forfeit(Colour),
    /// This colour won by an unspecified margin.
    Win(Colour),
    /// The game has no result, because of a long cycle or because it was suspended.
    Void,
    /// The result is unknown.
    Unknown,
}

impl GameResult {
    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Colour> {
        match *self {
            Self::Score(score) => score.winner(),
            Self::Resignation(colour) | Self::Time(colour) | Self::Forfeit(colour) | Self::Win(colour) => {
                Some(colour)
            }
            Self::Void | Self::Unknown => None,
        }
    }

    /// The outcome for the two seats; `None` if the result is unknown. A void game is a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Unknown => None,
            _ => {
                Some(self.winner().map_or_else(|| Outcome::draw(2), |colour| Outcome::win(2, colour.seat())))
            }
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(score) => score.fmt(f),
            Self::Resignation(colour) => write!(f, "{}+R", colour.letter()),
            Self::Time(colour) => write!(f, "{}+T", colour.letter()),
            Self::Forfeit(colour) => write!(f, "{}+F", colour.letter()),
            Self::Win(colour) => write!(f, "{}+", colour.letter()),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

/// Parsing never fails: text that is not understood is [`GameResult::Unknown`], and a margin that is not a multiple of
/// half a point gives [`GameResult::Win`].
impl FromStr for GameResult {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = text.trim().to_ascii_lowercase();
        let (colour, how) = match text.as_bytes() {
            [b'b', b'+', ..] => (Colour::Black, &text[2..]),
            [b'w', b'+', ..] => (Colour::White, &text[2..]),
            _ => {
                return Ok(match text.as_str() {
                    "0" | "draw" | "jigo" => Self::Score(Score::from_half_points(0)),
                    "void" => Self::Void,
                    _ => Self::Unknown,
                });
            }
        };
        Ok(match how.trim() {
            "r" | "resign" | "resignation" => Self::Resignation(colour),
            "t" | "time" => Self::Time(colour),
            "f" | "forfeit" => Self::Forfeit(colour),
            margin => match parse_halves(margin).map(i32::from) {
                Some(halves) if halves > 0 => {
                    let sign = if colour == Colour::Black { 1 } else { -1 };
                    Self::Score(Score::from_half_points(sign * halves))
                }
                _ => Self::Win(colour),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> GameResult {
        text.parse().unwrap()
    }

    #[test]
    fn results_read_back() {
        for text in ["B+R", "W+T", "B+F", "W+", "B+0.5", "W+361", "0", "Void", "?"] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn other_spellings_are_understood() {
        assert_eq!(read("Draw"), read("0"));
        assert_eq!(read("B+Resign"), read("B+R"));
        assert_eq!(read("W+Time"), read("W+T"));
        assert_eq!(read("W+3.25"), GameResult::Win(Colour::White));
        assert_eq!(read("black won"), GameResult::Unknown);
        assert_eq!(read(""), GameResult::Unknown);
        assert_eq!(read("B+-3"), GameResult::Win(Colour::Black));
    }

    #[test]
    fn a_void_game_is_a_draw_and_an_unknown_result_has_no_outcome() {
        assert_eq!(read("Void").outcome(), Some(Outcome::draw(2)));
        assert_eq!(read("?").outcome(), None);
        assert_eq!(read("W+R").outcome(), Some(Outcome::win(2, Colour::White.seat())));
    }
}
