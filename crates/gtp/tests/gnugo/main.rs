//! Differential test against GNU Go: legal points, stones and prisoners must agree at every ply of random games, and so
//! must the score of games that are played out.
//!
//! Every rule of repetition that both support is compared: positional and situational superko, the simple ko rule, and
//! positional superko with suicide. Three differences are by design and excepted:
//! - Under the simple ko rule, riftlab forbids longer cycles or ends the game, while GNU Go allows them. Points
//!   forbidden for this reason are excluded from the comparison, and games that a cycle ends are not continued.
//! - GNU Go does not check for repetitions after the suicide of several stones. Points that riftlab forbids for this
//!   reason are excluded from the comparison.
//! - GNU Go stores only the last 500 moves, so games are cut off before that.
//!
//! `DEPTH=20` compares twenty times as many games. Without GNU Go the comparison is skipped, except in CI.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a helper that fails fails its test, and one that is skipped says so"
)]

use std::{collections::BTreeSet, ops::AddAssign, thread, time::Duration};

use game::{Game, pick};
use go::{
    Colour, Illegal, Ko, Komi, Large, Medium, Move, Point, Points, Position, Rules, Small, Start, Verdict,
};
use gtp::{External, ExternalOptions, Program, ProgramError};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, Limits, Stop};

/// Options of GNU Go and the equivalent rules.
const RULES: [(&str, Ko, bool); 4] = [
    ("--positional-superko --forbid-suicide", Ko::Positional, false),
    ("--situational-superko --forbid-suicide", Ko::Situational, false),
    ("--simple-ko --forbid-suicide", Ko::Simple, false),
    // The suicide of a single stone does not change the board, which superko forbids; GNU Go has an option for suicide.
    ("--positional-superko --allow-suicide", Ko::Positional, true),
];

/// The maximum number of moves per game, since GNU Go stores only 500.
const LONGEST: usize = 480;

/// Counts of what was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    games: u64,
    plies: u64,
    points: u64,
    /// Empty points that are not suicide but forbidden as repetitions.
    repetitions: u64,
    suicides: u64,
    /// Points excluded because of differences by design.
    excepted: u64,
    prisoners: u64,
    scores: u64,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.points += other.points;
        self.repetitions += other.repetitions;
        self.suicides += other.suicides;
        self.excepted += other.excepted;
        self.prisoners += other.prisoners;
        self.scores += other.scores;
    }
}

struct Oracle(Program);

impl Oracle {
    fn start(options: &str) -> Result<Self, ProgramError> {
        let line = format!("gnugo --mode gtp --chinese-rules --level 0 {options}");
        Program::start(&line, Duration::from_mins(1)).map(Self)
    }

    fn ask(&mut self, command: &str) -> String {
        self.0.ask(command, Duration::from_mins(2), &Stop::default()).unwrap()
    }

    fn points(&mut self, command: &str, colour: Colour) -> BTreeSet<Point> {
        let reply = self.ask(&format!("{command} {colour}"));
        reply.split_whitespace().map(|name| Point::parse(name).unwrap()).collect()
    }
}

/// Plays one random game and compares everything.
fn compare<P: Points>(oracle: &mut Oracle, rules: Rules, seed: u64) -> Compared {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::<P>::new(&rules);
    let mut compared = Compared { games: 1, ..Compared::default() };
    oracle.ask(&format!("boardsize {}", rules.size));
    oracle.ask("clear_board");
    oracle.ask(&format!("komi {}", rules.komi));
    for _ in 0..LONGEST {
        if position.is_over() {
            break;
        }
        let colour = position.turn();
        let theirs = oracle.points("all_legal", colour);
        let ours: BTreeSet<Point> = position.legal_points().iter().collect();
        for point in position.board().points().iter() {
            let refusal = position.check(Move::at(point)).err();
            assert_eq!(refusal.is_none(), ours.contains(&point), "{point} in {position:?}");
            match refusal {
                Some(Illegal::Superko { .. })
                    if rules.ko == Ko::Simple || kills_others_too(&position, point) =>
                {
                    compared.excepted += 1;
                    continue;
                }
                Some(Illegal::Superko { .. } | Illegal::Ko(_)) => compared.repetitions += 1,
                Some(Illegal::Suicide(_)) => compared.suicides += 1,
                _ => {}
            }
            compared.points += 1;
            let allowed = theirs.contains(&point);
            assert_eq!(
                ours.contains(&point),
                allowed,
                "seed {seed}: {colour} on {point} in\n{}{position:?}",
                position.draw()
            );
        }
        let m = wander(&position, &mut rng);
        oracle.ask(&format!("play {colour} {m}"));
        position.play(m).unwrap();
        compared.plies += 1;
        for colour in Colour::BOTH {
            let ours: BTreeSet<Point> = position.board().stones(colour).iter().collect();
            assert_eq!(
                ours,
                oracle.points("list_stones", colour),
                "seed {seed}: after {m}\n{}",
                position.draw()
            );
            let theirs: u32 = oracle.ask(&format!("captures {}", colour.other())).parse().unwrap();
            assert_eq!(position.prisoners()[colour.index()], theirs, "seed {seed}: prisoners after {m}");
        }
    }
    compared.prisoners = position.prisoners().iter().sum::<u32>().into();
    if is_played_out(&position) {
        let theirs = oracle.ask("final_score");
        let ours = position.board().area_score(&Verdict::AS_IT_STANDS, rules.komi);
        let theirs = theirs.parse::<go::GameResult>().unwrap();
        assert_eq!(go::GameResult::Score(ours), theirs, "seed {seed}:\n{}", position.draw());
        compared.scores = 1;
    }
    compared
}

/// Whether a stone here would be a suicide of several stones.
fn kills_others_too<P: Points>(position: &Position<P>, point: Point) -> bool {
    let (board, colour) = (position.board(), position.turn());
    let joined = !(P::only(point).around() & board.stones(colour)).is_empty();
    joined && board.has_no_liberty_at(point, colour) && board.captures(point, colour).is_empty()
}

/// A random move that does not fill an own eye, and occasionally a pass or an eye-filling move.
fn wander<P: Points>(position: &Position<P>, rng: &mut impl Rng) -> Move {
    let legal = position.legal_points();
    let whim = pick(rng, 64);
    let wanted = if whim == 0 { legal } else { legal.without(position.board().eyes(position.turn())) };
    let points: Vec<Point> = wanted.iter().collect();
    if points.is_empty() || whim == 1 { Move::PASS } else { Move::at(points[pick(rng, points.len())]) }
}

/// Whether neither colour has a move outside its own eyes.
fn is_played_out<P: Points>(position: &Position<P>) -> bool {
    !position.ended_by_cycle()
        && Colour::BOTH.into_iter().all(|to_move| {
            let board = *position.board();
            let start = Start { board, to_move, prisoners: [0; 2] };
            let facing = Position::set_up(position.rules(), &start).unwrap();
            facing.legal_points().without(board.eyes(to_move)).is_empty()
        })
}

/// Plays `games` of this size with every rule of repetition in turn, on two threads.
fn compare_all<P: Points>(size: u8, games: u64) -> Compared {
    let share = |first: u64| {
        let mut sum = Compared::default();
        let mut oracles = RULES.map(|(options, ..)| Oracle::start(options).unwrap());
        for seed in (first..games).step_by(2) {
            // Every thread uses all rules.
            let kind = (seed / 2 % 4) as usize;
            let (_, ko, suicide) = RULES[kind];
            let rules = Rules { ko, suicide, komi: Komi::ZERO, ..Rules::new(size) };
            sum += compare::<P>(&mut oracles[kind], rules, seed);
        }
        sum
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| share(1));
        let mut sum = share(0);
        sum += other.join().unwrap();
        sum
    })
}

/// Whether GNU Go is installed, which is required in CI.
fn is_there() -> bool {
    let Err(missing) = Oracle::start("") else { return true };
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "CI must compare with GNU Go: {missing}");
    eprintln!("skipped: no GNU Go to compare with: {missing}");
    false
}

#[test]
fn gnu_go_beats_random_play_from_either_seat_as_an_agent() {
    if !is_there() {
        return;
    }
    let line = "gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead --level 1 --seed 1";
    for (size, theirs) in [(7, Colour::Black), (9, Colour::White), (9, Colour::Black)] {
        let mut position = Position::<Medium>::new(&Rules::new(size));
        let mut gnu_go = External::new(line, ExternalOptions::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(size));
        while !position.is_over() {
            let m = if position.turn() == theirs {
                let report = gnu_go.think(&position, &Limits::nodes(0), &Stop::default());
                assert_eq!(report.forfeit, None, "{position:?}");
                report.best
            } else {
                wander(&position, &mut rng)
            };
            position.play(m).unwrap();
        }
        let score = position.score(&Verdict::AS_IT_STANDS);
        assert_eq!(score.winner(), Some(theirs), "{score}: {}", position.draw());
    }
}

#[test]
fn gnu_go_follows_undone_moves_and_new_games() {
    if !is_there() {
        return;
    }
    let line = "gnugo --mode gtp --chinese-rules --positional-superko --level 1 --seed 1";
    let mut gnu_go = External::new(line, ExternalOptions::default());
    let mut ask = |position: &Position<Medium>| {
        let limits = Limits::nodes(0).within(Duration::from_secs(2));
        let report = gnu_go.think(position, &limits, &Stop::default());
        assert_eq!(report.forfeit, None, "{position:?}");
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut line = vec![Position::<Medium>::new(&Rules::new(9))];
    for _ in 0..30 {
        let mut next = line[line.len() - 1].clone();
        next.play(wander(&next, &mut rng)).unwrap();
        line.push(next);
    }
    for at in [30, 28, 29, 3, 10, 0, 30] {
        ask(&line[at]);
    }
    ask(&Position::new(&Rules { handicap: 4, ..Rules::new(9) }));
    let board = *line[20].board();
    let start = Start { board, to_move: Colour::Black, prisoners: [0; 2] };
    ask(&Position::set_up(&Rules::new(9), &start).unwrap());
    ask(&Position::new(&Rules { komi: Komi::ZERO, ..Rules::new(7) }));
}

#[test]
fn gnu_go_agrees_on_legality_captures_and_scores() {
    if !is_there() {
        return;
    }
    let depth: u64 = std::env::var("DEPTH").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut all = Compared::default();
    for (size, games) in [(5, 80), (9, 24), (19, 6)] {
        let compared = match size {
            5 => compare_all::<Small>(size, games * depth),
            9 => compare_all::<Medium>(size, games * depth),
            _ => compare_all::<Large>(size, games * depth),
        };
        eprintln!("{size}×{size}: {compared:?}");
        // The comparison must cover the interesting cases.
        assert!(compared.prisoners > 0 && compared.suicides > 0, "{compared:?}");
        assert!(compared.repetitions > 0 || size == 19, "{compared:?}");
        assert!(2 * compared.scores > compared.games || size == 19, "{compared:?}");
        all += compared;
    }
    eprintln!("in all: {all:?}");
}
