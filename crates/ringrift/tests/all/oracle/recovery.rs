//! Recovery slides of a player who controls no stack (R110–R115).
//!
//! A slide moves one marker by one step. If any slide completes a line, only such
//! slides are offered; otherwise a marker may move to an empty cell (`fallback`) or
//! strike a stack (`stack_strike`). All but Option 2 of an overlength line cost the
//! extraction of the player's lowest ring from a stack in which one is buried.

use super::geometry::{Board, Pos};
use super::moves::{Move, Slide};
use super::state::{Content, Oracle, Player};

impl Oracle {
    /// R110: no stack, but a marker to slide and a buried ring to pay with.
    pub(super) fn may_recover(&self, player: Player) -> bool {
        self.controlled(player).is_empty() && self.markers(player) > 0 && !self.burying(player).is_empty()
    }

    /// All recovery slides of the current player.
    pub(super) fn recovery_slides(&self) -> Vec<Move> {
        let mut line_slides = Vec::new();
        let mut other_slides = Vec::new();
        let mut line_slide_exists = false;
        let payers = self.burying(self.current);
        for (from, to) in self.marker_steps() {
            let slides = match self.cells.get(&to) {
                None => {
                    let runs = self.runs_after_slide(from, to);
                    if runs.iter().any(|run| run.len() >= self.required_line()) {
                        line_slide_exists = true;
                        line_slides.extend(self.line_slides(from, to, &runs, &payers));
                        continue;
                    }
                    payers.iter().map(|&payer| Slide::Fallback { payer }).collect::<Vec<_>>()
                }
                Some(Content::Stack(_)) => payers.iter().map(|&payer| Slide::StackStrike { payer }).collect(),
                Some(Content::Marker(_) | Content::Collapsed(_)) => continue,
            };
            for slide in slides {
                other_slides.push(Move::RecoverySlide { from, to, slide });
            }
        }
        if line_slide_exists { line_slides } else { other_slides }
    }

    /// Every own marker with every cell one step away from it.
    fn marker_steps(&self) -> Vec<(Pos, Pos)> {
        let mut steps = Vec::new();
        for &from in self.cells.keys() {
            if !self.is_marker_of(from, self.current) {
                continue;
            }
            for &direction in self.board.directions() {
                if let Some(to) = self.board.step(from, direction) {
                    steps.push((from, to));
                }
            }
        }
        steps
    }

    /// The runs through `to` once the marker stands there, one per axis in the
    /// order the reference engine uses.
    fn runs_after_slide(&self, from: Pos, to: Pos) -> Vec<Vec<Pos>> {
        let mut after = self.clone();
        after.cells.remove(&from);
        let axes = self.board.recovery_axes().iter();
        axes.map(|&axis| after.run_through(to, axis, self.current)).collect()
    }

    /// The moves for one slide that makes a line.
    fn line_slides(&self, from: Pos, to: Pos, runs: &[Vec<Pos>], payers: &[Pos]) -> Vec<Move> {
        let slides = if self.options.clean_recovery {
            self.clean_line_slides(to, runs, payers)
        } else {
            self.reference_line_slides(to, runs, payers)
        };
        slides.into_iter().map(|slide| Move::RecoverySlide { from, to, slide }).collect()
    }

    /// The rule as meant: the player picks any run that is long enough, and for
    /// Option 2 any window of it that contains the slid marker.
    fn clean_line_slides(&self, to: Pos, runs: &[Vec<Pos>], payers: &[Pos]) -> Vec<Slide> {
        let required = self.required_line();
        let mut slides = Vec::new();
        for run in runs.iter().filter(|run| run.len() >= required) {
            slides.extend(whole_line(run, payers));
            if run.len() > required {
                for window in run.windows(required).filter(|w| w.contains(&to)) {
                    slides.push(Slide::Window { collapsed: window.to_vec() });
                }
            }
        }
        slides
    }

    /// What the reference engine does instead.
    ///
    /// It looks for lines in two places that disagree. The options come from
    /// the longest run, but the run that collapses is the first one, in axis
    /// order, that reaches a base length which ignores the number of players.
    /// If that run is missing or shorter than required, playing the slide fails
    /// there, so nothing is offered for it here (its existence still rules out
    /// fallbacks and strikes, which the caller sees to).
    fn reference_line_slides(&self, to: Pos, runs: &[Vec<Pos>], payers: &[Pos]) -> Vec<Slide> {
        let required = self.required_line();
        let base = self.base_line();
        let Some(collapsing) = runs.iter().find(|run| run.len() >= base) else {
            return Vec::new();
        };
        if collapsing.len() < required {
            return Vec::new();
        }
        let mut longest = &runs[0];
        for run in runs {
            if run.len() > longest.len() {
                longest = run;
            }
        }
        let mut slides = whole_line(collapsing, payers);
        let option_2 = longest.len() > required && longest[..required].contains(&to);
        if option_2 && collapsing.len() > required {
            for window in longest.windows(required).filter(|w| w.contains(&to)) {
                slides.push(Slide::Window { collapsed: window.to_vec() });
            }
        } else if option_2 {
            slides.push(Slide::Window { collapsed: collapsing.clone() });
        }
        slides
    }

    /// The base length with which the reference engine searches the run that a
    /// slide collapses.
    fn base_line(&self) -> usize {
        match self.board {
            Board::Square8 => 3,
            Board::Hex8 => usize::from(self.options.hex8_line_min),
            Board::Square19 | Board::Hexagonal => 4,
        }
    }

    /// Plays a recovery slide. A strike takes the top ring before the payment
    /// is made, so the struck stack may pay with a ring just uncovered.
    pub(super) fn slide_marker(&mut self, from: Pos, to: Pos, slide: &Slide) {
        self.cells.remove(&from);
        match slide {
            Slide::Fallback { payer } => {
                self.cells.insert(to, Content::Marker(self.current));
                self.extract(*payer);
            }
            Slide::StackStrike { payer } => {
                self.eliminate_from_top(to, 1);
                self.extract(*payer);
            }
            Slide::WholeLine { payer, collapsed } => {
                self.cells.insert(to, Content::Marker(self.current));
                self.collapse(collapsed);
                self.extract(*payer);
            }
            Slide::Window { collapsed } => {
                self.cells.insert(to, Content::Marker(self.current));
                self.collapse(collapsed);
            }
        }
        self.recovered = true;
    }

    /// Pulls the current player's lowest ring out of a stack (R114).
    pub(super) fn extract(&mut self, from: Pos) {
        let mut rings = self.stack_at(from).expect("rings are extracted from a stack").clone();
        let lowest = rings
            .iter()
            .position(|&ring| ring == self.current)
            .expect("the paying stack holds a ring of the player");
        rings.remove(lowest);
        self.set_stack(from, rings);
        self.credit_current(1);
    }
}

/// Option 1 for every stack that can pay.
fn whole_line(run: &[Pos], payers: &[Pos]) -> Vec<Slide> {
    let payers = payers.iter();
    payers.map(|&payer| Slide::WholeLine { payer, collapsed: run.to_vec() }).collect()
}
