//! An agent that thinks about a copy of its game.

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

/// The agent to move, taken along with a copy of the position. It may think on another thread; what it remembers goes
/// back to its game unless that was taken back, reseated or ended meanwhile.
pub trait Thinker: Send {
    /// Who thinks.
    fn player(&self) -> &Player;

    /// The place of the agent in its game.
    fn slot(&self) -> Arc<dyn AgentSlot>;

    /// Thinks within `limits`, and tells of at most `top` candidates; what is found on the way goes to `tell`.
    fn think(
        &mut self,
        limits: &Limits,
        top: usize,
        stop: &Stop,
        tell: &mut dyn FnMut(ReportView),
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
        tell: &mut dyn FnMut(ReportView),
    ) -> ReportView {
        let Self { player, position, slot, seeds } = self;
        let mut told = |report: &Report<G::Move>| tell(report_view(position, player, report, top, true));
        let report = slot
            .with_agent(player, *seeds, |agent| agent.think_with_progress(position, limits, stop, &mut told));
        report_view(position, player, &report, top, false)
    }
}
