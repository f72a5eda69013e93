//! Conformance traces: games recorded from the reference engine, with digests of every position.

use game::{Faults, Game};
use ringrift::{Board, Geometry, Move, Position, Rules, UnknownName, Variant, on_board};
use serde::Deserialize;

/// One recorded game of the trace format, version 1.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// Version of the format.
    pub v: u32,
    /// Unique name.
    pub id: String,
    /// Name of the board.
    pub board: String,
    /// Number of seats.
    pub players: u8,
    /// Seed of the policy.
    pub seed: Option<String>,
    /// Name of the random policy that chose the moves.
    pub policy: Option<String>,
    /// Rule variant, `base` or `hex8-line3`.
    pub variant: String,
    /// Whether the pie rule is on.
    #[serde(default)]
    pub swap: bool,
    /// Rounds for the last player standing.
    #[serde(rename = "lpsRounds", default = "three")]
    pub lps_rounds: u8,
    /// Credited rings that win.
    #[serde(rename = "victoryThreshold")]
    pub victory_threshold: Option<u16>,
    /// Collapsed cells that win.
    #[serde(rename = "territoryMinimum")]
    pub territory_minimum: Option<u16>,
    /// State string of a constructed start.
    pub start: Option<String>,
    /// The moves, each with the situation before it.
    pub plies: Vec<TracePly>,
    /// How the game ended.
    pub result: TraceResult,
}

fn three() -> u8 {
    3
}

/// A situation, and the move played in it.
#[derive(Clone, Debug, Deserialize)]
pub struct TracePly {
    /// Seat to move, counted from 1.
    pub p: usize,
    /// Name of the phase.
    pub f: String,
    /// Size of the legal list.
    pub n: usize,
    /// Digest of the legal list.
    pub l: String,
    /// Digest of the state string.
    pub d: String,
    /// The move played.
    pub m: TraceMove,
    /// The legal list, where the recorder kept it.
    #[serde(rename = "L")]
    pub legal: Option<Vec<String>>,
    /// The state string, where the recorder kept it.
    pub s: Option<String>,
    /// Last-player-standing rounds and seat after this turn, if there are any.
    pub lps: Option<(u8, usize)>,
}

/// A move, spelled out.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct TraceMove {
    /// Move type.
    pub t: String,
    /// Cell placed on, landed on or paid from.
    pub to: Option<String>,
    /// Rings placed.
    pub n: Option<u32>,
    /// Cell moved from.
    pub from: Option<String>,
    /// Cell captured.
    pub over: Option<String>,
    /// Recovery mode.
    pub mode: Option<String>,
    /// Recovery option.
    pub opt: Option<u32>,
    /// Stack that pays for a recovery.
    pub ex: Option<String>,
    /// Cells that collapse.
    pub col: Option<String>,
    /// Cells of the line.
    pub line: Option<String>,
    /// Cells of the region.
    pub region: Option<String>,
    /// What an elimination pays for.
    pub ctx: Option<String>,
}

/// The end of a recorded game.
#[derive(Clone, Debug, Deserialize)]
pub struct TraceResult {
    /// The winner, counted from 1.
    pub winner: Option<usize>,
    /// The reason's name.
    pub reason: String,
    /// Number of turns.
    pub turns: Option<u32>,
    /// The final state string.
    #[serde(rename = "final")]
    pub last: Option<String>,
    /// Its digest.
    pub fd: String,
    /// Rank per seat.
    pub rank: Option<Vec<u8>>,
    /// Turn of elimination per seat.
    #[serde(rename = "elimTurn")]
    pub eliminated_at: Option<Vec<Option<u32>>>,
}

/// A trace that cannot be replayed at all.
#[derive(Debug, thiserror::Error)]
pub enum BadTrace {
    /// Another version of the format.
    #[error("trace format version {0}: expected 1")]
    Version(u32),
    /// No such board.
    #[error(transparent)]
    Board(#[from] ringrift::UnknownBoard),
    /// No such variant.
    #[error(transparent)]
    Variant(#[from] UnknownName),
    /// Options that make no game.
    #[error("impossible rules: {0}")]
    Rules(String),
    /// The start is no position.
    #[error("start position: {0}")]
    Start(Faults),
}

impl Trace {
    /// The board.
    ///
    /// # Errors
    /// If the version or the board is unknown.
    pub fn board(&self) -> Result<Board, BadTrace> {
        if self.v != 1 {
            return Err(BadTrace::Version(self.v));
        }
        Ok(self.board.parse()?)
    }

    /// The options it was played with.
    ///
    /// # Errors
    /// If they are unknown or make no game.
    pub fn rules(&self) -> Result<Rules, BadTrace> {
        let rules = Rules {
            variant: self.variant.parse::<Variant>()?,
            swap: self.swap,
            lps_rounds: self.lps_rounds,
            ..Rules::new(self.players)
        };
        let faults = rules.faults();
        if faults.is_empty() { Ok(rules) } else { Err(BadTrace::Rules(faults.join("; "))) }
    }

    /// The position it starts from.
    ///
    /// # Errors
    /// If the start cannot be set up.
    pub fn start<B: Geometry>(&self) -> Result<Position<B>, BadTrace> {
        let rules = self.rules()?;
        match &self.start {
            None => Ok(Position::new(&rules)),
            Some(text) => Position::from_state_string(&rules, text).map_err(BadTrace::Start),
        }
    }
}

impl TraceMove {
    /// The canonical key, projected as in legal lists.
    pub fn key(&self) -> String {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        let (t, from, to) = (&self.t, text(&self.from), text(&self.to));
        match t.as_str() {
            "place_ring" => format!("{t} {to} x{}", self.n.unwrap_or(1)),
            "move_stack" => format!("{t} {from}>{to}"),
            "overtaking_capture" | "continue_capture_segment" => {
                format!("{t} {from}*{}>{to}", text(&self.over))
            }
            "recovery_slide" => match self.opt {
                Some(option) => format!("{t} {from}>{to} {} {option}", text(&self.mode)),
                None => format!("{t} {from}>{to} {}", text(&self.mode)),
            },
            "process_line" => format!("{t} {}", text(&self.line)),
            "choose_line_option" => format!("{t} {}|{}", text(&self.line), text(&self.col)),
            "eliminate_rings_from_stack" => format!("{t} {to} {}", text(&self.ctx)),
            "choose_territory_option" => format!("{t} {}", text(&self.region)),
            "forced_elimination" => format!("{t} {to}"),
            _ => t.clone(),
        }
    }

    /// The legal move that this means in `position`.
    pub fn find<B: Geometry>(&self, position: &Position<B>) -> Option<Move> {
        let key = self.key();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let payer = self.ex.as_ref().map(|cell| format!(" ex={cell}"));
        let window =
            self.col.as_ref().filter(|_| self.t == "recovery_slide").map(|cells| format!(" col={cells}"));
        moves.into_iter().find(|&m| {
            position.interchange_key(m) == key && {
                let full = position.full_interchange_key(m);
                [&payer, &window].into_iter().flatten().all(|detail| full.contains(detail.as_str()))
            }
        })
    }
}

/// What one replay of a trace came to.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Plies that were compared.
    pub plies: usize,
    /// Every difference, as readable text.
    pub mismatches: Vec<String>,
}

impl Trace {
    /// Replays the trace and compares everything it recorded. A replay stops at the first ply that differs, since
    /// nothing after it means anything.
    ///
    /// # Errors
    /// If the trace is not one that can be replayed.
    pub fn replay(&self) -> Result<Replay, BadTrace> {
        on_board!(self.board()?, B => Ok(self.replay_on(self.start::<B>()?)))
    }

    fn replay_on<B: Geometry>(&self, mut position: Position<B>) -> Replay {
        let mut replay = Replay::default();
        let goals = position.goals();
        let differs = |replay: &mut Replay, place: &str, what: &str, ours: String, theirs: String| {
            if ours != theirs {
                let id = &self.id;
                replay.mismatches.push(format!("{id}, {place}: {what}\n  trace {theirs}\n  ours  {ours}"));
            }
        };
        for (what, ours, theirs) in [
            ("victory threshold", goals.eliminations, self.victory_threshold),
            ("territory minimum", goals.territory, self.territory_minimum),
        ] {
            if let Some(theirs) = theirs {
                differs(&mut replay, "rules", what, ours.to_string(), theirs.to_string());
            }
        }
        for (index, ply) in self.plies.iter().enumerate() {
            let place = format!("ply {index}");
            let (phase, state) = (position.phase().name(), position.state_string());
            let mover = if position.is_over() { 0 } else { position.to_move().number() };
            differs(&mut replay, &place, "mover", mover.to_string(), ply.p.to_string());
            differs(&mut replay, &place, "phase", phase.to_owned(), ply.f.clone());
            if ringrift::digest(&state) != ply.d {
                let theirs = ply.s.clone().unwrap_or_else(|| format!("digest {}", ply.d));
                differs(&mut replay, &place, "state", state, theirs);
            }
            let keys = position.legal_keys();
            if keys.len() != ply.n || ringrift::digest(&keys.join("\n")) != ply.l {
                let place = format!("{place} ({phase}), {position:?}");
                let (ours, theirs) = legal_difference(&keys, ply);
                differs(&mut replay, &place, "legal moves", ours, theirs);
            }
            replay.plies += 1;
            if !replay.mismatches.is_empty() {
                return replay;
            }
            let Some(m) = ply.m.find(&position) else {
                let text =
                    format!("{}, {place}: the move {:?} is not legal in {position:?}", self.id, ply.m.key());
                replay.mismatches.push(text);
                return replay;
            };
            position.play_unchecked(m, &mut ());
            if let Some((rounds, seat)) = ply.lps {
                let standing = position.standing();
                let alone = standing.alone.map_or(0, game::Seat::number);
                let ours = format!("{} rounds of seat {alone}", standing.rounds);
                differs(
                    &mut replay,
                    &place,
                    "last player standing",
                    ours,
                    format!("{rounds} rounds of seat {seat}"),
                );
            }
        }
        self.compare_result(&position, |what, ours, theirs| differs(&mut replay, "end", what, ours, theirs));
        replay
    }

    fn compare_result<B: Geometry>(
        &self,
        position: &Position<B>,
        mut differs: impl FnMut(&str, String, String),
    ) {
        let result = &self.result;
        let Some((end, outcome)) = position.end().zip(position.outcome()) else {
            differs("result", format!("not over: {position:?}"), format!("seat {:?} wins", result.winner));
            return;
        };
        let winner = end.winner.map(game::Seat::number);
        differs("winner", format!("{winner:?}"), format!("{:?}", result.winner));
        differs("reason", end.reason.name().to_owned(), result.reason.clone());
        let state = position.state_string();
        if ringrift::digest(&state) != result.fd {
            differs(
                "final state",
                state,
                result.last.clone().unwrap_or_else(|| format!("digest {}", result.fd)),
            );
        }
        if let Some(turns) = result.turns {
            differs("turns", position.turns().to_string(), turns.to_string());
        }
        if let Some(rank) = &result.rank {
            differs("ranks", format!("{:?}", outcome.ranks()), format!("{rank:?}"));
        }
        if let Some(theirs) = &result.eliminated_at {
            let ours: Vec<_> =
                game::Seat::all(position.seats()).map(|seat| position.eliminated_at(seat)).collect();
            differs("elimination turns", format!("{ours:?}"), format!("{theirs:?}"));
        }
    }
}

/// The moves that only one side has, or the sizes if the trace did not keep its list.
fn legal_difference(ours: &[String], ply: &TracePly) -> (String, String) {
    let Some(theirs) = &ply.legal else {
        return (format!("{} moves: {}", ours.len(), ours.join("; ")), format!("{} moves", ply.n));
    };
    let only = |these: &[String], those: &[String]| {
        let only: Vec<&str> = these.iter().filter(|key| !those.contains(key)).map(String::as_str).collect();
        format!("{} moves, alone in having [{}]", these.len(), only.join("; "))
    };
    (only(ours, theirs), only(theirs, ours))
}
