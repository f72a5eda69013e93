//! Finding puzzles in recorded games.

use std::collections::{HashMap, HashSet};

use game::{Game, Notation, Setup as _};
use ladder::{Playable, Player, Spec, WithoutNet};
use record::GameRecord;
use ringrift::{Geometry, Position};
use search::Stop;

use super::{Goal, Puzzle, Solution, Task, TooHard, proof::legal};

/// Looks for puzzles, and for no more than are wanted of each sort.
#[derive(Debug)]
pub struct Finder {
    /// The most puzzles of one goal on one board with one number of seats.
    pub most: usize,
    /// The most moves that a proof may look at.
    pub budget: u64,
    found: HashMap<String, usize>,
    /// Boards that are taken, whoever was to move.
    taken: HashSet<String>,
}

impl Finder {
    /// One that keeps `most` of a sort, with proofs of up to `budget` moves.
    pub fn new(most: usize, budget: u64) -> Self {
        Self { most, budget, found: HashMap::new(), taken: HashSet::new() }
    }

    fn wants(&self, sort: &str) -> bool {
        self.found.get(sort).is_none_or(|&found| found < self.most)
    }
}

/// How many turns before the end of a game wins and defences are looked for.
const LAST_TURNS: u32 = 6;

/// The most decisions of a solution.
const LONGEST: usize = 5;

/// The fewest ways to choose from.
const FEWEST_WAYS: usize = 6;

/// The fewest rings worth a puzzle.
const RINGS: u32 = 3;

/// Hands every puzzle of a game to `keep`.
///
/// At most one puzzle comes of a position, and one of each goal of a game: neighbouring positions are too much alike.
pub fn from_game<B: Geometry>(
    record: &GameRecord,
    frames: &[Position<B>],
    finder: &mut Finder,
    keep: &mut impl FnMut(Puzzle),
) {
    let Some(end) = frames.last().map(Position::turns) else { return };
    let mut sorts = HashSet::new();
    let mut turn = None;
    for (ply, frame) in frames.iter().enumerate() {
        // The first choice of each turn.
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
            if !finder.taken.insert(format!("{venue} {cells}")) {
                continue;
            }
            let sort_here = format!("{sort}-{venue}");
            let number = finder.found.entry(sort_here.clone()).or_default();
            *number += 1;
            sorts.insert(sort);
            keep(Puzzle {
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

/// A goal of this sort with exactly one way to it, if there is one here.
fn look<B: Geometry>(
    sort: &str,
    start: &Position<B>,
    budget: u64,
) -> Result<Option<(Goal, Solution)>, TooHard> {
    let goal = match sort {
        "win1" => Goal::Win(1),
        "win2" => Goal::Win(2),
        "hold" => Goal::Hold,
        _ => Goal::Rings(Task::new(*start, Goal::Rings(0), budget).most_rings()?),
    };
    if matches!(goal, Goal::Rings(rings) if rings < RINGS) {
        return Ok(None);
    }
    // Who can win at once has nothing else to look for.
    if goal != Goal::Win(1) && Task::new(*start, Goal::Win(1), budget).can_force(start)? {
        return Ok(None);
    }
    let solution = Task::new(*start, goal, budget).solve()?;
    // A long line, or one with next to nothing to choose from, makes no puzzle.
    let solution = solution.filter(|solution| {
        solution.line.len() <= LONGEST && solution.choices.iter().product::<usize>() >= FEWEST_WAYS
    });
    Ok(solution.map(|solution| (goal, solution)))
}

/// How hard a puzzle is to find for a person, as far as that can be told from outside: how much there is to choose from,
/// how often, how far ahead, and whether the heuristic alone would go wrong.
fn difficulty<B: Geometry>(goal: Goal, solution: &Solution, start: &Position<B>) -> u8 {
    let choices: usize = solution.choices.iter().product();
    let points = [choices >= 60, choices >= 1_000, solution.line.len() >= 2, solution.line.len() >= 4];
    let points = points.into_iter().filter(|&point| point).count();
    let ahead = match goal {
        Goal::Win(1) => 0,
        Goal::Rings(_) => 1,
        Goal::Hold | Goal::Win(_) => 2,
    };
    let unseen = if heuristic_finds(solution, start) { 0 } else { 2 };
    (1 + (points + ahead + unseen) / 2).min(5) as u8
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
