//! The web service.
pub mod caps;
pub mod games;
mod http;
pub mod lab;
mod learn;
mod metrics;
pub mod puzzles;
mod refusal;
mod server;
mod setup;
mod shape;
mod shown;
mod table;
pub mod view;
mod work;

pub use reference::clock;
pub use refusal::{Refusal, Sort};
pub use server::{Options, Server};
pub use setup::Setup;
pub use table::{Table, open};
pub use work::{Lane, Work};
