//! What a move looks like before any search: the odds by which it should win against an average move.

use super::{
    playout_board::{EDGE, EMPTY, PlayoutBoard},
    reply::Candidates,
    sized_board::{SizedBoard, with_board},
};
use crate::{Move, Point, Points, Position};

/// Appends the logarithm of the odds of each move to `logits`: 0 for an ordinary move.
///
/// Captures, rescues, ataris that catch a chain, vital points of eye spaces, patterns and moves near the last one are
/// preferred; moves into own eyes, bad self-atari, hopeless escapes from ladders, passes and moves on empty first lines
/// are not.
pub fn move_priors<P: Points>(position: &Position<P>, moves: &[Move], logits: &mut Vec<f32>) {
    let mut sized: SizedBoard<PlayoutBoard<64>> = if position.board().size() <= 6 {
        SizedBoard::Small(PlayoutBoard::from_board(position.board(), position.turn()))
    } else {
        SizedBoard::large(position.board(), position.turn())
    };
    let last = position.last_move().and_then(Move::point);
    let lost = position.board().lost_in_ladders(position.turn());
    with_board!(&mut sized, board => {
        board.resume(position.banned_ko(), 0);
        let sight = Sight::new(board, lost);
        logits.extend(moves.iter().map(|m| match m.point() {
            None if position.passes() > 0 => SECOND_PASS,
            None => PASS,
            Some(point) => sight.odds(board, point, last),
        }));
    });
}

// Guesses that proved sufficient in matches, as logarithms of odds.
const PASS: f32 = -1.5;
/// A second pass ends the game, so that a single visit tells its value.
const SECOND_PASS: f32 = 2.0;
const OWN_EYE: f32 = -3.0;
const SELF_ATARI: f32 = -1.5;
const CAPTURE: f32 = 1.0;
const RESCUE: f32 = 1.0;
const CATCH: f32 = 1.0;
const DEFENCE: f32 = 0.6;
const PER_STONE: f32 = 0.12;
const MOST_STONES: f32 = 10.0;
const HOPELESS: f32 = -0.7;
const VITAL: f32 = 1.2;
const NEARBY_PATTERN: f32 = 0.7;
const PATTERN: f32 = 0.3;
/// By distance from the last move, where a diagonal step counts as one and a half.
const NEAR: [f32; 9] = [0.0, 0.0, 1.0, 0.9, 0.6, 0.5, 0.3, 0.2, 0.1];
/// On an empty part of the board, by line.
const LINES: [f32; 3] = [-1.2, -0.4, 0.15];

/// The odds gained by tactical moves, by cell.
struct Sight<const CELLS: usize>([f32; CELLS]);

impl<const CELLS: usize> Sight<CELLS> {
    /// `lost` are the chains of the colour to move that are in atari and cannot escape.
    fn new<P: Points>(board: &mut PlayoutBoard<CELLS>, lost: P) -> Self {
        let mut sight = Self([0.0; CELLS]);
        let colour = board.to_move;
        let size = board.size();
        for point in P::board(size).iter() {
            let at = board.cell(point);
            let content = board.content[at];
            if content == EMPTY || board.chain[at] as usize != at {
                continue;
            }
            let Some(weak) = board.weak_chain(at) else { continue };
            let stones = PER_STONE * f32::from(board.stones[at]).min(MOST_STONES);
            let mut found = Candidates::NOTHING;
            let gain = match (weak.liberties, content == colour) {
                ([Some(liberty), None], false) => {
                    found.add(liberty);
                    CAPTURE + stones
                }
                ([Some(liberty), None], true) if lost.has(point) => {
                    found.add(liberty);
                    HOPELESS
                }
                ([Some(liberty), None], true) => {
                    found = board.captures_beside(at);
                    found.add(liberty);
                    RESCUE + stones
                }
                ([Some(one), Some(other)], false) => {
                    board.ataris(at, [one, other], colour, &mut found);
                    CATCH + stones
                }
                ([Some(one), Some(other)], true) => {
                    board.defend(at, [one, other], colour, &mut found);
                    DEFENCE + stones
                }
                ([None, _], _) => continue,
            };
            for &at in found.points() {
                sight.add(at, gain);
            }
        }
        for point in P::board(size).iter() {
            let at = board.cell(point);
            if board.is_vacant(at) && board.vital_point_around(at) == Some(at) {
                sight.add(at, VITAL);
            }
        }
        sight
    }

    fn add(&mut self, at: usize, gain: f32) {
        // A point that serves two purposes counts for the better one.
        let place = &mut self.0[at];
        *place = if gain < 0.0 { *place + gain } else { place.max(gain) };
    }

    /// The logarithm of the odds of a stone on this legal point.
    fn odds(&self, board: &mut PlayoutBoard<CELLS>, point: Point, last: Option<Point>) -> f32 {
        let at = board.cell(point);
        let colour = board.to_move;
        if !board.is_sensible(at, colour) {
            return OWN_EYE;
        }
        let mut odds = self.0[at];
        if board.is_bad_self_atari(at, colour) {
            odds += SELF_ATARI;
        }
        let distance = last.map_or(usize::MAX, |last| {
            let (columns, rows) = (point.column().abs_diff(last.column()), point.row().abs_diff(last.row()));
            columns + rows + columns.max(rows)
        });
        odds += NEAR.get(distance).copied().unwrap_or(0.0);
        if board.matches_pattern(at) {
            odds += if distance <= 3 { NEARBY_PATTERN } else { PATTERN };
        }
        let ring = board.ring(at);
        if ring.iter().all(|&n| board.content[n] == EMPTY || board.content[n] == EDGE) {
            let line = |coordinate: usize| coordinate.min(board.size() - 1 - coordinate);
            odds += LINES.get(line(point.column()).min(line(point.row()))).copied().unwrap_or(0.0);
        }
        odds
    }
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The points that capture an attacker of this chain.
    fn captures_beside(&self, chain: usize) -> Candidates {
        let mut found = Candidates::NOTHING;
        let enemy = self.content[chain] ^ 1;
        let mut stone = chain;
        loop {
            for n in self.around(stone) {
                if self.content[n] == enemy
                    && let Some(at) = self.only_liberty(self.chain[n] as usize & Self::MASK)
                {
                    found.add(at);
                }
            }
            stone = self.next[stone] as usize & Self::MASK;
            if stone == chain {
                return found;
            }
        }
    }
}
