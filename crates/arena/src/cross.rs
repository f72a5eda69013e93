//! Cross tables: results between pairs of participants.

use crate::Placing;

/// The result of one participant against another.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cell {
    /// 1 for every time it was ranked above the other, ½ for a shared rank.
    pub points: f64,
    /// The number of comparisons. In games with copies, every seat of one is compared with every seat of the other.
    pub of: u64,
}

impl Cell {
    /// Points per comparison, from 0 to 1, or `None` without comparisons.
    pub fn score(&self) -> Option<f64> {
        (self.of > 0).then(|| self.points / self.of as f64)
    }
}

/// All results between pairs. With two seats a comparison is a game.
#[derive(Clone, PartialEq, Debug)]
pub struct CrossTable {
    participants: usize,
    cells: Vec<Cell>,
}

impl CrossTable {
    /// Counts the games of `participants`.
    ///
    /// # Panics
    /// If a game refers to a participant out of range.
    pub fn new<'a>(participants: usize, games: impl IntoIterator<Item = &'a Placing>) -> Self {
        let mut table = Self { participants, cells: vec![Cell::default(); participants * participants] };
        for game in games {
            for (&player, &rank) in game.players.iter().zip(&game.ranks) {
                for (&other, &behind) in
                    game.players.iter().zip(&game.ranks).filter(|&(&other, _)| other != player)
                {
                    let cell = &mut table.cells[player * participants + other];
                    cell.of += 1;
                    cell.points +=
                        if rank < behind { 1.0 } else { f64::from(u8::from(rank == behind)) / 2.0 };
                }
            }
        }
        table
    }

    /// The result of `participant` against `other`.
    pub fn against(&self, participant: usize, other: usize) -> Cell {
        self.cells[participant * self.participants + other]
    }

    /// The total result of `participant`.
    pub fn total(&self, participant: usize) -> Cell {
        let row = (0..self.participants).map(|other| self.against(participant, other));
        row.fold(Cell::default(), |sum, cell| Cell { points: sum.points + cell.points, of: sum.of + cell.of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(players: &[usize], ranks: &[u8]) -> Placing {
        Placing { players: players.to_vec(), ranks: ranks.to_vec() }
    }

    #[test]
    fn places_are_compared_pair_by_pair() {
        let games = [game(&[0, 1], &[1, 2]), game(&[1, 0], &[1, 1]), game(&[2, 0, 1], &[1, 2, 3])];
        let table = CrossTable::new(4, &games);
        assert_eq!(table.against(0, 1), Cell { points: 2.5, of: 3 });
        assert_eq!(table.against(1, 0), Cell { points: 0.5, of: 3 });
        assert_eq!(table.total(2), Cell { points: 2.0, of: 2 });
        assert_eq!(table.against(3, 0).score(), None);
    }

    #[test]
    fn copies_are_not_compared_with_themselves() {
        let table = CrossTable::new(2, &[game(&[0, 1, 1], &[2, 1, 3])]);
        assert_eq!(table.against(0, 1), Cell { points: 1.0, of: 2 });
        assert_eq!(table.against(1, 1), Cell::default());
    }
}
