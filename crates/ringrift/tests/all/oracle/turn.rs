//! The legal list and the order of the phases within a turn (R070–R075).

use super::geometry::Pos;
use super::moves::{Context, Move};
use super::state::{Oracle, Phase};
use std::collections::BTreeSet;

impl Oracle {
    /// All legal moves; empty only when the game is over.
    pub(crate) fn legal(&self) -> Vec<Move> {
        if self.finish.is_some() {
            return Vec::new();
        }
        match self.phase {
            Phase::RingPlacement => self.placement_moves(),
            Phase::Movement => self.movement_moves(),
            Phase::Capture => self.capture_moves(),
            Phase::ChainCapture => self.chain_moves(),
            Phase::LineProcessing => self.line_moves(),
            Phase::TerritoryProcessing => self.territory_moves(),
            Phase::ForcedElimination => {
                let stacks = self.controlled(self.current).into_iter();
                stacks.map(|to| Move::ForcedElimination { to }).collect()
            }
        }
    }

    /// The legal list of the trace format: distinct projected keys, sorted.
    pub(crate) fn legal_keys(&self) -> Vec<String> {
        let keys: BTreeSet<String> = self.legal().iter().map(Move::key).collect();
        keys.into_iter().collect()
    }

    /// Plays a move from [`Oracle::legal`].
    pub(crate) fn play(&mut self, m: &Move) {
        self.note_action(m);
        match m {
            Move::PlaceRing { to, count } => {
                self.place(*to, *count);
                self.phase = Phase::Movement;
            }
            Move::SkipPlacement | Move::NoPlacementAction => self.phase = Phase::Movement,
            // Only the participants exchange seats (R180).
            Move::SwapSides => {}
            Move::MoveStack { from, to } => {
                self.move_or_capture(*from, None, *to);
                self.after_move(*to, Phase::Capture);
            }
            Move::OvertakingCapture { from, target, to }
            | Move::ContinueCaptureSegment { from, target, to } => {
                self.move_or_capture(*from, Some(*target), *to);
                self.after_move(*to, Phase::ChainCapture);
            }
            Move::RecoverySlide { from, to, slide } => {
                self.slide_marker(*from, *to, slide);
                self.enter_line_processing();
            }
            Move::SkipCapture | Move::SkipRecovery | Move::NoMovementAction => {
                self.enter_line_processing();
            }
            Move::ProcessLine { line } => {
                self.collapse_line(line, line);
                self.after_line();
            }
            Move::ChooseLineOption { line, collapsed } => {
                self.collapse_line(line, collapsed);
                self.after_line();
            }
            // The phase stays, even when all lines are gone.
            Move::EliminateRings { to, context: Context::Line } => {
                self.eliminate_from_top(*to, 1);
                self.owed = None;
            }
            Move::NoLineAction => self.leave_line_processing(),
            Move::ChooseTerritoryOption { region } => self.claim(region),
            Move::EliminateRings { to, context: Context::Territory | Context::Recovery } => {
                self.pay_for_region(*to);
                if self.claimable_regions().is_empty() {
                    self.end_turn();
                }
            }
            Move::SkipTerritoryProcessing | Move::NoTerritoryAction => {
                if self.must_eliminate() {
                    self.phase = Phase::ForcedElimination;
                } else {
                    self.end_turn();
                }
            }
            Move::ForcedElimination { to } => {
                self.eliminate_cap(*to);
                self.end_turn();
            }
        }
        self.note_eliminated_players();
    }

    /// Remembers what later decisions need to know about a move: whether the
    /// player has done anything this turn, and whether a swap is still open.
    ///
    /// Skips and forced no-ops are not actions. Neither is a forced elimination,
    /// which ends the turn anyway.
    fn note_action(&mut self, m: &Move) {
        if self.current == 2 {
            self.swap_open = false;
        }
        self.acted |= match m {
            Move::PlaceRing { .. }
            | Move::SwapSides
            | Move::MoveStack { .. }
            | Move::OvertakingCapture { .. }
            | Move::ContinueCaptureSegment { .. }
            | Move::RecoverySlide { .. }
            | Move::ProcessLine { .. }
            | Move::ChooseLineOption { .. }
            | Move::EliminateRings { .. }
            | Move::ChooseTerritoryOption { .. } => true,
            Move::SkipPlacement
            | Move::NoPlacementAction
            | Move::SkipCapture
            | Move::SkipRecovery
            | Move::NoMovementAction
            | Move::NoLineAction
            | Move::SkipTerritoryProcessing
            | Move::NoTerritoryAction
            | Move::ForcedElimination { .. } => false,
        };
    }

    /// A stack that can capture from its landing cell may do so (`follow_up` is
    /// `capture`) or must (`chain_capture`).
    fn after_move(&mut self, landing: Pos, follow_up: Phase) {
        self.must_move = None;
        if self.can_capture_from(landing) {
            self.phase = follow_up;
            self.attacker = Some(landing);
        } else {
            self.enter_line_processing();
        }
    }

    fn enter_line_processing(&mut self) {
        self.must_move = None;
        self.attacker = None;
        self.phase = Phase::LineProcessing;
    }

    /// After a collapse that costs nothing and leaves no line, the phase ends at
    /// once; otherwise a payment or another line remains.
    fn after_line(&mut self) {
        if self.owed.is_none() && self.lines_of(self.current).is_empty() {
            self.leave_line_processing();
        }
    }

    /// A player who did not act and cannot claim a region goes straight to
    /// forced elimination.
    fn leave_line_processing(&mut self) {
        self.phase = if self.must_eliminate() && self.claimable_regions().is_empty() {
            Phase::ForcedElimination
        } else {
            Phase::TerritoryProcessing
        };
    }

    /// R100: a player with stacks may not let a turn pass without any action.
    fn must_eliminate(&self) -> bool {
        !self.acted && !self.controlled(self.current).is_empty()
    }
}
