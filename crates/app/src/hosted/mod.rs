//! What a game has to provide so that every command can host it: words, drawings, and a few facts.
//!
//! Commands are written once, for any game. What differs from game to game is here; rules and search are not.

mod go;
mod ringrift;

use game::Seat;
use ladder::Playable;
use record::{GameResult, Recorded};
use serde_json::Value;

use crate::printer::{Printer, escape};

/// A position of a game that can be played at the terminal, shown, matched, analysed.
pub(crate) trait Hosted: Playable + Recorded {
    /// A place of the board that can be marked in a drawing.
    type Place: Copy + PartialEq;

    /// How to read a drawing, for the first lines of a game.
    const LEGEND: &'static str;
    /// How to write moves, for the help.
    const HELP: &'static str;

    /// What is played: `RingRift on square8, with the swap rule`.
    fn title(&self) -> String;

    /// Where the game stands: `square8, 2 seats, turn 5`. It may be over without the board showing it.
    fn heading(&self, over: bool) -> String;

    /// What a seat is called within a sentence.
    fn seat_name(seat: Seat) -> String;

    /// The board, each line indented.
    fn drawing(&self, marks: &Marks<Self::Place>, printer: &Printer) -> String;

    /// How every seat stands, and whose turn it is unless the game is over. `names` are shown behind, as many as there
    /// are.
    fn standing(&self, over: bool, names: &[String], printer: &Printer) -> String;

    /// What the seat to move has to choose, and how to write it.
    fn choice(&self, moves: &[Self::Move]) -> String;

    /// What a move does, to follow the name of a seat: `moves d4 to d6`.
    fn deed(&self, m: Self::Move) -> String;

    /// Why a move cannot be played, and what could.
    fn refusal(&self, m: Self::Move, moves: &[Self::Move]) -> String;

    /// How a game that came to this position ended.
    fn ending(&self, result: &GameResult) -> String;

    /// Where a change of the board happened.
    fn place(change: Self::Change) -> Self::Place;

    /// The moves that a player means by the beginning of a text in small letters; all of them if it is empty.
    fn matching(&self, moves: &[Self::Move], prefix: &str) -> Vec<Self::Move>;

    /// Where a move ends.
    fn targets(&self, m: Self::Move) -> Vec<Self::Place>;

    /// A list of moves as lines.
    fn move_lines(&self, moves: &[Self::Move]) -> Vec<String>;

    /// Turns taken so far; a turn is what a line of a game score holds.
    fn turns_taken(&self) -> u32;

    /// A number of moves that a game of this sort easily has, to take samples from.
    fn usual_plies(&self) -> usize;

    /// The facts worth asking for, as fields of an object.
    fn facts(&self) -> Value;

    /// Whether a move is a step that nobody chooses.
    fn is_bookkeeping(_: Self::Move) -> bool {
        false
    }

    /// What the count would be if the game ended here, in a game that is counted.
    fn count(&self) -> Option<String> {
        None
    }

    /// The result that players of a game that is over here would agree on, if they have to agree on anything.
    fn proposal(&self, plies: u32) -> Option<GameResult> {
        self.result(plies)
    }

    /// The result after the players change their minds about what is at `place`.
    ///
    /// # Errors
    /// In words, if there is nothing to agree on.
    fn amended(&self, result: &GameResult, place: &str) -> Result<GameResult, String> {
        let _ = (result, place);
        Err("Nothing is agreed on at the end of this game.".to_owned())
    }
}

/// Places that should catch the eye.
pub(crate) struct Marks<L> {
    /// Changed by the last turn.
    pub(crate) changed: Vec<L>,
    /// Can be chosen now.
    pub(crate) targets: Vec<L>,
}

impl<L> Default for Marks<L> {
    fn default() -> Self {
        Self { changed: Vec::new(), targets: Vec::new() }
    }
}

impl<L: Copy + PartialEq> Marks<L> {
    /// What to write behind a place on a board without colours: `?` if it can be chosen, `'` if it changed.
    fn sign(&self, place: L) -> Option<char> {
        match (self.targets.contains(&place), self.changed.contains(&place)) {
            (true, _) => Some('?'),
            (false, true) => Some('\''),
            (false, false) => None,
        }
    }

    /// The codes of the same in colour.
    fn style(&self, place: L) -> &'static str {
        match self.sign(place) {
            Some('?') => "48;5;238;",
            Some(_) => "4;",
            None => "",
        }
    }
}

/// Colours of the four seats, from the 256-colour palette: blue, orange, green, pink, apart from each other in
/// lightness too.
const COLOURS: [u8; 4] = [39, 208, 34, 176];

/// `text` in the colour of a seat.
pub(crate) fn in_colour(seat: Seat, text: &str, printer: &Printer) -> String {
    if printer.has_colour() {
        escape(&format!("1;38;5;{}", COLOURS[seat.index()]), text)
    } else {
        text.to_owned()
    }
}

/// A move in notation and in words.
pub(crate) fn spelled<P: Hosted>(position: &P, m: P::Move) -> String {
    format!("{} ({})", position.move_text(m), position.deed(m))
}

/// A name at the beginning of a sentence.
pub(crate) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + rest.as_str())
}
