//! Analyses a turn and writes the responses.

use std::time::Instant;

use go::{Colour, Move};
use gtp::vertex_text;
use host::{Estimate, Forecast, GoGame, HostedGame};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::Config;
use search::{Limits, Report, Stop};
use serde_json::{Value, json};

use super::{
    AnalysisServer,
    query::{Fault, Perspective, Query},
};
use crate::{MoveInsight, forecasts, lead_of, player, shown_moves};

/// The number of playouts for the score lead of each move.
const FORECAST_PLAYOUTS: u32 = 100;
/// The number of playouts for the ownership of the points.
const OWNERSHIP_PLAYOUTS: u32 = 400;

/// Passes the responses for one turn of a query to `write`.
pub(super) fn respond(
    server: &AnalysisServer,
    query: &Query,
    turn: usize,
    stop: &Stop,
    write: &mut dyn FnMut(Value),
) -> Result<(), Fault> {
    let mut game =
        host::open(&Config::go(query.rules)).map_err(|error| Fault::new("rules", error.to_string()))?;
    let colour = play(game.as_mut(), query, turn)?;
    let player = player(&server.spec, game.as_ref(), &server.models);
    let player = player.map_err(|message| Fault::new("agent", message))?;
    let own = player.limits();
    let limits = Limits { nodes: query.visits.unwrap_or(own.nodes), time: query.time.or(own.time) };
    game.take_seats(vec![player.into(); 2], server.seed).expect("a game of Go has two seats");
    // The game itself is searched, so responses use a copy.
    let copy = game.fork();
    let copy = copy.as_go().expect("the game is one of Go");
    let mut responder =
        Responder { query, turn, colour, rng: Xoshiro256PlusPlus::seed_from_u64(server.seed) };
    let game = game.as_go_mut().expect("the game is one of Go");
    if !game.restrict(colour, &query.restrictions) {
        return Err(Fault::new("avoidMoves", "this agent cannot avoid or allow moves: use a tree search"));
    }
    let mut last = Instant::now();
    let mut on_progress = |report: &Report<Move>| {
        if query.report_every.is_some_and(|every| last.elapsed() >= every) {
            last = Instant::now();
            write(responder.response(report, copy, true));
        }
    };
    let report = game.think_as(colour, &limits, stop, &mut on_progress).expect("an agent sits in both seats");
    if let Some(forfeit) = &report.forfeit {
        return Err(Fault::new("agent", forfeit.message.clone()));
    }
    let response = if report.nodes == 0 && stop.is_raised() {
        json!({ "id": query.id, "isDuringSearch": false, "noResults": true, "turnNumber": turn })
    } else {
        responder.response(&report, copy, false)
    };
    write(response);
    Ok(())
}

/// Plays a game up to a turn and returns the colour to move.
fn play(game: &mut dyn HostedGame, query: &Query, turn: usize) -> Result<Colour, Fault> {
    let game = game.as_go_mut().expect("the game is one of Go");
    let [black, white] = &query.stones;
    game.set_up(black, white, query.first).map_err(|error| Fault::new("initialStones", error.to_string()))?;
    let mut next = query.first;
    for (number, &(colour, m)) in query.moves[..turn].iter().enumerate() {
        game.play_as(colour, m).map_err(|illegal| {
            let m = vertex_text(m);
            Fault::new("moves", format!("Illegal move {number}: {m}: {illegal}"))
        })?;
        next = colour.other();
    }
    Ok(next)
}

/// What is the same in all responses for one turn.
struct Responder<'a> {
    query: &'a Query,
    turn: usize,
    colour: Colour,
    rng: Xoshiro256PlusPlus,
}

impl Responder<'_> {
    /// Whether numbers are reported for the opponent of the colour to move.
    fn is_turned(&self) -> bool {
        matches!(self.query.perspective, Perspective::Of(colour) if colour != self.colour)
    }

    fn chance(&self, chance: f32) -> f32 {
        if self.is_turned() { 1.0 - chance } else { chance }
    }

    fn lead(&self, forecast: &Forecast) -> f32 {
        let lead = lead_of(forecast, self.colour);
        if self.is_turned() { -lead } else { lead }
    }

    fn response(&mut self, report: &Report<Move>, game: &dyn GoGame, during: bool) -> Value {
        let moves = shown_moves(report, self.colour, 0, usize::MAX);
        let mut estimate = Estimate { playouts: FORECAST_PLAYOUTS, rng: &mut self.rng };
        let leads = forecasts(game, self.colour, &moves, &mut estimate);
        let infos: Vec<Value> = moves
            .iter()
            .zip(&leads)
            .enumerate()
            .map(|(order, (shown, lead))| self.move_info(order, shown, lead))
            .collect();
        let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
        let mut root = json!({
            "currentPlayer": self.colour.letter().to_string(), "visits": visits, "weight": visits,
        });
        if let (Some(best), Some(lead)) = (moves.first(), leads.first()) {
            let values = report.values.map_or(best.winrate, |values| {
                f32::midpoint(values.of(self.colour.seat()), 1.0).clamp(0.0, 1.0)
            });
            let (winrate, score) = (self.chance(values), self.lead(lead));
            for (name, value) in [
                ("winrate", winrate),
                ("utility", 2.0 * winrate - 1.0),
                ("scoreLead", score),
                ("scoreSelfplay", score),
                ("scoreStdev", lead.deviation),
            ] {
                root[name] = json!(value);
            }
        }
        let mut response = json!({
            "id": self.query.id, "isDuringSearch": during, "turnNumber": self.turn, "moveInfos": infos,
            "rootInfo": root,
        });
        if self.query.ownership {
            let line = moves.first().map_or(&[][..], |best| best.line.as_slice());
            let mut estimate = Estimate { playouts: OWNERSHIP_PLAYOUTS, rng: &mut self.rng };
            let forecast = game.forecast(self.colour, line, &mut estimate);
            response["ownership"] = self.ownership(&forecast);
        }
        if self.query.policy {
            response["policy"] = policy(report, usize::from(self.query.rules.size));
        }
        response
    }

    fn move_info(&self, order: usize, shown: &MoveInsight, lead: &Forecast) -> Value {
        let line: Vec<String> =
            shown.line.iter().take(self.query.line + 1).map(|&m| vertex_text(m)).collect();
        let (winrate, lcb, score) = (self.chance(shown.winrate), self.chance(shown.lcb), self.lead(lead));
        let mut info = json!({
            "move": vertex_text(shown.m), "order": order, "visits": shown.visits, "edgeVisits": shown.visits,
            "weight": shown.visits, "winrate": winrate, "lcb": lcb, "utility": 2.0 * winrate - 1.0,
            "utilityLcb": 2.0 * lcb - 1.0, "scoreLead": score, "scoreMean": score, "scoreSelfplay": score,
            "scoreStdev": lead.deviation, "prior": shown.prior.unwrap_or(0.0), "pv": line,
        });
        if self.query.moves_ownership {
            info["ownership"] = self.ownership(lead);
        }
        info
    }

    /// Who owns each point, from 1 (the colour of the perspective) to -1.
    fn ownership(&self, forecast: &Forecast) -> Value {
        let black = match self.query.perspective {
            Perspective::Of(colour) => colour == Colour::Black,
            Perspective::SideToMove => self.colour == Colour::Black,
        };
        let sign = if black { 1.0 } else { -1.0 };
        forecast.ownership.iter().map(|owner| json!(sign * owner)).collect()
    }
}

/// The prior of every point, row by row from the top left corner, and of a pass; -1 if it is illegal.
fn policy(report: &Report<Move>, size: usize) -> Value {
    let mut policy = vec![-1.0; size * size + 1];
    for candidate in &report.candidates {
        let at =
            candidate.m.point().map_or(size * size, |point| (size - 1 - point.row()) * size + point.column());
        policy[at] = candidate.prior.or(candidate.policy).unwrap_or(candidate.share);
    }
    json!(policy)
}
