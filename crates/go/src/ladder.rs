//! Ladders: chains that are captured by an unbroken sequence of ataris.

use crate::{Board, Colour, Point, Points};

/// The number of boards to examine before a ladder counts as unread. The longest ladder on 19×19 takes about 70 moves,
/// with a few alternatives at each.
const MAX_BOARDS: u32 = 500;

impl<P: Points> Board<P> {
    /// The chains of `colour` that the opponent, to move, captures in a ladder, including chains already in atari. Ko
    /// is ignored, and so is every reply other than extending and capturing.
    pub fn caught_in_ladders(&self, colour: Colour) -> P {
        self.chains(colour)
            .filter(|&chain| self.liberties(chain).len() <= 2)
            .filter(|chain| {
                chain.first().is_some_and(|stone| self.attack(stone, colour, &mut { MAX_BOARDS }))
            })
            .fold(P::EMPTY, |all, chain| all | chain)
    }

    /// The chains of `colour` in atari that cannot escape with `colour` to move.
    pub fn lost_in_ladders(&self, colour: Colour) -> P {
        self.chains(colour)
            .filter(|&chain| self.liberties(chain).len() == 1)
            .filter(|chain| {
                chain.first().is_some_and(|stone| !self.escape(stone, colour, &mut { MAX_BOARDS }))
            })
            .fold(P::EMPTY, |all, chain| all | chain)
    }

    /// Whether the opponent of `colour`, to move, captures the chain of this stone.
    fn attack(&self, stone: Point, colour: Colour, boards: &mut u32) -> bool {
        let liberties = self.liberties(self.chain(stone));
        match liberties.len() {
            0 | 1 => true,
            2 => liberties.iter().any(|liberty| {
                self.after(liberty, colour.other(), boards)
                    .is_some_and(|board| !board.escape(stone, colour, boards))
            }),
            _ => false,
        }
    }

    /// Whether `colour`, to move, saves the chain of this stone, which has one liberty.
    fn escape(&self, stone: Point, colour: Colour, boards: &mut u32) -> bool {
        let chain = self.chain(stone);
        let liberties = self.liberties(chain);
        if liberties.len() > 1 {
            return true;
        }
        // Extend, or capture an adjacent chain that is in atari itself.
        let mut answers = liberties;
        for enemy in (chain.around() & self.stones(colour.other())).flood(self.stones(colour.other())).parts()
        {
            let last = self.liberties(enemy);
            if last.len() == 1 {
                answers = answers | last;
            }
        }
        answers.iter().any(|answer| {
            self.after(answer, colour, boards).is_some_and(|board| {
                match board.liberties(board.chain(stone)).len() {
                    0 | 1 => false,
                    2 => !board.attack(stone, colour, boards),
                    _ => true,
                }
            })
        })
    }

    /// The board after a stone; `None` if the stone is suicide or the limit of boards is reached.
    fn after(&self, point: Point, colour: Colour, boards: &mut u32) -> Option<Self> {
        *boards = boards.checked_sub(1)?;
        let mut board = *self;
        board.place(point, colour);
        (!board.liberties(board.chain(point)).is_empty()).then_some(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Medium, Small};

    fn shape(extra: Option<(&str, Colour)>) -> Board<Medium> {
        let mut board = Board::<Medium>::from_drawing(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . X . . . . . .
            . X O . . . . . .
            . . X X . . . . .
            . . . . . . . . .
            . . . . . . . . .",
        )
        .unwrap();
        if let Some((name, colour)) = extra {
            board.place(Point::parse(name).unwrap(), colour);
        }
        board
    }

    #[test]
    fn a_breaker_on_the_way_saves_the_chain() {
        // White's C4 has one liberty, D4. Extending there gives it two, and Black continues with atari.
        assert_eq!(shape(None).lost_in_ladders(Colour::White).len(), 1);
        assert_eq!(shape(Some(("F6", Colour::White))).lost_in_ladders(Colour::White).len(), 0);
        assert_eq!(shape(Some(("A9", Colour::White))).lost_in_ladders(Colour::White).len(), 1);
    }

    #[test]
    fn the_attacker_chooses_where_to_give_atari() {
        // Without C5 the chain has two liberties, and only the atari from C5 starts the ladder.
        let mut board = shape(None);
        board.remove(Medium::only(Point::parse("C5").unwrap()), Colour::Black);
        assert_eq!(board.liberties(board.stones(Colour::White)).len(), 2);
        assert_eq!(board.caught_in_ladders(Colour::White).len(), 1);
        board.place(Point::parse("F6").unwrap(), Colour::White);
        assert!(board.caught_in_ladders(Colour::White).is_empty());
    }

    #[test]
    fn capturing_a_chaser_is_an_answer() {
        // B1 cannot escape at A1, but D1 captures C1 unless C1 is connected.
        let lost = |second_row: &str| {
            let board = Board::<Small>::from_drawing(&format!(
                ". . . . .\n. . . . .\n. . . . .\n{second_row}\n. O X . ."
            ));
            board.unwrap().lost_in_ladders(Colour::White).has(Point::parse("B1").unwrap())
        };
        assert!(!lost("X X O . ."));
        assert!(lost("X X X . ."));
    }
}
