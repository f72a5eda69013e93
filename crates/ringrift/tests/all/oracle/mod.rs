//! A plain implementation of the `RingRift` rules, used as an oracle in tests.
//!
//! It is written from the rules alone and favours clarity over speed: the board
//! is a map, stacks are lists of rings, and every query scans the whole board.
//!
//! * [`geometry`] — boards, cells, directions
//! * [`moves`] — the move type and its keys
//! * [`state`] — the stored state, the state string, simple queries
//! * [`placement`] — putting rings on the board
//! * [`movement`] — moving and capturing stacks
//! * [`lines`] — marker lines
//! * [`territory`] — regions
//! * [`recovery`] — slides of a player without stacks
//! * [`turn`] — the legal list, playing a move, the order of the phases
//! * [`victory`] — what happens when a turn ends
//! * [`ranking`] — the order of the players in the result

pub(crate) mod geometry;
pub(crate) mod lines;
pub(crate) mod movement;
pub(crate) mod moves;
pub(crate) mod placement;
pub(crate) mod ranking;
pub(crate) mod recovery;
pub(crate) mod state;
pub(crate) mod territory;
pub(crate) mod turn;
pub(crate) mod victory;

pub(crate) use moves::Move;
pub(crate) use state::{Options, Oracle};
