//! The web service: games kept for people, analysis, lessons and puzzles, the laboratory, and the routes of the
//! reference service, as pages and as an API over HTTP.
//!
//! A [`Server`] takes an address and a folder and answers until it is told to end. Behind it, [`games`] keeps what people
//! play, in games of the crate `host`, which know no position type; [`lab`] keeps what agents play among themselves, and
//! [`Work`] runs searches beside the connections.
//!
//! What is deliberately absent: rules and searches (a page asks what is legal), printing, and files but two databases.
//!
//! Where to go next: `docs/web.md` for pages, calls and limits; `http` has the routes, `web/` the pages themselves.

pub mod caps;
pub mod games;
mod http;
pub mod lab;
mod learn;
mod metrics;
mod opening;
pub mod puzzles;
mod refusal;
mod server;
mod setup;
mod share;
mod work;

pub use opening::open;
pub use reference::clock;
pub use refusal::{Refusal, Sort};
pub use server::{Options, Server};
pub use setup::Setup;
pub use share::{Client, Share, Shares};
pub use work::{Lane, Place, Waiting, Work};
