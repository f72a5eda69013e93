//! The implementation of [`HostedGame`].

use std::sync::Arc;

use game::{ForfeitKind, Seat};
use ladder::{Player, Venue};
use record::{Config, GameRecord, GameResult, Options};
use search::{Limits, Report, Stop};
use serde_json::Value;

use super::{Decider, Typed};
use crate::{
    Agreement, GoGame, HostedGame, Marks, Occupant, Painter, PlayError, Ply, SeatError, Status, Thinker,
    hostable::Hostable,
    report::report_view,
    thinker::SeatedThinker,
    view::{MoveView, ReportView, ResultView, ScoreView, ThreatsView, TurningPointView, View},
};

/// The prompt while the game is being scored.
const SCORING: &str = "Click dead stones to mark them, then accept the score.";

impl<G: Hostable> Typed<G> {
    fn last_ply(&self) -> &Ply {
        self.plies.last().expect("a move was just played")
    }

    fn move_at(&self, index: usize) -> G::Move {
        self.legal()[index]
    }
}

impl<G: Hostable> HostedGame for Typed<G> {
    fn config(&self) -> Config {
        G::to_config(&self.position.config())
    }

    fn venue(&self) -> Venue {
        self.position.venue()
    }

    fn seats(&self) -> usize {
        self.position.seats()
    }

    fn title(&self) -> String {
        self.position.title()
    }

    fn legend(&self) -> &'static str {
        G::LEGEND
    }

    fn notation_help(&self) -> &'static str {
        G::HELP
    }

    fn seat_name(&self, seat: Seat) -> String {
        G::seat_name(seat)
    }

    fn status(&self) -> Status {
        Self::status(self)
    }

    fn to_move(&self) -> Option<Seat> {
        Self::to_move(self)
    }

    fn plies(&self) -> &[Ply] {
        &self.plies
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    fn text(&self) -> String {
        self.position.to_text()
    }

    fn turns_taken(&self) -> u32 {
        self.position.turns_taken()
    }

    fn usual_plies(&self) -> usize {
        self.position.usual_plies()
    }

    fn facts(&self) -> Value {
        self.position.facts()
    }

    fn view_without_moves(&self) -> View {
        let (position, status) = (&self.position, Self::status(self));
        let result = Self::result(self).map(|result| self.result_view(&result));
        let prompt = match (&result, status) {
            (Some(result), _) => result.words.clone(),
            (None, Status::Scoring) => SCORING.to_owned(),
            (None, _) => position.prompt(self.legal(), false),
        };
        View {
            setup: Options::from(&self.config()),
            text: position.to_text(),
            ply: self.plies.len(),
            to_move: Self::to_move(self).map(Seat::number),
            phase: position.phase().to_owned(),
            prompt,
            cells: position.cells(),
            players: position.players(),
            goals: position.goals(),
            last: changed_cells::<G>(&self.changes),
            moves: Vec::new(),
            result,
            score: if self.declared.is_some() { None } else { self.score() },
        }
    }

    fn last_chosen(&self) -> Option<&MoveView> {
        self.chosen.as_ref()
    }

    fn result(&self) -> Option<GameResult> {
        Self::result(self)
    }

    fn provisional_result(&self) -> Option<GameResult> {
        Self::provisional_result(self)
    }

    fn result_view(&self, result: &GameResult) -> ResultView {
        ResultView {
            winner: result.winner,
            ranking: result.ranking.clone(),
            reason: result.reason.clone(),
            words: self.position.ending(result),
            explanation: self.explanation(),
        }
    }

    fn legal_moves(&self) -> &[MoveView] {
        if Self::status(self) == Status::Playing { self.legal.offers(&self.position) } else { &[] }
    }

    fn matching(&self, prefix: &str) -> Vec<usize> {
        if Self::status(self) != Status::Playing {
            return Vec::new();
        }
        let moves = (0..).zip(self.legal());
        moves.filter(|&(_, &m)| self.position.matches(m, prefix)).map(|(index, _)| index).collect()
    }

    fn targets(&self, index: usize) -> Vec<String> {
        self.position.targets(self.move_at(index))
    }

    fn move_lines(&self, indices: &[usize]) -> Vec<String> {
        let moves: Vec<G::Move> = indices.iter().map(|&index| self.move_at(index)).collect();
        self.position.move_lines(&moves)
    }

    fn forced_move(&self) -> Option<usize> {
        (Self::status(self) == Status::Playing && self.legal().len() == 1).then_some(0)
    }

    fn is_bookkeeping(&self, index: usize) -> bool {
        G::is_bookkeeping(self.move_at(index))
    }

    fn find_move(&self, text: &str) -> Result<usize, PlayError> {
        let m = self.read_move(text)?;
        let index = self.legal().iter().position(|&legal| legal == m);
        Ok(index.expect("a move that passes the check is in the legal list"))
    }

    fn generations(&self) -> u64 {
        self.legal.generations()
    }

    fn play(&mut self, text: &str) -> Result<&Ply, PlayError> {
        let m = self.read_move(text)?;
        self.commit(m, Decider::Seat, None);
        Ok(self.last_ply())
    }

    fn play_index(&mut self, index: usize) -> Result<&Ply, PlayError> {
        if Self::status(self) != Status::Playing {
            return Err(PlayError::Over);
        }
        let legal = self.legal();
        let m = *legal.get(index).ok_or(PlayError::Index { index, legal: legal.len() })?;
        self.commit(m, Decider::Seat, None);
        Ok(self.last_ply())
    }

    fn play_report(&mut self, report: &ReportView) -> Result<&Ply, PlayError> {
        let m = self.read_move(&report.best)?;
        self.commit(m, Decider::Seat, Some(report));
        Ok(self.last_ply())
    }

    fn play_forced(&mut self) -> Option<&Ply> {
        let m = self.forced_move().map(|index| self.move_at(index))?;
        self.commit(m, Decider::Forced, None);
        Some(self.last_ply())
    }

    fn restore(&mut self, plies: Vec<Ply>) -> Result<(), PlayError> {
        for ply in plies {
            let m = self.read_move(&ply.text)?;
            let seat = self.position.to_move();
            let turn = self.position.turn_number();
            self.push(seat, m, Ply { turn, ..ply });
        }
        self.seating.drop_agents(self.plies.is_empty());
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let left = self.plies.len().checked_sub(1);
        left.inspect(|&ply| self.rewind(ply)).is_some()
    }

    fn undo_decision(&mut self) -> bool {
        Self::undo_decision(self)
    }

    fn can_undo_decision(&self) -> bool {
        self.declared.is_some() || self.plies.iter().any(|ply| ply.human)
    }

    fn forfeit(&mut self, kind: ForfeitKind) {
        if Self::status(self) == Status::Playing {
            self.declared = Some(self.position.forfeited(kind, self.plies.len() as u32));
            self.revision += 1;
            self.settle();
        }
    }

    fn has_agreement(&self) -> bool {
        self.declared.is_none() && self.position.is_over() && self.position.has_agreement()
    }

    fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    fn set_agreement(&mut self, agreement: Agreement, accepted: bool) {
        (self.agreement, self.accepted) = (agreement, accepted);
        self.revision += 1;
    }

    fn toggle_dead(&mut self, at: &str) -> Result<(), PlayError> {
        if !self.has_agreement() {
            return Err(PlayError::Agreement(
                "stones can only be marked as dead after two passes".to_owned(),
            ));
        }
        self.agreement.toggle(self.position.chain(at).map_err(PlayError::Agreement)?);
        self.revision += 1;
        Ok(())
    }

    fn accept(&mut self) -> Result<(), PlayError> {
        if !self.has_agreement() {
            return Err(PlayError::Agreement("the game is not being scored".to_owned()));
        }
        self.accepted = true;
        self.revision += 1;
        self.settle();
        Ok(())
    }

    fn score(&self) -> Option<ScoreView> {
        let counted = || self.position.counted(&self.agreement, self.plies.len() as u32);
        self.has_agreement().then(counted).flatten().map(|(score, _)| score)
    }

    fn count(&self) -> Option<String> {
        self.position.count()
    }

    fn prompt(&self, typed: bool) -> String {
        self.position.prompt(self.legal(), typed)
    }

    fn heading(&self) -> String {
        self.position.heading(Self::status(self) != Status::Playing)
    }

    fn describe_move(&self, index: usize) -> String {
        self.position.describe_move(self.move_at(index))
    }

    fn drawing(&self, marks: &Marks, painter: Option<&Painter<'_>>) -> String {
        self.position.drawing(marks, painter)
    }

    fn standing(&self, names: &[String], painter: Option<&Painter<'_>>) -> String {
        self.position.standing(Self::to_move(self), names, painter)
    }

    fn changed_since(&self, ply: usize) -> Vec<String> {
        let (mut position, mut changes) = (self.start.clone(), Vec::new());
        for (at, &(seat, m)) in self.moves.iter().enumerate() {
            if at == ply {
                changes.clear();
            }
            position.advance(seat, m, &mut changes);
        }
        if ply < self.moves.len() { changed_cells::<G>(&changes) } else { Vec::new() }
    }

    fn take_seats(&mut self, occupants: Vec<Occupant>, seed: u64) -> Result<(), SeatError> {
        Self::take_seats(self, occupants, seed)
    }

    fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        Self::occupant(self, seat)
    }

    fn participants(&self) -> &[Occupant] {
        &self.seating.participants
    }

    fn participant(&self, seat: Seat) -> Seat {
        Self::participant(self, seat)
    }

    fn thinker(&self) -> Option<Box<dyn Thinker>> {
        let (player, slot, seeds) = self.agent_in(Self::to_move(self)?)?;
        let (player, slot) = (player.clone(), Arc::clone(slot));
        Some(Box::new(SeatedThinker { player, position: self.position.clone(), slot, seeds }))
    }

    fn drop_agents(&mut self) {
        self.seating.drop_agents(false);
    }

    fn analyse(
        &self,
        player: &Player,
        limits: &Limits,
        seed: u64,
        top: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(ReportView),
    ) -> Option<ReportView> {
        Self::to_move(self)?;
        let position = &self.position;
        let mut on_progress =
            |report: &Report<G::Move>| progress(report_view(position, player, report, top, true));
        let report = player.agent(seed).think_with_progress(position, limits, stop, &mut on_progress);
        Some(report_view(position, player, &report, top, false))
    }

    fn threats(&self, stop: &Stop) -> ThreatsView {
        if Self::to_move(self).is_some() { self.position.threats(stop) } else { ThreatsView::default() }
    }

    fn turning_point(
        &self,
        loser: Seat,
        player: &Player,
        limits: &Limits,
        stop: &Stop,
    ) -> Option<TurningPointView> {
        Self::turning_point(self, loser, player, limits, stop)
    }

    fn perft(&self, depth: u32) -> u64 {
        game::perft(&self.position, depth)
    }

    fn perft_split(&self, depth: u32) -> Vec<(String, u64)> {
        let counts = game::perft_split(&self.position, depth).into_iter();
        counts.map(|(m, nodes)| (self.position.move_text(m), nodes)).collect()
    }

    fn fork(&self) -> Box<dyn HostedGame> {
        Box::new(self.copy())
    }

    fn at(&self, ply: usize) -> Option<Box<dyn HostedGame>> {
        if ply > self.plies.len() {
            return None;
        }
        let mut copy = self.copy();
        if ply < self.plies.len() {
            copy.rewind(ply);
        }
        Some(Box::new(copy))
    }

    fn record(&self, id: &str, players: Vec<String>) -> GameRecord {
        let mut record = GameRecord::from_position(id, &self.start, players);
        record.moves = self.plies.iter().map(|ply| ply.text.clone()).collect();
        record.stats = (0..).zip(&self.plies).filter_map(|(at, ply)| ply.stats(at)).collect();
        record.result = Self::result(self);
        record
    }

    fn as_go(&self) -> Option<&dyn GoGame> {
        G::as_go(self)
    }

    fn as_go_mut(&mut self) -> Option<&mut dyn GoGame> {
        G::as_go_mut(self)
    }
}

/// The distinct cells of changes, in order.
fn changed_cells<G: Hostable>(changes: &[G::Change]) -> Vec<String> {
    let mut cells = Vec::new();
    for cell in changes.iter().copied().map(G::changed_cell) {
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    cells
}
