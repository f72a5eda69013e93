//! Positions to learn a policy and values from.
//!
//! Rows have positions, not planes: those are ten times smaller, and encoding one is quick beside learning from it. It
//! also makes symmetries simple, since the position itself is transformed.

use nn::{PvInput, PvTarget};
use record::GameRecord;

use super::{labels::PvLabels, positions::Positions};
use crate::{MAX_SEATS, RowStore, TrainError};

/// Rows in memory.
pub struct PvRows {
    /// The positions of each folder.
    pub(super) boards: Vec<Box<dyn Positions>>,
    heads: Vec<Head>,
    /// Moves by their index in the list of legal moves, and their probabilities in units of 1/65535, row after row.
    policy: Vec<(u16, u16)>,
}

/// What is known about a row besides its position.
#[derive(Clone, Copy, Debug)]
struct Head {
    board: u16,
    symmetries: u8,
    /// The number of moves in the policy; 0 if there is none.
    moves: u16,
    /// The first of them.
    policy: u32,
    position: u32,
    /// The last position of the game, if it counts.
    end: Option<u32>,
    value: [f32; MAX_SEATS],
    weight: f32,
}

/// A row before it is stored. Its position is already with those of its folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewRow<'a> {
    pub(super) position: u32,
    pub(super) end: Option<u32>,
    pub(super) symmetries: usize,
    /// Moves by index, with probabilities that sum to 1; empty if there is no policy to learn.
    pub(super) policy: &'a [(u16, f32)],
    /// The share of the game of each seat, from the first seat on.
    pub(super) value: [f32; MAX_SEATS],
    pub(super) weight: f32,
}

/// The unit of stored probabilities.
const UNIT: f32 = 1.0 / 65_535.0;

impl PvRows {
    /// No rows, for folders whose positions are like these.
    pub(super) fn new(boards: &[Box<dyn Positions>]) -> Self {
        let boards = boards.iter().map(|board| board.empty()).collect();
        Self { boards, heads: Vec::new(), policy: Vec::new() }
    }

    /// Adds the rows of a game of a folder.
    pub(super) fn add_game(
        &mut self,
        folder: usize,
        game: &GameRecord,
        labels: &PvLabels,
    ) -> Result<(), TrainError> {
        let Self { boards, heads, policy } = self;
        boards[folder].add_game(game, labels, &mut |row| {
            let first = policy.len();
            let units = |share: f32| (share / UNIT).round() as u16;
            policy.extend(row.policy.iter().map(|&(index, share)| (index, units(share))));
            heads.push(Head {
                board: folder as u16,
                symmetries: row.symmetries as u8,
                moves: row.policy.len() as u16,
                policy: u32::try_from(first).expect("rows fit in memory"),
                position: row.position,
                end: row.end,
                value: row.value,
                weight: row.weight,
            });
        })
    }

    /// The folder of a row.
    pub fn folder(&self, row: usize) -> usize {
        usize::from(self.heads[row].board)
    }

    /// The number of symmetries of a row's position.
    pub fn symmetries(&self, row: usize) -> usize {
        usize::from(self.heads[row].symmetries)
    }

    /// Whether a row has a policy to learn.
    pub fn has_policy(&self, row: usize) -> bool {
        self.heads[row].moves > 0
    }

    /// Writes what a network reads of a row under a symmetry, and what it should say. Positions without a policy to learn
    /// have no moves.
    pub fn fill(&self, row: usize, symmetry: usize, input: &mut PvInput<f32>, target: &mut PvTarget<f32>) {
        let head = &self.heads[row];
        let seat =
            self.boards[usize::from(head.board)].fill(head.position, head.end, symmetry, input, target);
        target.weight = head.weight;
        target.value.clear();
        target.value.extend((0..input.seats).map(|turns| head.value[(seat + turns) % input.seats]));
        target.policy.clear();
        if head.moves == 0 {
            input.clear_moves();
            return;
        }
        target.policy.resize(input.moves(), 0.0);
        let policy = &self.policy[head.policy as usize..][..usize::from(head.moves)];
        let sum: f32 = policy.iter().map(|&(_, units)| f32::from(units)).sum();
        for &(index, units) in policy {
            target.policy[usize::from(index)] += f32::from(units) / sum;
        }
    }
}

impl RowStore for PvRows {
    fn len(&self) -> usize {
        self.heads.len()
    }

    fn bytes(&self) -> usize {
        let positions: usize = self.boards.iter().map(|board| board.bytes()).sum();
        positions + size_of_val(&*self.heads) + size_of_val(&*self.policy)
    }

    fn append(&mut self, other: Self) {
        let counts: Vec<(u32, u32)> = self.boards.iter().map(|board| board.counts()).collect();
        let first = self.policy.len() as u32;
        self.policy.extend(other.policy);
        self.heads.extend(other.heads.into_iter().map(|head| {
            let (positions, ends) = counts[usize::from(head.board)];
            Head {
                policy: head.policy + first,
                position: head.position + positions,
                end: head.end.map(|end| end + ends),
                ..head
            }
        }));
        for (board, more) in self.boards.iter_mut().zip(other.boards) {
            board.append(more);
        }
    }
}
