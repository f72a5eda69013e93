//! Regions and the `territory_processing` phase (R040, R140–R145).

use super::geometry::{Offset, Pos};
use super::moves::{Context, Move};
use super::state::{Content, Oracle, Owed, Player, cap, controller};
use std::collections::{BTreeSet, VecDeque};

impl Oracle {
    /// All candidate regions, regardless of who may claim them.
    ///
    /// A region is bounded by collapsed cells, the board edge and markers of
    /// one single colour, so every colour gets its own pass (R141). It
    /// counts when some colour that has rings on the board controls nothing in
    /// it. Regions without any marker border are found by a last pass, which
    /// the reference engine restricts to regions with exactly one controller.
    pub(super) fn candidate_regions(&self) -> BTreeSet<Vec<Pos>> {
        let mut colours = BTreeSet::new();
        for (_, rings) in self.stacks() {
            colours.extend(rings.iter().copied());
        }
        let mut regions = BTreeSet::new();
        for colour in self.seats().filter(|&p| self.markers(p) > 0) {
            for region in self.components(Some(colour)) {
                if self.controllers_in(&region).len() < colours.len() {
                    regions.insert(region);
                }
            }
        }
        for region in self.components(None) {
            let inside = self.controllers_in(&region).len();
            if inside == 1 && inside < colours.len() {
                regions.insert(region);
            }
        }
        regions
    }

    /// The connected parts of the board when collapsed cells and the markers of
    /// one colour (or of none) are walls. Cells come out in canonical order.
    fn components(&self, wall_colour: Option<Player>) -> Vec<Vec<Pos>> {
        let is_wall = |pos: Pos| match self.cells.get(&pos) {
            Some(Content::Collapsed(_)) => true,
            Some(Content::Marker(owner)) => Some(*owner) == wall_colour,
            _ => false,
        };
        let mut seen = BTreeSet::new();
        let mut components = Vec::new();
        for start in self.board.cells() {
            if is_wall(start) || seen.contains(&start) {
                continue;
            }
            let found = self.flood(&[start], self.board.territory_offsets(), |pos| !is_wall(pos));
            seen.extend(found.iter().copied());
            components.push(found.into_iter().collect());
        }
        components
    }

    /// The start cells and every cell reached from them by steps onto cells that
    /// are allowed.
    fn flood(&self, start: &[Pos], offsets: &[Offset], allowed: impl Fn(Pos) -> bool) -> BTreeSet<Pos> {
        let mut reached: BTreeSet<Pos> = start.iter().copied().collect();
        let mut queue: VecDeque<Pos> = start.iter().copied().collect();
        while let Some(here) = queue.pop_front() {
            for &offset in offsets {
                let Some(next) = self.board.step(here, offset) else {
                    continue;
                };
                if allowed(next) && reached.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        reached
    }

    /// Players controlling a stack inside a region; buried rings do not count.
    fn controllers_in(&self, region: &[Pos]) -> BTreeSet<Player> {
        let stacks = region.iter().filter_map(|&pos| self.stack_at(pos));
        stacks.map(|rings| controller(rings)).collect()
    }

    /// Stacks from which the current player can pay for a region: those he
    /// controls or, after a recovery this turn, those that bury one of his
    /// rings (R114, R145).
    fn region_payers(&self) -> Vec<Pos> {
        if self.recovered { self.burying(self.current) } else { self.controlled(self.current) }
    }

    /// Candidates the current player can pay for from outside (R143).
    pub(super) fn claimable_regions(&self) -> Vec<Vec<Pos>> {
        let payers = self.region_payers();
        let candidates = self.candidate_regions().into_iter();
        candidates.filter(|region| payers.iter().any(|payer| !region.contains(payer))).collect()
    }

    /// Everything the current player may do in `territory_processing`.
    pub(super) fn territory_moves(&self) -> Vec<Move> {
        if self.owed == Some(Owed::RegionCost) {
            let context = if self.recovered { Context::Recovery } else { Context::Territory };
            // The claimed region holds no stacks any more, so all payers are
            // outside it.
            let payers = self.region_payers().into_iter();
            return payers.map(|to| Move::EliminateRings { to, context }).collect();
        }
        let regions = self.claimable_regions();
        if regions.is_empty() {
            return vec![Move::NoTerritoryAction];
        }
        let mut moves: Vec<Move> =
            regions.into_iter().map(|region| Move::ChooseTerritoryOption { region }).collect();
        moves.push(Move::SkipTerritoryProcessing);
        moves
    }

    /// Takes a region: all rings in it are credited to the current player, and
    /// it collapses together with its border markers (R144).
    pub(super) fn claim(&mut self, region: &[Pos]) {
        let border = self.border_of(region);
        for &pos in region {
            if let Some(rings) = self.stack_at(pos) {
                self.credit_current(rings.len());
            }
        }
        self.collapse(region);
        self.collapse(&border);
        self.owed = Some(Owed::RegionCost);
    }

    /// Markers that collapse with a region: those next to it and, except on the
    /// large hex board, all markers of any colour connected to those. The
    /// reference engine does not test whether they enclose anything.
    fn border_of(&self, region: &[Pos]) -> Vec<Pos> {
        let is_outside_marker =
            |pos: Pos| matches!(self.cells.get(&pos), Some(Content::Marker(_))) && !region.contains(&pos);
        let mut touching = Vec::new();
        for &pos in region {
            for &offset in self.board.territory_offsets() {
                if let Some(next) = self.board.step(pos, offset)
                    && is_outside_marker(next)
                {
                    touching.push(next);
                }
            }
        }
        let clump = self.flood(&touching, self.board.border_offsets(), is_outside_marker);
        clump.into_iter().collect()
    }

    /// Pays for a claimed region: a whole cap, or a buried ring after a
    /// recovery.
    pub(super) fn pay_for_region(&mut self, from: Pos) {
        if self.recovered {
            self.extract(from);
        } else {
            self.eliminate_cap(from);
        }
        self.owed = None;
    }

    /// Eliminates all rings of the controller from the top of a stack.
    pub(super) fn eliminate_cap(&mut self, pos: Pos) {
        let height = cap(self.stack_at(pos).expect("a cap belongs to a stack"));
        self.eliminate_from_top(pos, height);
    }
}
