//! Compares our rules with a trace, ply by ply.

use game::{Game, Seat};
use ringrift::{Geometry, Position, on_board};

use super::{BadTrace, Trace, TracePly};
use crate::{TraceText, digest};

/// The result of a replay.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The number of compared plies.
    pub plies: usize,
    /// All differences, as readable text.
    pub mismatches: Vec<String>,
}

impl Trace {
    /// Replays the trace and compares everything in it. A replay stops at the first ply that differs, because later plies are
    /// meaningless.
    ///
    /// # Errors
    /// If the trace cannot be replayed.
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
            if digest(&state) != ply.d {
                let theirs = ply.s.clone().unwrap_or_else(|| format!("digest {}", ply.d));
                differs(&mut replay, &place, "state", state, theirs);
            }
            let keys = position.legal_keys();
            let digest = digest(&keys.join("\n"));
            let is_same = ply.legal.as_ref().is_none_or(|theirs| *theirs == keys);
            if !is_same || (keys.len(), &digest) != (ply.n, &ply.l) {
                let (ours, theirs) = legal_difference(&keys, &digest, ply);
                let place = format!("{place} ({phase}), {position:?}");
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
                let alone = standing.alone.map_or(0, Seat::number);
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
        let winner = end.winner.map(Seat::number);
        differs("winner", format!("{winner:?}"), format!("{:?}", result.winner));
        differs("reason", end.reason.name().to_owned(), result.reason.clone());
        let state = position.state_string();
        if digest(&state) != result.fd {
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
            let ours: Vec<_> = Seat::all(position.seats()).map(|seat| position.eliminated_at(seat)).collect();
            differs("elimination turns", format!("{ours:?}"), format!("{theirs:?}"));
        }
    }
}

/// Descriptions of our legal moves and of those of the trace: their number, their digest, and the moves that only one side
/// has, if the trace contains its list. They are equal only if nothing but the order of the list differs.
fn legal_difference(ours: &[String], digest: &str, ply: &TracePly) -> (String, String) {
    let describe = |count: usize, digest: &str, only: String| format!("{count} moves, digest {digest}{only}");
    let only = |these: &[String], those: &[String]| {
        let only: Vec<&str> = these.iter().filter(|key| !those.contains(key)).map(String::as_str).collect();
        format!("; of {} listed, only this side has [{}]", these.len(), only.join("; "))
    };
    let (only_ours, only_theirs) = match &ply.legal {
        Some(theirs) => (only(ours, theirs), only(theirs, ours)),
        // The whole list helps to find the difference.
        None => (format!(": {}", ours.join("; ")), String::new()),
    };
    (describe(ours.len(), digest, only_ours), describe(ply.n, &ply.l, only_theirs))
}
