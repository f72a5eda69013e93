//! Live analysis in the formats of Leela Zero and `KataGo`.

use std::{
    fmt::Write as _,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use go::{Colour, Move};
use gtp::{Command, Reply, colour, vertex, vertex_text};
use host::{Estimate, Forecast, GoGame};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Limits, Report, Restriction};

use super::{
    Choice, Engine,
    inbox::Inbox,
    insight::{MoveInsight, forecasts, lead_of, shown_moves},
};

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
/// The number of playouts for the score lead of each move.
const FORECAST_PLAYOUTS: u32 = 60;
/// The number of playouts for the ownership of the points.
const OWNERSHIP_PLAYOUTS: u32 = 300;

impl Live {
    pub(super) fn named(name: &str) -> Option<Self> {
        LIVE.into_iter().find(|(known, _)| *known == name).map(|(_, live)| live)
    }
}

/// The arguments of an analysis command.
struct Request {
    colour: Colour,
    interval: Duration,
    least_moves: usize,
    most_moves: usize,
    ownership: bool,
    root_info: bool,
    restrictions: Vec<Restriction<Move>>,
}

impl Request {
    /// Parses `[colour] [interval] [key value]...`, in the order that programs use. Keys that only add to the output
    /// are accepted.
    fn parse(arguments: &[&str], turn: Colour, size: usize) -> Option<Self> {
        let mut request = Self {
            colour: turn,
            interval: INTERVAL,
            least_moves: 0,
            most_moves: usize::MAX,
            ownership: false,
            root_info: false,
            restrictions: Vec::new(),
        };
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
                "minmoves" => request.least_moves = value.parse().ok()?,
                "ownership" => request.ownership = value.parse().ok()?,
                "rootInfo" => request.root_info = value.parse().ok()?,
                "avoid" | "allow" => {
                    let (points, depth) = (words.next()?, words.next()?);
                    let moves: Option<Vec<Move>> = points.split(',').map(|text| vertex(text, size)).collect();
                    request.restrictions.push(Restriction {
                        seat: colour(value)?.seat(),
                        moves: moves?,
                        only: key == "allow",
                        depth: depth.parse().ok().filter(|depth| *depth > 0)?,
                    });
                }
                "ownershipStdev" | "movesOwnership" | "movesOwnershipStdev" | "pvVisits" | "pvEdgeVisits" => {
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
        let size = usize::from(self.rules.size);
        let request = Request::parse(&command.arguments(), self.go().turn(), size);
        let refused = match &request {
            None => Some("syntax error: expected [colour] [interval] [key value]..."),
            Some(_) if !live.moves && self.go().is_over() => Some("the game is over"),
            Some(request) if !self.go_mut().restrict(request.colour, &request.restrictions) => {
                Some("this agent cannot avoid or allow moves: use a tree search")
            }
            Some(_) => None,
        };
        let Some(request) = request.filter(|_| refused.is_none()) else {
            let text = refused.unwrap_or_default().to_owned();
            return write!(output, "{}", Reply { id: command.id, fails: true, text });
        };
        writeln!(output, "={}", command.id.map_or_else(String::new, |id| id.to_string()))?;
        output.flush()?;
        let done = self.analyse(live, &request, inbox, output);
        self.go_mut().restrict(request.colour, &[]);
        done
    }

    fn analyse(
        &mut self,
        live: Live,
        request: &Request,
        inbox: &mut Inbox,
        output: &mut impl Write,
    ) -> io::Result<()> {
        if live.moves {
            let choice = self.generate(request.colour, false, |engine| {
                engine.run_analysis(live, request, engine.limits(request.colour), None, output)
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
            self.run_analysis(live, request, limits, Some(inbox), output)?;
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
        let (stop, latest) = (Arc::clone(&self.stop), Mutex::new(None::<Report<Move>>));
        let news = || latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Forecasts use a copy of the game, since the game itself is searched, and their own random numbers, so that the
        // number of reports does not influence the engine's moves.
        let copy = self.game.fork();
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(self.options.seed);
        let mut write = |report: &Report<Move>, output: &mut dyn Write| {
            let game = copy.as_go().expect("the game is one of Go");
            writeln!(output, "{}", info(live, request, report, game, rng)).and_then(|()| output.flush())
        };
        let game = self.go_mut();
        let (done, finished) = mpsc::channel();
        thread::scope(|scope| {
            let (stop, latest) = (&*stop, &latest);
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
                if came || stop.is_raised() {
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

/// One line about the moves to show, best first.
fn info(
    live: Live,
    request: &Request,
    report: &Report<Move>,
    game: &dyn GoGame,
    rng: &mut Xoshiro256PlusPlus,
) -> String {
    let colour = request.colour;
    let moves = shown_moves(report, colour, request.least_moves, request.most_moves);
    let mut line = Vec::new();
    if !live.fractions {
        line.extend(
            moves.iter().enumerate().map(|(order, shown)| info_of_move(live, order, shown, None, colour)),
        );
        return line.join(" ");
    }
    let leads =
        forecasts(game, colour, &moves, &mut Estimate { playouts: FORECAST_PLAYOUTS, rng: &mut *rng });
    for (order, (shown, forecast)) in moves.iter().zip(&leads).enumerate() {
        line.push(info_of_move(live, order, shown, Some(forecast), colour));
    }
    if let (true, Some(best), Some(lead)) = (request.root_info, moves.first(), leads.first()) {
        let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
        let (winrate, lead, deviation) = (best.winrate, lead_of(lead, colour), lead.deviation);
        line.push(format!(
            "rootInfo visits {visits} winrate {winrate:.6} scoreLead {lead:.3} scoreStdev {deviation:.3}"
        ));
    }
    if request.ownership {
        let mut estimate = Estimate { playouts: OWNERSHIP_PLAYOUTS, rng };
        let owned =
            game.forecast(colour, moves.first().map_or(&[][..], |best| best.line.as_slice()), &mut estimate);
        let sign = if colour == Colour::Black { 1.0 } else { -1.0 };
        let words: Vec<String> = owned.ownership.iter().map(|owner| format!("{:.3}", sign * owner)).collect();
        line.push(format!("ownership {}", words.join(" ")));
    }
    line.join(" ")
}

fn info_of_move(
    live: Live,
    order: usize,
    shown: &MoveInsight,
    forecast: Option<&Forecast>,
    colour: Colour,
) -> String {
    let mut text = format!("info move {} visits {}", vertex_text(shown.m), shown.visits);
    let share = |text: &mut String, name: &str, share: f32| {
        let written = if live.fractions {
            write!(text, " {name} {share:.6}")
        } else {
            write!(text, " {name} {}", (share * 10_000.0).round() as u32)
        };
        written.expect("writing to a string");
    };
    share(&mut text, "winrate", shown.winrate);
    if let Some(forecast) = forecast {
        let lead = lead_of(forecast, colour);
        let deviation = forecast.deviation;
        text += &format!(" scoreMean {lead:.3} scoreStdev {deviation:.3} scoreLead {lead:.3}");
    }
    if let Some(prior) = shown.prior {
        share(&mut text, "prior", prior.clamp(0.0, 1.0));
    }
    share(&mut text, "lcb", shown.lcb);
    text += &format!(" order {order} pv");
    for m in &shown.line {
        text += &format!(" {}", vertex_text(*m));
    }
    text
}
