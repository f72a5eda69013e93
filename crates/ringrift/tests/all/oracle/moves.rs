//! The move type and its textual keys.

use super::geometry::{Pos, cell_list};
use std::fmt;

/// Why a ring or cap is taken from a stack (R122, R145, R114).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    Line,
    Territory,
    Recovery,
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line => "line",
            Self::Territory => "territory",
            Self::Recovery => "recovery",
        })
    }
}

/// What a recovery slide does besides moving a marker (R112–R114).
///
/// `payer` is the stack from which the mover's lowest ring is pulled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slide {
    /// The marker moves and nothing else happens.
    Fallback { payer: Pos },
    /// The marker is spent to remove the top ring of the stack it runs into.
    StackStrike { payer: Pos },
    /// Option 1: the whole line collapses and costs one extraction.
    WholeLine { payer: Pos, collapsed: Vec<Pos> },
    /// Option 2: only the required number of cells collapses, free of charge.
    Window { collapsed: Vec<Pos> },
}

/// A legal move. The mover is always the current player of the state.
///
/// The variants keep the interchange names of the moves, hence the allowance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names)]
pub(crate) enum Move {
    PlaceRing { to: Pos, count: usize },
    SkipPlacement,
    NoPlacementAction,
    SwapSides,
    MoveStack { from: Pos, to: Pos },
    OvertakingCapture { from: Pos, target: Pos, to: Pos },
    ContinueCaptureSegment { from: Pos, target: Pos, to: Pos },
    SkipCapture,
    RecoverySlide { from: Pos, to: Pos, slide: Slide },
    SkipRecovery,
    NoMovementAction,
    ProcessLine { line: Vec<Pos> },
    ChooseLineOption { line: Vec<Pos>, collapsed: Vec<Pos> },
    EliminateRings { to: Pos, context: Context },
    NoLineAction,
    ChooseTerritoryOption { region: Vec<Pos> },
    SkipTerritoryProcessing,
    NoTerritoryAction,
    ForcedElimination { to: Pos },
}

impl Move {
    /// The canonical key of the trace format.
    ///
    /// Recovery slides are projected: slides that differ only in the paying
    /// stack or in the cells that collapse share one key.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::PlaceRing { to, count } => format!("place_ring {to} x{count}"),
            Self::SkipPlacement => "skip_placement".into(),
            Self::NoPlacementAction => "no_placement_action".into(),
            Self::SwapSides => "swap_sides".into(),
            Self::MoveStack { from, to } => format!("move_stack {from}>{to}"),
            Self::OvertakingCapture { from, target, to } => {
                format!("overtaking_capture {from}*{target}>{to}")
            }
            Self::ContinueCaptureSegment { from, target, to } => {
                format!("continue_capture_segment {from}*{target}>{to}")
            }
            Self::SkipCapture => "skip_capture".into(),
            Self::RecoverySlide { from, to, slide } => {
                let mode = match slide {
                    Slide::Fallback { .. } => "fallback",
                    Slide::StackStrike { .. } => "stack_strike",
                    Slide::WholeLine { .. } => "line 1",
                    Slide::Window { .. } => "line 2",
                };
                format!("recovery_slide {from}>{to} {mode}")
            }
            Self::SkipRecovery => "skip_recovery".into(),
            Self::NoMovementAction => "no_movement_action".into(),
            Self::ProcessLine { line } => format!("process_line {}", cell_list(line)),
            Self::ChooseLineOption { line, collapsed } => {
                format!("choose_line_option {}|{}", cell_list(line), cell_list(collapsed))
            }
            Self::EliminateRings { to, context } => {
                format!("eliminate_rings_from_stack {to} {context}")
            }
            Self::NoLineAction => "no_line_action".into(),
            Self::ChooseTerritoryOption { region } => {
                format!("choose_territory_option {}", cell_list(region))
            }
            Self::SkipTerritoryProcessing => "skip_territory_processing".into(),
            Self::NoTerritoryAction => "no_territory_action".into(),
            Self::ForcedElimination { to } => format!("forced_elimination {to}"),
        }
    }

    /// The key with nothing projected away: two legal moves are the same move
    /// exactly if their full keys agree.
    pub(crate) fn full_key(&self) -> String {
        let key = self.key();
        let Self::RecoverySlide { slide, .. } = self else {
            return key;
        };
        match slide {
            Slide::Fallback { payer } | Slide::StackStrike { payer } => {
                format!("{key} ex={payer}")
            }
            Slide::WholeLine { payer, collapsed } => {
                format!("{key} ex={payer} col={}", cell_list(collapsed))
            }
            Slide::Window { collapsed } => format!("{key} col={}", cell_list(collapsed)),
        }
    }
}
