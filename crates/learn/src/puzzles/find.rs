//! Finds puzzles in recorded games.

use std::collections::{HashMap, HashSet};

use game::{Game, Notation, Setup as _};
use ladder::{Playable, Player, Spec, WithoutNet};
use record::{Config, GameRecord, ReplayError};
use ringrift::{Geometry, Position, on_board};
use search::Stop;

use super::{Goal, Puzzle, Solution, Task, TooHard, proof::legal};

/// The state of a search for puzzles: its limits, and what has been found.
#[derive(Debug)]
pub struct Finder {
    /// The maximum number of puzzles per goal, board and number of seats.
    pub limit: usize,
    /// The maximum number of moves that a proof may examine.
    pub budget: u64,
    found: HashMap<String, usize>,
    /// Boards that are already used, regardless of the seat to move.
    used: HashSet<String>,
}

impl Finder {
    /// Creates a finder for at most `limit` puzzles of each kind, with proofs of at most `budget` moves.
    pub fn new(limit: usize, budget: u64) -> Self {
        Self { limit, budget, found: HashMap::new(), used: HashSet::new() }
    }

    /// Finds the puzzles of a recorded game of RingRift and adds them to `puzzles`. A game of Go has none.
    ///
    /// # Errors
    /// Returns an error if the record does not replay.
    pub fn search(&mut self, record: &GameRecord, puzzles: &mut Vec<Puzzle>) -> Result<(), ReplayError> {
        let Config::RingRift(config) = &record.config else { return Ok(()) };
        on_board!(config.board, B => {
            let mut frames = Vec::new();
            let last = record.replay_as::<Position<B>>(|position, _| frames.push(*position))?;
            if last.is_over() {
                frames.push(last);
            }
            from_game(record, &frames, self, &mut |puzzle| puzzles.push(puzzle));
            Ok(())
        })
    }

    fn wants(&self, sort: &str) -> bool {
        self.found.get(sort).is_none_or(|&found| found < self.limit)
    }
}

/// The number of turns before the end of a game in which to look for wins and defences.
const LAST_TURNS: u32 = 6;

/// The maximum number of decisions of a solution.
const MAX_DECISIONS: usize = 5;

/// The minimum number of combinations of moves to choose from.
const MIN_CHOICES: usize = 6;

/// The minimum number of rings of a puzzle.
const MIN_RINGS: u32 = 3;

/// Finds the puzzles of a game and passes them to `found`.
///
/// There is at most one puzzle per position and one per goal, since neighbouring positions are too similar.
fn from_game<B: Geometry>(
    record: &GameRecord,
    frames: &[Position<B>],
    finder: &mut Finder,
    found: &mut impl FnMut(Puzzle),
) {
    let Some(end) = frames.last().map(Position::turns) else { return };
    let mut sorts = HashSet::new();
    let mut turn = None;
    for (ply, frame) in frames.iter().enumerate() {
        // Consider only the first choice of each turn.
        if turn == Some(frame.turns()) || frame.is_over() || legal(frame).len() < 2 {
            continue;
        }
        turn = Some(frame.turns());
        let late = frame.turns() + LAST_TURNS > end;
        let two = frame.seats() == 2;
        let venue = format!("{}-{}", B::BOARD.name(), frame.seats());
        let wanted = |sort: &str| finder.wants(&format!("{sort}-{venue}")) && !sorts.contains(sort);
        let plan = [
            ("win1", late && wanted("win1")),
            ("win2", late && two && wanted("win2")),
            ("hold", late && two && wanted("hold")),
            ("rings", wanted("rings")),
        ];
        for (sort, _) in plan.into_iter().filter(|(_, wanted)| *wanted) {
            let Ok(Some((goal, solution))) = look(sort, frame, finder.budget) else { continue };
            let start = frame.to_text();
            let cells = start.split_whitespace().find(|word| word.starts_with("cells=")).unwrap_or_default();
            if !finder.used.insert(format!("{venue} {cells}")) {
                continue;
            }
            let sort_here = format!("{sort}-{venue}");
            let number = finder.found.entry(sort_here.clone()).or_default();
            *number += 1;
            sorts.insert(sort);
            found(Puzzle {
                id: format!("{sort_here}-{number}"),
                goal,
                difficulty: difficulty(goal, &solution, frame),
                start,
                solution: solution.line,
                source: format!("{} after {ply}", record.id),
            });
            break;
        }
    }
}

/// A goal of this kind with exactly one solution from `start`, if there is one.
fn look<B: Geometry>(
    sort: &str,
    start: &Position<B>,
    budget: u64,
) -> Result<Option<(Goal, Solution)>, TooHard> {
    let goal = match sort {
        "win1" => Goal::Win(1),
        "win2" => Goal::Win(2),
        "hold" => Goal::Hold,
        _ => Goal::Rings(Task::new(*start, Goal::Rings(0), budget).max_rings()?),
    };
    if matches!(goal, Goal::Rings(rings) if rings < MIN_RINGS) {
        return Ok(None);
    }
    // A position in which the solver can win at once has no other goals.
    if goal != Goal::Win(1) && Task::new(*start, Goal::Win(1), budget).can_force(start)? {
        return Ok(None);
    }
    let solution = Task::new(*start, goal, budget).solve()?;
    // Discard long solutions and those with few alternatives.
    let solution = solution.filter(|solution| {
        solution.line.len() <= MAX_DECISIONS && solution.choices.iter().product::<usize>() >= MIN_CHOICES
    });
    Ok(solution.map(|solution| (goal, solution)))
}

/// Estimates the difficulty of a puzzle for a person from the number of alternatives, the number of decisions, the depth
/// and whether the heuristic alone fails.
fn difficulty<B: Geometry>(goal: Goal, solution: &Solution, start: &Position<B>) -> u8 {
    let choices: usize = solution.choices.iter().product();
    let points = [choices >= 60, choices >= 1_000, solution.line.len() >= 2, solution.line.len() >= 4];
    let points = points.into_iter().filter(|&point| point).count();
    let ahead = match goal {
        Goal::Win(1) => 0,
        Goal::Rings(_) => 1,
        Goal::Hold | Goal::Win(_) => 2,
    };
    let hidden = if heuristic_finds(solution, start) { 0 } else { 2 };
    (1 + (points + ahead + hidden) / 2).min(5) as u8
}

/// Whether the heuristic alone would play the solution.
fn heuristic_finds<B: Geometry>(solution: &Solution, start: &Position<B>) -> bool {
    let spec: Spec = "heuristic".parse().expect("the heuristic is an agent");
    let player =
        Player::new(&spec, start.venue(), WithoutNet::FallBack).expect("the heuristic plays everywhere");
    let mut agent = player.agent(0);
    let mut position = *start;
    for wanted in &solution.line {
        while let [only] = legal(&position)[..] {
            position.play_unchecked(only, &mut ());
        }
        let best = agent.think(&position, &player.limits(), &Stop::default()).best;
        if position.move_text(best) != *wanted {
            return false;
        }
        position.play_unchecked(best, &mut ());
    }
    true
}
