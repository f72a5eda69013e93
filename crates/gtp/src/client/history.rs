//! The commands that bring a program to a given position.

use go::{Colour, Move, Point, Points, Position, Rules};

/// The history of a position, independent of its point set type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameHistory {
    pub(super) rules: Rules,
    /// Stones at the start, by colour.
    pub(super) stones: [Vec<Point>; 2],
    /// The colour that moves first.
    pub(super) first: Colour,
    pub(super) moves: Vec<Move>,
}

impl GameHistory {
    pub(super) fn of<P: Points>(position: &Position<P>) -> Self {
        let start = position.start();
        let mut moves = position.moves();
        if position.passes() == 0 && moves.last() == Some(&Move::PASS) {
            // The pass is only assumed, because a colour moves twice. A program that is told of it may pass in reply.
            moves.pop();
        }
        Self {
            rules: *position.rules(),
            stones: Colour::BOTH.map(|colour| start.board.stones(colour).iter().collect()),
            first: start.to_move,
            moves,
        }
    }

    /// The commands from an unknown state to this one.
    pub(super) fn commands(&self) -> Vec<String> {
        let mut commands = vec![
            format!("boardsize {}", self.rules.size),
            "clear_board".to_owned(),
            format!("komi {}", self.rules.komi),
        ];
        let [black, white] = &self.stones;
        if black.len() > 1 && white.is_empty() && self.first == Colour::White {
            let places: Vec<String> = black.iter().map(Point::to_string).collect();
            commands.push(format!("set_free_handicap {}", places.join(" ")));
        } else {
            // A subset of the stones has at least as many liberties, so no stones are captured in between.
            for (colour, stones) in Colour::BOTH.into_iter().zip(&self.stones) {
                commands.extend(stones.iter().map(|point| play(colour, Move::at(*point))));
            }
        }
        commands.extend(self.plays(0));
        commands
    }

    /// The commands from `earlier` to this one, or `None` if starting from scratch is shorter or necessary.
    pub(super) fn commands_after(&self, earlier: &Self) -> Option<Vec<String>> {
        let same_start =
            (&self.rules, &self.stones, self.first) == (&earlier.rules, &earlier.stones, earlier.first);
        let pairs = self.moves.iter().zip(&earlier.moves);
        let common = pairs.take_while(|(ours, theirs)| ours == theirs).count();
        let back = earlier.moves.len() - common;
        (same_start && back < common + 3)
            .then(|| std::iter::repeat_n("undo".to_owned(), back).chain(self.plays(common)).collect())
    }

    fn plays(&self, begin: usize) -> impl Iterator<Item = String> {
        let colours = std::iter::successors(Some(self.first), |colour| Some(colour.other()));
        colours.zip(&self.moves).skip(begin).map(|(colour, &m)| play(colour, m))
    }
}

fn play(colour: Colour, m: Move) -> String {
    format!("play {} {m}", colour.letter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Notation};
    use go::{Board, Small, Start};

    fn after(moves: &str) -> Position<Small> {
        let mut position = Position::new(&Rules::new(7));
        for text in moves.split_whitespace() {
            position.play(position.parse_move(text).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn a_new_program_gets_all_commands() {
        let commands = GameHistory::of(&after("D4 pass C3")).commands();
        let plays = ["boardsize 7", "clear_board", "komi 7.5", "play B D4", "play W pass", "play B C3"];
        assert_eq!(commands, plays);
    }

    #[test]
    fn a_pass_that_was_not_played_is_not_sent() {
        let commands = |position: Position<Small>| GameHistory::of(&position).commands();
        assert_eq!(commands(after("D4 E4").facing(Colour::White))[3..], ["play B D4", "play W E4"]);
        assert_eq!(commands(after("D4 pass"))[3..], ["play B D4", "play W pass"]);
    }

    #[test]
    fn a_running_program_gets_only_new_moves() {
        let earlier = GameHistory::of(&after("D4 E4"));
        let commands = |moves: &str| GameHistory::of(&after(moves)).commands_after(&earlier);
        assert_eq!(commands("D4 E4 D5 pass").unwrap(), ["play B D5", "play W pass"]);
        assert_eq!(commands("D4 E4"), Some(vec![]));
        assert_eq!(commands("D4 E3").unwrap(), ["undo", "play W E3"]);
        assert_eq!(commands("").unwrap(), ["undo", "undo"]);
        let long = GameHistory::of(&after("A1 B1 C1 D1 E1"));
        assert_eq!(GameHistory::of(&after("A2")).commands_after(&long), None);
        let other_komi = Position::<Small>::new(&Rules { komi: "0.5".parse().unwrap(), ..Rules::new(7) });
        assert_eq!(GameHistory::of(&other_komi).commands_after(&earlier), None);
    }

    #[test]
    fn handicaps_and_set_up_boards_come_before_the_moves() {
        let handicap = Position::<Small>::new(&Rules { handicap: 2, ..Rules::new(7) });
        assert_eq!(GameHistory::of(&handicap).commands()[3..], ["set_free_handicap C3 E5"]);
        let board = Board::from_drawing(". X .\nX O O\n. O .").unwrap();
        let start = Start { board, to_move: Colour::Black, prisoners: [0; 2] };
        let position = Position::<Small>::set_up(&Rules::new(3), &start).unwrap();
        let plays = ["play B A2", "play B B3", "play W B1", "play W B2", "play W C2"];
        assert_eq!(GameHistory::of(&position).commands()[3..], plays);
    }
}
