//! A plain implementation of the rules, used as an oracle: boards are lists of bytes, everything is recomputed, and
//! every earlier board is stored and compared in full.

use go::{Ko, Rules, Scoring};

/// `.`, `X` or `O` for each point.
pub(crate) type Grid = Vec<u8>;

/// A game with its whole history.
#[derive(Clone)]
pub(crate) struct Oracle {
    pub(crate) size: usize,
    pub(crate) rules: Rules,
    pub(crate) grid: Grid,
    pub(crate) mover: u8,
    /// Every board with the colour to move, from the start on, and whether a pass led to it.
    past: Vec<(Grid, u8, bool)>,
    pub(crate) prisoners: [u32; 2],
    passes: u32,
    no_result: bool,
}

/// The effect of playing a stone.
enum Effect {
    Occupied,
    Suicide,
    Forbidden(usize),
    Retake,
    Fine { after: Grid, repeats: bool, taken: [u32; 2] },
}

pub(crate) fn other(colour: u8) -> u8 {
    if colour == b'X' { b'O' } else { b'X' }
}

impl Oracle {
    pub(crate) fn new(rules: Rules) -> Self {
        let size = rules.size as usize;
        let grid = vec![b'.'; size * size];
        let past = vec![(grid.clone(), b'X', false)];
        Self { size, rules, grid, mover: b'X', past, prisoners: [0; 2], passes: 0, no_result: false }
    }

    pub(crate) fn neighbours(size: usize, at: usize) -> Vec<usize> {
        let (x, y) = (at % size, at / size);
        let mut all = Vec::new();
        if x > 0 {
            all.push(at - 1);
        }
        if x + 1 < size {
            all.push(at + 1);
        }
        if y > 0 {
            all.push(at - size);
        }
        if y + 1 < size {
            all.push(at + size);
        }
        all
    }

    /// The connected points with the same content as `at`, and the points next to them.
    pub(crate) fn group(grid: &Grid, size: usize, at: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut group, mut beside) = (vec![at], Vec::new());
        let mut seen = vec![false; grid.len()];
        seen[at] = true;
        let mut next = 0;
        while next < group.len() {
            for neighbour in Self::neighbours(size, group[next]) {
                if !seen[neighbour] {
                    seen[neighbour] = true;
                    let list = if grid[neighbour] == grid[at] { &mut group } else { &mut beside };
                    list.push(neighbour);
                }
            }
            next += 1;
        }
        (group, beside)
    }

    fn has_liberty(grid: &Grid, size: usize, at: usize) -> bool {
        Self::group(grid, size, at).1.iter().any(|&point| grid[point] == b'.')
    }

    fn effect(&self, at: usize) -> Effect {
        if self.grid[at] != b'.' {
            return Effect::Occupied;
        }
        let mut after = self.grid.clone();
        after[at] = self.mover;
        let mut taken = [0; 2];
        let mut take = |after: &mut Grid, at: usize| {
            for stone in Self::group(after, self.size, at).0 {
                taken[usize::from(after[stone] == b'O')] += 1;
                after[stone] = b'.';
            }
        };
        for neighbour in Self::neighbours(self.size, at) {
            if after[neighbour] == other(self.mover) && !Self::has_liberty(&after, self.size, neighbour) {
                take(&mut after, neighbour);
            }
        }
        if !Self::has_liberty(&after, self.size, at) {
            if !self.rules.suicide {
                return Effect::Suicide;
            }
            take(&mut after, at);
        }
        let next = other(self.mover);
        let same =
            |past: &(Grid, u8, bool)| past.0 == after && (self.rules.ko == Ko::Positional || past.1 == next);
        let earlier = self.past.iter().rposition(same);
        if self.rules.ko == Ko::Simple {
            if self.is_simple_retake(&after) {
                return Effect::Retake;
            }
            let passed = earlier.filter(|&earlier| self.past[earlier + 1..].iter().any(|past| past.2));
            if let Some(earlier) = passed {
                return Effect::Forbidden(earlier);
            }
        } else if let Some(earlier) = earlier {
            return Effect::Forbidden(earlier);
        }
        Effect::Fine { after, repeats: earlier.is_some(), taken }
    }

    /// A retake restores the board of two moves ago. Nothing else does: suicide of a single stone restores the board of
    /// one move ago and is handled elsewhere.
    fn is_simple_retake(&self, after: &Grid) -> bool {
        let count = self.past.len();
        count >= 2 && self.past[count - 2].0 == *after && self.past[count - 1].0 != *after
    }

    pub(crate) fn is_over(&self) -> bool {
        self.passes >= 2 || self.no_result
    }

    pub(crate) fn no_result(&self) -> bool {
        self.no_result
    }

    pub(crate) fn legal(&self) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        (0..self.grid.len()).filter(|&at| matches!(self.effect(at), Effect::Fine { .. })).collect()
    }

    /// The reason why a stone may not be played here, as a word, with the number of the earlier move for superko.
    pub(crate) fn reason(&self, at: usize) -> String {
        match self.effect(at) {
            _ if self.is_over() => "over".to_owned(),
            Effect::Occupied => "occupied".to_owned(),
            Effect::Suicide => "suicide".to_owned(),
            Effect::Retake => "ko".to_owned(),
            Effect::Forbidden(earlier) => format!("superko {earlier}"),
            Effect::Fine { .. } => "fine".to_owned(),
        }
    }

    /// Plays a legal stone, or passes.
    pub(crate) fn play(&mut self, at: Option<usize>) {
        let next = other(self.mover);
        match at.map(|at| self.effect(at)) {
            Some(Effect::Fine { after, repeats, taken }) => {
                self.no_result = repeats;
                self.passes = 0;
                self.grid = after;
                self.prisoners[0] += taken[0];
                self.prisoners[1] += taken[1];
            }
            Some(_) => panic!("an illegal move"),
            None => self.passes += 1,
        }
        self.past.push((self.grid.clone(), next, at.is_none()));
        self.mover = next;
    }

    /// Twice Black's lead, komi included.
    pub(crate) fn half_points(&self) -> i32 {
        let mut lead = 0;
        for at in 0..self.grid.len() {
            let owner = match self.grid[at] {
                b'.' => {
                    let (_, beside) = Self::group(&self.grid, self.size, at);
                    let reaches = |colour| beside.iter().any(|&point| self.grid[point] == colour);
                    match (reaches(b'X'), reaches(b'O')) {
                        (true, false) => b'X',
                        (false, true) => b'O',
                        _ => b'.',
                    }
                }
                stone if self.rules.scoring == Scoring::Area => stone,
                _ => b'.',
            };
            lead += i32::from(owner == b'X') - i32::from(owner == b'O');
        }
        if self.rules.scoring == Scoring::Territory {
            lead += self.prisoners[1] as i32 - self.prisoners[0] as i32;
        }
        2 * lead - self.rules.komi.half_points()
    }
}
