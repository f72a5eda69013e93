//! The commands of the game: moves, handicaps and scoring.

use go::{Colour, Move, Point, Rules, handicap};
use gtp::{colour, vertex, vertex_text};
use host::ChainStatus;

use super::{
    Choice, Engine,
    commands::{Answer, SYNTAX, is_size},
};

impl Engine {
    pub(super) fn boardsize(&mut self, arguments: &[&str]) -> Answer {
        let [size] = arguments else { return Err(SYNTAX.into()) };
        // A number that is too long is a valid integer but not a supported size.
        if size.is_empty() || !size.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SYNTAX.into());
        }
        let size = size.parse().ok().filter(|size| is_size(*size)).ok_or("unacceptable size")?;
        self.begin(Rules { size, ..self.rules })?;
        Ok(String::new())
    }

    pub(super) fn clear_board(&mut self, _: &[&str]) -> Answer {
        self.begin(self.rules)?;
        Ok(String::new())
    }

    /// Parses a colour and a point of the board.
    pub(super) fn placed(&self, arguments: &[&str]) -> Result<(Colour, Move), String> {
        let [side, place] = arguments else { return Err(SYNTAX.into()) };
        let placed = colour(side).zip(vertex(place, self.rules.size.into()));
        placed.ok_or_else(|| "invalid color or coordinate".to_owned())
    }

    pub(super) fn play(&mut self, arguments: &[&str]) -> Answer {
        let (colour, m) = self.placed(arguments)?;
        self.go_mut().play_as(colour, m).map_err(|_| "illegal move")?;
        Ok(String::new())
    }

    pub(super) fn is_legal(&mut self, arguments: &[&str]) -> Answer {
        let (colour, m) = self.placed(arguments)?;
        // Checked on a copy, since undoing a move would reset the agents.
        let mut copy = self.game.fork();
        let legal = copy.as_go_mut().is_some_and(|game| game.play_as(colour, m).is_ok());
        Ok(u8::from(legal).to_string())
    }

    pub(super) fn genmove(&mut self, arguments: &[&str], cleanup: bool) -> Answer {
        let [side] = arguments else { return Err(SYNTAX.into()) };
        let side = colour(side).ok_or("invalid color")?;
        let Ok(choice) =
            self.generate(side, cleanup, |engine| Ok::<_, std::convert::Infallible>(engine.consider(side)));
        Ok(match choice? {
            Choice::Play(m) => vertex_text(m),
            Choice::Resign => "resign".to_owned(),
        })
    }

    /// The move that would be played, without playing it.
    pub(super) fn reg_genmove(&mut self, arguments: &[&str]) -> Answer {
        let [side] = arguments else { return Err(SYNTAX.into()) };
        let side = colour(side).ok_or("invalid color")?;
        if self.go().is_over() {
            return Ok(vertex_text(Move::PASS));
        }
        let report = self.consider(side);
        if let Some(forfeit) = report.forfeit {
            return Err(forfeit.message);
        }
        Ok(vertex_text(self.decide(side, &report, false)))
    }

    pub(super) fn fixed_handicap(&mut self, arguments: &[&str]) -> Answer {
        let number = self.handicap(arguments)?;
        let stones = handicap::fixed(self.rules.size.into(), number);
        self.place(stones.ok_or("invalid number of stones")?)
    }

    pub(super) fn place_free_handicap(&mut self, arguments: &[&str]) -> Answer {
        let number = self.handicap(arguments)?;
        let size = usize::from(self.rules.size);
        if number < 2 || number >= size * size {
            return Err("invalid number of stones".into());
        }
        self.place(free_handicap(size, number))
    }

    pub(super) fn set_free_handicap(&mut self, arguments: &[&str]) -> Answer {
        if !self.go().is_untouched() {
            return Err("board not empty".into());
        }
        let point = |text: &&str| vertex(text, self.rules.size.into()).and_then(Move::point);
        let stones: Option<Vec<Point>> = arguments.iter().map(point).collect();
        let mut stones = stones.ok_or("bad vertex list")?;
        stones.sort_unstable();
        let alike = stones.windows(2).any(|pair| pair[0] == pair[1]);
        if stones.len() < 2 || alike || !self.go_mut().place_handicap(&stones) {
            return Err("bad vertex list".into());
        }
        Ok(String::new())
    }

    /// The number of handicap stones, if the board is ready for them.
    fn handicap(&self, arguments: &[&str]) -> Result<usize, String> {
        let [number] = arguments else { return Err(SYNTAX.into()) };
        let number = number.parse().map_err(|_| SYNTAX)?;
        if self.go().is_untouched() { Ok(number) } else { Err("board not empty".into()) }
    }

    fn place(&mut self, stones: Vec<Point>) -> Answer {
        if !self.go_mut().place_handicap(&stones) {
            return Err("invalid number of stones".into());
        }
        Ok(stones.into_iter().map(|point| vertex_text(point.into())).collect::<Vec<_>>().join(" "))
    }

    /// The score after removing stones that are estimated to be dead.
    pub(super) fn final_score(&mut self) -> String {
        let (game, mut estimate) = self.estimating();
        game.estimated_score(&mut estimate).to_string()
    }

    /// The chains with a status, one per line.
    pub(super) fn final_status_list(&mut self, arguments: &[&str]) -> Answer {
        let status = match arguments {
            ["alive"] => ChainStatus::Alive,
            ["dead"] => ChainStatus::Dead,
            ["seki"] => ChainStatus::Seki,
            _ => return Err("invalid status".into()),
        };
        let line = |chain: Vec<Point>| {
            chain.into_iter().map(|point| vertex_text(point.into())).collect::<Vec<_>>().join(" ")
        };
        let (game, mut estimate) = self.estimating();
        let chains = game.chains(status, &mut estimate);
        Ok(chains.into_iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// Points for handicap stones: the fixed ones first, then each as far as possible from all others, off the edge.
/// Returns fewer than requested if the board would be crowded.
fn free_handicap(size: usize, number: usize) -> Vec<Point> {
    let fixed = (2..=number).rev().find_map(|stones| handicap::fixed(size, stones));
    let mut stones = fixed.unwrap_or_default();
    let edge = usize::from(size > 3);
    let lines = edge..size - edge;
    let crowded = (size * size / 3).max(2);
    while stones.len() < number.min(crowded) {
        let free = lines.clone().flat_map(|row| lines.clone().map(move |column| Point::new(column, row)));
        let centre = |point: &Point| {
            let off = |line: usize| (2 * line).abs_diff(size - 1);
            off(point.column()).pow(2) + off(point.row()).pow(2)
        };
        let room = |point: &Point| {
            let distance = |stone: &Point| {
                stone.column().abs_diff(point.column()).pow(2) + stone.row().abs_diff(point.row()).pow(2)
            };
            stones.iter().map(distance).min().unwrap_or(usize::MAX)
        };
        let best = free
            .filter(|point| !stones.contains(point))
            .max_by_key(|point| (room(point), std::cmp::Reverse((centre(point), *point))));
        match best {
            Some(point) => stones.push(point),
            None => break,
        }
    }
    stones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_handicaps_are_the_requested_number_of_distinct_points_if_there_is_room() {
        for size in 2..=19 {
            for number in (2..size * size).step_by(1 + size / 4) {
                let mut stones = free_handicap(size, number);
                let placed = stones.len();
                assert!(placed >= 2 && placed <= number, "{number} on {size}: {placed}");
                assert!(placed == number || number > size, "{number} on {size}: {placed}");
                stones.sort_unstable();
                stones.dedup();
                assert_eq!(stones.len(), placed);
            }
        }
        assert_eq!(free_handicap(19, 4), handicap::fixed(19, 4).unwrap());
    }
}
