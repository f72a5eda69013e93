//! A game on the table, whatever game it is.

use game::{Faults, ForfeitKind, Game, Notation, Seat, Setup as _, Values};
use ladder::{Player, Venue};
use record::{Config, GameRecord, Recorded, on_game};
use search::{Candidate, Limits, Report, Stop};

use crate::{
    Refusal, Setup,
    shown::{Agreement, Shown},
    view::{CandidateView, MoveView, ReportView, ResultView, ScoreView, View},
};

/// A move that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// Who played it.
    pub seat: usize,
    /// In the notation of the game.
    pub text: String,
    /// What it did, to follow the name of a seat.
    pub words: String,
    /// Whether the participants changed places by it.
    pub swapped: bool,
}

/// A position that moves are played in, with the type of the game erased.
pub trait Table: Send + Sync {
    /// What was agreed.
    fn config(&self) -> Config;

    /// What levels belong to.
    fn venue(&self) -> Venue;

    /// Everything to show, `ply` moves into the game.
    fn view(&self, ply: usize) -> View;

    /// The position as text.
    fn text(&self) -> String;

    /// The seat to move, unless the game is over.
    fn to_move(&self) -> Option<usize>;

    /// The only move there is, if it is a mere note.
    fn note(&self) -> Option<String>;

    /// Plays a move, or says why not.
    ///
    /// # Errors
    /// What cannot be understood, or the rule that forbids it.
    fn play(&mut self, text: &str) -> Result<PlayedMove, Refusal>;

    /// A legal move as an offer.
    ///
    /// # Errors
    /// If it is none.
    fn offer(&self, text: &str) -> Result<MoveView, Refusal>;

    /// How it ended, once it has.
    fn ending(&self) -> Option<ResultView>;

    /// How it ends if the seat to move gives up.
    fn resigned(&self) -> Option<ResultView>;

    /// Whether the end has to be agreed on.
    fn wants_agreement(&self) -> bool;

    /// What both might agree on.
    fn proposal(&self) -> Agreement;

    /// The stones that share the fate of the one on `at`.
    ///
    /// # Errors
    /// If there is none.
    fn chain(&self, at: &str) -> Result<Vec<String>, Refusal>;

    /// How it stands by points after an agreement.
    fn counted(&self, agreement: &Agreement) -> Option<(ScoreView, ResultView)>;

    /// A record of a game that starts here.
    fn record(&self, id: &str, players: Vec<String>) -> GameRecord;

    /// Notes in a record whose moves lead here how the game ended.
    fn conclude(&self, record: &mut GameRecord, resigned: bool, agreement: &Agreement);

    /// Lets `player` think about the position; tells at most `top` candidates. The game must not be over.
    fn think(
        &self,
        player: &Player,
        limits: &Limits,
        seed: u64,
        top: usize,
        stop: &Stop,
        tell: &mut dyn FnMut(ReportView),
    ) -> ReportView;

    /// Another one like it.
    fn fork(&self) -> Box<dyn Table>;
}

/// A table at the start of a game.
///
/// # Errors
/// Everything that is wrong with the setup or the start.
pub fn open(setup: Option<&Setup>, start: Option<&str>) -> Result<Box<dyn Table>, Refusal> {
    let Some(text) = start else {
        let setup = setup.ok_or_else(|| Refusal::input("expected setup, or start with a position text"))?;
        return Ok(begin(&setup.config()?));
    };
    let table = read(text)?;
    if let Some(setup) = setup {
        let (asked, found) = (lab::venue(&setup.config()?), table.venue());
        if asked != found {
            return Err(Refusal::input(format!(
                "the setup says {asked}, but the start is a position of {found}"
            )));
        }
    }
    Ok(table)
}

fn begin(config: &Config) -> Box<dyn Table> {
    on_game!(config, P => {
        let options = P::options(config).expect("the options were checked");
        Box::new(Typed::new(P::new(&options)))
    })
}

/// The longest position text that is read.
const LONGEST: usize = 1 << 16;

/// Reads a position of either game.
fn read(text: &str) -> Result<Box<dyn Table>, Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::input(format!("the position text is longer than {LONGEST} bytes")));
    }
    let text = text.trim();
    let config = Config::of_text(text).map_err(|fault| not_a_position(text, &Faults(vec![fault])))?;
    on_game!(config, P => {
        let position = P::from_text(text).map_err(|faults| not_a_position(text, &faults))?;
        Ok(Box::new(Typed::new(position)))
    })
}

fn not_a_position(text: &str, faults: &Faults) -> Refusal {
    let spelled = faults.0.iter().map(|fault| {
        let part = format!("{:?}", text.get(fault.span.clone()).unwrap_or_default());
        let told = part == "\"\"" || fault.message.starts_with(&part);
        if told { fault.message.clone() } else { format!("{part}: {}", fault.message) }
    });
    Refusal::input(format!("not a position: {}", spelled.collect::<Vec<_>>().join("; ")))
}

/// A position, and which cells the last turn touched.
#[derive(Clone)]
struct Typed<G: Shown> {
    position: G,
    last: Vec<String>,
    /// Who touched them.
    last_mover: Option<Seat>,
}

impl<G: Shown> Typed<G> {
    fn new(position: G) -> Self {
        Self { position, last: Vec::new(), last_mover: None }
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves
    }

    fn parse(&self, text: &str) -> Result<G::Move, Refusal> {
        if self.position.is_over() {
            return Err(Refusal::conflict("the game is over"));
        }
        let unreadable = |fault| Refusal::input(format!("{text:?} is no move: {fault}"));
        let m = self.position.parse_move(text).map_err(unreadable)?;
        let illegal = |reason| Refusal::input(format!("{text} is not legal: {reason}"));
        self.position.check(m).map_err(illegal)?;
        Ok(m)
    }
}

impl<G: Shown> Table for Typed<G> {
    fn config(&self) -> Config {
        G::written(&self.position.config())
    }

    fn venue(&self) -> Venue {
        self.position.venue()
    }

    fn view(&self, ply: usize) -> View {
        let position = &self.position;
        let moves = self.legal();
        View {
            setup: Setup::from(&self.config()),
            text: position.to_text(),
            ply,
            to_move: self.to_move(),
            phase: position.phase().to_owned(),
            prompt: position.prompt(&moves),
            cells: position.cells(),
            players: position.players(),
            goals: position.goals(),
            last: self.last.clone(),
            moves: moves.into_iter().map(|m| position.offer(m)).collect(),
            result: position.ending(),
            score: None,
        }
    }

    fn text(&self) -> String {
        self.position.to_text()
    }

    fn to_move(&self) -> Option<usize> {
        (!self.position.is_over()).then(|| self.position.to_move().number())
    }

    fn note(&self) -> Option<String> {
        let moves = self.legal();
        let [only] = moves[..] else { return None };
        self.position.is_bookkeeping(only).then(|| self.position.move_text(only))
    }

    fn play(&mut self, text: &str) -> Result<PlayedMove, Refusal> {
        let m = self.parse(text)?;
        let seat = self.position.to_move();
        let played = PlayedMove {
            seat: seat.number(),
            text: self.position.move_text(m),
            words: self.position.deed(m),
            swapped: self.position.seat_after(m, seat) != seat,
        };
        if self.last_mover != Some(seat) {
            self.last.clear();
        }
        self.last_mover = Some(seat);
        let mut changes: Vec<G::Change> = Vec::new();
        self.position.play_unchecked(m, &mut changes);
        for cell in changes.into_iter().map(G::touched) {
            if !self.last.contains(&cell) {
                self.last.push(cell);
            }
        }
        Ok(played)
    }

    fn offer(&self, text: &str) -> Result<MoveView, Refusal> {
        self.parse(text).map(|m| self.position.offer(m))
    }

    fn ending(&self) -> Option<ResultView> {
        self.position.ending()
    }

    fn resigned(&self) -> Option<ResultView> {
        (!self.position.is_over()).then(|| self.position.resigned(self.position.to_move()))
    }

    fn wants_agreement(&self) -> bool {
        self.position.wants_agreement()
    }

    fn proposal(&self) -> Agreement {
        self.position.proposal()
    }

    fn chain(&self, at: &str) -> Result<Vec<String>, Refusal> {
        self.position.chain(at)
    }

    fn counted(&self, agreement: &Agreement) -> Option<(ScoreView, ResultView)> {
        self.position.counted(agreement)
    }

    fn record(&self, id: &str, players: Vec<String>) -> GameRecord {
        GameRecord::from_position(id, &self.position, players)
    }

    fn conclude(&self, record: &mut GameRecord, resigned: bool, agreement: &Agreement) {
        if resigned {
            record.forfeit(&self.position, ForfeitKind::Resignation);
        } else {
            self.position.note_agreement(record, agreement);
        }
    }

    fn think(
        &self,
        player: &Player,
        limits: &Limits,
        seed: u64,
        top: usize,
        stop: &Stop,
        tell: &mut dyn FnMut(ReportView),
    ) -> ReportView {
        let position = &self.position;
        let mut aloud = |report: &Report<G::Move>| tell(report_view(position, player, report, top, true));
        let report = player.agent(seed).think_aloud(position, limits, stop, &mut aloud);
        report_view(position, player, &report, top, false)
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

fn report_view<G: Shown>(
    position: &G,
    player: &Player,
    report: &Report<G::Move>,
    top: usize,
    partial: bool,
) -> ReportView {
    let values = |values: Option<Values>| -> Option<Vec<f64>> {
        values.map(|values| Seat::all(position.seats()).map(|seat| short(values.of(seat))).collect())
    };
    let candidate = |candidate: &Candidate<G::Move>| {
        let MoveView { text, marks, .. } = position.offer(candidate.m);
        CandidateView {
            text,
            words: position.deed(candidate.m),
            marks,
            visits: candidate.visits,
            share: short(candidate.share),
            prior: candidate.prior.map(short),
            policy: candidate.policy.map(short),
            values: values(candidate.values),
            solved: candidate.solved,
        }
    };
    let MoveView { text: best, marks, .. } = position.offer(report.best);
    ReportView {
        partial,
        engine: report.engine,
        plays: player.config.to_string(),
        fallback: player.fallback.clone(),
        seat: position.to_move().number(),
        best,
        marks,
        values: values(report.values),
        nodes: report.nodes,
        ms: 1000.0 * report.time.as_secs_f64(),
        line: line(position, &report.line),
        details: report.details.iter().copied().collect(),
        legal: report.candidates.len(),
        candidates: report.candidates.iter().take(top).map(candidate).collect(),
    }
}

/// As many digits as mean something.
fn short(number: f32) -> f64 {
    (f64::from(number) * 1e5).round() / 1e5
}

/// The expected moves in notation.
fn line<G: Game + Notation>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&m: &G::Move| {
        let text = position.move_text(m);
        position.play_unchecked(m, &mut ());
        text
    };
    moves.iter().map(text).collect()
}
