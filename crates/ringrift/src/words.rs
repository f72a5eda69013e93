//! Moves and results described in English, for players.

use crate::{
    Cell, Content, Kind, Move, Position,
    geometry::Geometry,
    notation::cell_name,
    position::{End, Reason},
};

/// Formats a count with its noun: `1 ring`, `2 rings`.
fn count_of(count: u32, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

fn rings(count: u32) -> String {
    count_of(count, "ring")
}

impl<B: Geometry> Position<B> {
    /// Describes a legal move as a predicate that follows the name of a seat: `moves d4 to d6`.
    pub fn describe_move(&self, m: Move) -> String {
        let name = cell_name::<B>;
        let cell = name(m.cell());
        let slide = || {
            let to = name(B::ahead(m.cell(), m.recovery_direction(), 1));
            format!("slides its marker from {cell} to {to}")
        };
        match m.kind() {
            Kind::PlaceRing => format!("places {} on {cell}", rings(m.count())),
            Kind::SkipPlacement => "keeps its rings in hand".to_owned(),
            Kind::NoPlacement => "has nothing to place".to_owned(),
            Kind::SwapSides => "swaps sides".to_owned(),
            Kind::MoveStack => {
                let to = Position::<B>::landing(m);
                format!("moves {cell} to {}{}", name(to), landing_cost(self, to))
            }
            Kind::Capture | Kind::ChainCapture => {
                let over = self.captured_cell(m).map(name).unwrap_or_default();
                let to = Position::<B>::landing(m);
                let cost = landing_cost(self, to);
                format!("jumps {over} with {cell}, takes its top ring and lands on {}{cost}", name(to))
            }
            Kind::SkipCapture => "does not capture".to_owned(),
            Kind::RecoverFallback => format!("{} and pays with a ring from {}", slide(), name(m.payer())),
            Kind::RecoverStrike => {
                let struck = name(B::ahead(m.cell(), m.recovery_direction(), 1));
                let payer = name(m.payer());
                format!(
                    "sacrifices its marker on {cell} to strike {struck} and pays with a ring from {payer}"
                )
            }
            Kind::RecoverLine => {
                let cells = count_of(self.collapsing(m).len() as u32, "cell");
                format!(
                    "{} into a line, takes {cells} and pays with a ring from {}",
                    slide(),
                    name(m.payer())
                )
            }
            Kind::RecoverWindow => {
                format!("{} into a line and takes {} cells", slide(), self.collapsing(m).len())
            }
            Kind::SkipRecovery => "does not recover".to_owned(),
            Kind::NoMovement => "cannot move".to_owned(),
            Kind::ProcessLine | Kind::CollapseLine => {
                format!("takes a whole line of {} as territory", self.collapsing(m).len())
            }
            Kind::CollapseWindow => {
                format!("takes {} cells of a line for free", self.collapsing(m).len())
            }
            Kind::PayLine => format!("pays with the top ring of {cell}"),
            Kind::NoLine => "has no line".to_owned(),
            Kind::ClaimRegion => claim(self, m),
            Kind::PayRegion | Kind::ForcedElimination => {
                let cap = rings(self.stack(m.cell()).cap());
                let verb = if m.kind() == Kind::PayRegion { "pays with" } else { "has to give up" };
                format!("{verb} the cap of {cell} ({cap})")
            }
            Kind::PayRegionBuried => format!("pays with its lowest ring in {cell}"),
            Kind::SkipTerritory => "does not claim a region".to_owned(),
            Kind::NoTerritory => "has no region to claim".to_owned(),
        }
    }
}

fn landing_cost<B: Geometry>(position: &Position<B>, landing: Cell) -> &'static str {
    if matches!(position.content(landing), Content::Marker(_)) {
        ", losing a ring to the marker there"
    } else {
        ""
    }
}

fn claim<B: Geometry>(position: &Position<B>, m: Move) -> String {
    let cells = count_of(position.collapsing(m).len() as u32, "cell");
    let inside: u32 = position.claimed_region(m).into_iter().map(|cell| position.stack(cell).height()).sum();
    let stacks = if inside > 0 { format!(" with {} in them", rings(inside)) } else { String::new() };
    format!("claims {cells}{stacks}")
}

impl End {
    /// Describes the end of the game in one sentence.
    pub fn words(self) -> String {
        let Some(winner) = self.winner else {
            return match self.reason {
                Reason::Timeout => "There is no winner: a player ran out of time.".to_owned(),
                _ => "There is no winner: a player resigned.".to_owned(),
            };
        };
        let why = match (self.reason, self.stalemate) {
            (Reason::RingElimination, false) => "by eliminated rings",
            (Reason::TerritoryControl, false) => "by territory",
            (Reason::LastPlayerStanding, false) => "as the last player standing",
            (Reason::RingElimination, true) => "by eliminated rings and rings in hand, after a stalemate",
            (Reason::TerritoryControl, true) => "by territory, after a stalemate",
            (Reason::LastPlayerStanding, true) => "by markers or the last move, after a stalemate",
            (Reason::Resignation, _) => "by resignation",
            (Reason::Timeout, _) => "on time",
        };
        format!("Seat {winner} wins {why}.")
    }
}
