//! The commands, one module each, with their arguments.

pub(crate) mod ablate;
pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod chart;
pub(crate) mod conform;
pub(crate) mod elo;
pub(crate) mod expert_data;
pub(crate) mod export;
pub(crate) mod gauntlet;
pub(crate) mod gtp;
pub(crate) mod import;
pub(crate) mod ladder;
pub(crate) mod matches;
pub(crate) mod model;
pub(crate) mod omega;
pub(crate) mod perft;
pub(crate) mod pipeline;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod replay;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod train;
