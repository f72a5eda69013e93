//! Simple features of a position, point by point, for encoders and simple agents.

use game::Game;

use crate::{Board, Colour, Illegal, Move, Points, Position};

/// Feature planes from the point of view of the colour to move, whose stones are called "own".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features<P> {
    /// Own stones, then the opponent's.
    pub stones: [P; 2],
    /// Points without a stone.
    pub empty: P,
    /// Stones whose chain has one, two, or three or more liberties: own stones, then the opponent's.
    pub liberties: [[P; 3]; 2],
    /// Points where a stone may be played.
    pub legal: P,
    /// Legal points that do not fill an own [eye](Board::is_eye).
    pub sensible: P,
    /// Legal points that capture one, two, or three or more stones.
    pub captures: [P; 3],
    /// Legal points that leave the new stone's chain with one liberty.
    pub self_atari: P,
    /// Empty points that only a ko rule forbids.
    pub ko: P,
    /// The opponent's chains that can be captured in a ladder.
    pub catchable: P,
    /// Own chains in atari that cannot escape.
    pub lost: P,
}

impl<P: Points> Position<P> {
    /// Computes the features of this position.
    ///
    /// ```
    /// use game::Game;
    /// use go::{Point, Points, Position, Rules, Small};
    /// let position = Position::<Small>::new(&Rules::new(5));
    /// let features = position.features();
    /// assert_eq!(features.legal.len(), 25);
    /// assert_eq!(features.sensible, features.legal);
    /// ```
    pub fn features(&self) -> Features<P> {
        let (board, own) = (self.board(), self.turn());
        let both = [own, own.other()];
        let legal = self.legal_points();
        let mut captures = [P::EMPTY; 3];
        let mut self_atari = P::EMPTY;
        for point in legal.iter() {
            let taken = board.captures(point, own);
            if !taken.is_empty() {
                let class = &mut captures[taken.len().min(3) as usize - 1];
                *class = *class | P::only(point);
            }
            let mut after = *board;
            after.place(point, own);
            if after.liberties(after.chain(point)).len() == 1 {
                self_atari = self_atari | P::only(point);
            }
        }
        let refused = board.empty().without(legal).iter();
        let ko = refused.filter(|&point| {
            matches!(self.check(Move::at(point)), Err(Illegal::Ko(_) | Illegal::Superko { .. }))
        });
        Features {
            stones: both.map(|colour| board.stones(colour)),
            empty: board.empty(),
            liberties: both.map(|colour| board.by_liberties(colour)),
            legal,
            sensible: legal.without(board.eyes(own)),
            captures,
            self_atari,
            ko: P::of(ko),
            catchable: board.caught_in_ladders(own.other()),
            lost: board.lost_in_ladders(own),
        }
    }
}

impl<P: Points> Board<P> {
    /// The stones of a colour whose chain has one, two, or three or more liberties.
    pub fn by_liberties(&self, colour: Colour) -> [P; 3] {
        let mut classes = [P::EMPTY; 3];
        for chain in self.chains(colour) {
            let class = &mut classes[self.liberties(chain).len().clamp(1, 3) as usize - 1];
            *class = *class | chain;
        }
        classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Point, Rules, Small, Start};

    fn set(names: &str) -> Small {
        Small::of(names.split_whitespace().map(|name| Point::parse(name).unwrap()))
    }

    fn features(drawing: &str, to_move: Colour) -> Features<Small> {
        let board = Board::from_drawing(drawing).unwrap();
        let start = Start { board, to_move, prisoners: [0; 2] };
        Position::set_up(&Rules::new(board.size() as u8), &start).unwrap().features()
    }

    #[test]
    fn liberties_captures_and_self_atari_are_found() {
        let drawing = "
            . X . . .
            X O O . .
            . X X . .
            . . . . O
            O X . O .";
        let features = features(drawing, Colour::Black);
        assert_eq!(features.liberties[0], [set(""), set("A4 B1 B5"), set("B3 C3")]);
        assert_eq!(features.liberties[1], [set("A1"), set("B4 C4"), set("D1 E2")]);
        assert_eq!(features.captures, [set("A2"), set(""), set("")]);
        assert_eq!(features.self_atari, set(""));
        assert_eq!(features.sensible, features.legal, "A5 is not an eye: White has B4");
    }

    #[test]
    fn self_atari_leaves_one_liberty() {
        assert_eq!(features(". . .\n. . .\n. O .", Colour::Black).self_atari, set("A1 C1"));
        assert_eq!(features(". . .\n. . .\n. O .", Colour::White).self_atari, set(""));
    }

    #[test]
    fn filling_an_own_eye_is_legal_but_not_sensible() {
        let features = features(". X .\nX X .\n. . .", Colour::Black);
        assert_eq!(features.legal.without(features.sensible), set("A3"));
    }

    #[test]
    fn the_mover_sees_own_stones_first() {
        let drawing = ". . .\n. X .\n. . O";
        let (black, white) = (features(drawing, Colour::Black), features(drawing, Colour::White));
        assert_eq!(black.stones, [white.stones[1], white.stones[0]]);
        assert_eq!(black.liberties, [white.liberties[1], white.liberties[0]]);
    }

    #[test]
    fn a_ko_point_is_distinguished_from_suicide() {
        let drawing = ". X O . .\nX . X O .\n. X O . .\n. . . . O\n. . . O .";
        let board = Board::<Small>::from_drawing(drawing).unwrap();
        let start = Start { board, to_move: Colour::White, prisoners: [0; 2] };
        let mut position = Position::set_up(&Rules::new(5), &start).unwrap();
        position.play(Move::at(Point::parse("B4").unwrap())).unwrap();
        let features = position.features();
        assert_eq!(features.ko, set("C4"));
        assert!(!features.legal.has(Point::parse("E1").unwrap()));
    }
}
