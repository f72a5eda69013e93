//! The agent to move with a copy of its position, so that it can think on any thread.

use std::sync::Arc;

use ladder::Player;
use search::{Limits, Report, Stop};

use crate::{
    AgentSlot,
    hostable::Hostable,
    report::report_view,
    seating::{Seeds, Slot},
    view::ReportView,
};

/// The agent to move, with a copy of the position. It may think on another thread. Its state stays in the game unless the
/// game is undone, reseated or ended meanwhile.
pub trait Thinker: Send {
    /// The agent's player.
    fn player(&self) -> &Player;

    /// The slot of the agent.
    fn slot(&self) -> Arc<dyn AgentSlot>;

    /// Thinks within `limits` and returns a report with at most `top` candidates. Progress reports are passed to `progress`.
    fn think(
        &mut self,
        limits: &Limits,
        top: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(ReportView),
    ) -> ReportView;
}

pub(crate) struct SeatedThinker<G: Hostable> {
    pub(crate) player: Player,
    pub(crate) position: G,
    pub(crate) slot: Arc<Slot<G>>,
    pub(crate) seeds: Seeds,
}

impl<G: Hostable> Thinker for SeatedThinker<G> {
    fn player(&self) -> &Player {
        &self.player
    }

    fn slot(&self) -> Arc<dyn AgentSlot> {
        Arc::<Slot<G>>::clone(&self.slot)
    }

    fn think(
        &mut self,
        limits: &Limits,
        top: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(ReportView),
    ) -> ReportView {
        let Self { player, position, slot, seeds } = self;
        let mut on_progress =
            |report: &Report<G::Move>| progress(report_view(position, player, report, top, true));
        let report = slot.with_agent(player, *seeds, |agent| {
            agent.think_with_progress(position, limits, stop, &mut on_progress)
        });
        report_view(position, player, &report, top, false)
    }
}
