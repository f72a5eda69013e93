//! Live analysis in the formats of Leela Zero and `KataGo`.
//!
//! A line has one `info` per searched move. Confidence bounds, scores and ownership are absent, since agents do not
//! report them.

use std::{
    io::{self, Write},
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use go::{Colour, Move};
use gtp::{Command, Reply, colour, vertex_text};
use search::{Candidate, Limits, Report, Stop};

use super::{Choice, Engine, inbox::Inbox};

/// The variants of analysis commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Live {
    /// Whether numbers are formatted like `KataGo`'s rather than Leela Zero's.
    fractions: bool,
    /// Whether the analysis ends with a move rather than with the next line of input.
    moves: bool,
}

/// The analysis commands.
pub(super) const LIVE: [(&str, Live); 4] = [
    ("lz-analyze", Live { fractions: false, moves: false }),
    ("lz-genmove_analyze", Live { fractions: false, moves: true }),
    ("kata-analyze", Live { fractions: true, moves: false }),
    ("kata-genmove_analyze", Live { fractions: true, moves: true }),
];

/// The maximum number of nodes of an analysis, divided by the number of points. An analysis runs until it is
/// interrupted, so this limits its memory.
const ANALYSIS_NODES: u64 = 20_000_000;
/// The default interval between reports.
const INTERVAL: Duration = Duration::from_millis(500);
/// The polling interval.
const TICK: Duration = Duration::from_millis(20);

impl Live {
    pub(super) fn named(name: &str) -> Option<Self> {
        LIVE.into_iter().find(|(known, _)| *known == name).map(|(_, live)| live)
    }
}

/// The arguments of an analysis command.
struct Request {
    colour: Colour,
    interval: Duration,
    most_moves: usize,
}

impl Request {
    /// Parses `[colour] [interval] [key value]...`, in the order that programs use. Keys that only add to the output
    /// are accepted; those that would restrict the moves are not.
    fn parse(arguments: &[&str], turn: Colour) -> Option<Self> {
        let mut request = Self { colour: turn, interval: INTERVAL, most_moves: usize::MAX };
        let mut words = arguments.iter().copied().peekable();
        if let Some(colour) = words.peek().and_then(|word| colour(word)) {
            request.colour = colour;
            words.next();
        }
        if let Some(interval) = words.peek().and_then(|word| centiseconds(word)) {
            request.interval = interval;
            words.next();
        }
        while let Some(key) = words.next() {
            let value = words.next()?;
            match key {
                "interval" => request.interval = centiseconds(value)?,
                "maxmoves" => request.most_moves = value.parse::<usize>().ok()?.max(1),
                "minmoves" => {
                    value.parse::<usize>().ok()?;
                }
                "ownership"
                | "ownershipStdev"
                | "movesOwnership"
                | "movesOwnershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "rootInfo" => {
                    value.parse::<bool>().ok()?;
                }
                _ => return None,
            }
        }
        Some(request)
    }
}

fn centiseconds(text: &str) -> Option<Duration> {
    let number: u64 = text.parse().ok()?;
    Some(Duration::from_millis(10 * number.clamp(1, 360_000)))
}

impl Engine {
    /// Answers an analysis command.
    pub(super) fn answer_live(
        &mut self,
        live: Live,
        command: &Command,
        inbox: &mut Inbox,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let Some(request) = Request::parse(&command.arguments(), self.go().turn()) else {
            let text = "syntax error: expected [colour] [interval] [key value]...".to_owned();
            return write!(output, "{}", Reply { id: command.id, fails: true, text });
        };
        if !live.moves && self.go().is_over() {
            let text = "the game is over".to_owned();
            return write!(output, "{}", Reply { id: command.id, fails: true, text });
        }
        writeln!(output, "={}", command.id.map_or_else(String::new, |id| id.to_string()))?;
        output.flush()?;
        if live.moves {
            let choice = self.generate(request.colour, false, |engine| {
                engine.run_analysis(live, &request, engine.limits(request.colour), None, output)
            })?;
            match choice {
                Ok(Choice::Play(m)) => writeln!(output, "play {}\n", vertex_text(m)),
                Ok(Choice::Resign) => writeln!(output, "play resign\n"),
                // The reply has already begun as a success, so it can only be ended.
                Err(words) => writeln!(output, "# {words}\n"),
            }
        } else {
            let points = u64::from(self.rules.size).pow(2);
            let limits = Limits { nodes: ANALYSIS_NODES / points, time: None };
            self.run_analysis(live, &request, limits, Some(inbox), output)?;
            writeln!(output)
        }
    }

    /// Searches and writes a report at every interval. With an inbox, runs until the next line of input.
    fn run_analysis(
        &mut self,
        live: Live,
        request: &Request,
        limits: Limits,
        mut inbox: Option<&mut Inbox>,
        output: &mut impl Write,
    ) -> io::Result<Report<Move>> {
        let (stop, latest) = (Stop::default(), Mutex::new(None::<Report<Move>>));
        let news = || latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let write = |report: &Report<Move>, output: &mut dyn Write| {
            writeln!(output, "{}", info(live, request, report)).and_then(|()| output.flush())
        };
        let game = self.go_mut();
        let (done, finished) = mpsc::channel();
        thread::scope(|scope| {
            let (stop, latest) = (&stop, &latest);
            let thinker = scope.spawn(move || {
                let report = game.think_as(request.colour, &limits, stop, &mut |report| {
                    *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.clone());
                });
                let report = report.expect("an agent sits in both seats");
                // The receiver may have been dropped.
                let _ = done.send(());
                report
            });
            let mut written = Ok(());
            let (mut waited, mut thinking) = (Duration::ZERO, true);
            while written.is_ok() {
                let step = request.interval.min(TICK);
                let came = match &mut inbox {
                    Some(inbox) => {
                        thinking = thinking && finished.try_recv().is_err();
                        inbox.wait(step)
                    }
                    None => !matches!(finished.recv_timeout(step), Err(mpsc::RecvTimeoutError::Timeout)),
                };
                if came {
                    break;
                }
                waited += step;
                if waited >= request.interval || !thinking {
                    waited = Duration::ZERO;
                    if let Some(report) = news() {
                        written = write(&report, output);
                    }
                }
            }
            stop.raise();
            let report = thinker.join().expect("a search does not panic");
            written.and_then(|()| write(&report, output)).map(|()| report)
        })
    }
}

/// One line about all searched moves, best first.
fn info(live: Live, request: &Request, report: &Report<Move>) -> String {
    let best = report.candidates.iter().filter(|candidate| candidate.m == report.best);
    let others = report.candidates.iter().filter(|candidate| candidate.m != report.best);
    let known = |candidate: &&Candidate<Move>| candidate.visits > 0 || candidate.m == report.best;
    let shown = best.chain(others).filter(known).take(request.most_moves);
    shown
        .enumerate()
        .map(|(order, candidate)| info_of_move(live, request.colour, report, order, candidate))
        .collect::<Vec<_>>()
        .join(" ")
}

fn info_of_move(
    live: Live,
    colour: Colour,
    report: &Report<Move>,
    order: usize,
    candidate: &Candidate<Move>,
) -> String {
    let mut text = format!("info move {} visits {}", vertex_text(candidate.m), candidate.visits);
    let mut share = |name: &str, share: f32| {
        let share = share.clamp(0.0, 1.0);
        text += &if live.fractions {
            format!(" {name} {share:.6}")
        } else {
            format!(" {name} {}", (share * 10_000.0).round() as u32)
        };
    };
    let values = candidate.values.or(if order == 0 { report.values } else { None });
    // Programs expect a number, so unknown values count as even.
    share("winrate", values.map_or(0.5, |values| f32::midpoint(values.of(colour.seat()), 1.0)));
    if let Some(prior) = candidate.prior {
        share("prior", prior);
    }
    text += &format!(" order {order} pv");
    let line = if order == 0 && !report.line.is_empty() { &report.line[..] } else { &[candidate.m] };
    for m in line {
        text += &format!(" {}", vertex_text(*m));
    }
    text
}
