//! The web service: games kept for people, analysis, lessons and puzzles, the laboratory, and the routes of the
//! reference service, as pages and as an API over HTTP.
//!
//! A [`Server`] takes an address and a folder and answers until it is told to end. Behind it a [`Table`] is a position
//! of any game with its type erased, [`games`] keeps what people play, [`lab`] what agents play, [`Work`] runs searches
//! beside the connections.
//!
//! What is deliberately absent: rules and searches (a page asks what is legal), printing, and files but two databases.
//!
//! Where to go next: `docs/web.md` for pages, calls and limits; `http` has the routes, `shown` what a game has to tell
//! so that it can be drawn and clicked, `web/` the pages themselves.

pub mod caps;
pub mod games;
mod http;
pub mod lab;
mod metrics;
mod refusal;
mod server;
mod setup;
mod shape;
mod share;
mod shown;
mod table;
pub mod view;
mod work;

pub use reference::clock;
pub use refusal::{Refusal, Sort};
pub use server::{Options, Server};
pub use setup::Setup;
pub use share::{Client, Share, Shares};
pub use table::{Table, open};
pub use work::{Lane, Place, Waiting, Work};
