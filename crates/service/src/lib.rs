//! The web service: stored games, analysis, lessons and puzzles, the laboratory, and the routes of the reference
//! service, as web pages and as an HTTP API.
//!
//! A [`Server`] listens on an address, stores its data in a folder and runs until it is shut down. The module [`games`]
//! manages the games of the pages, each of which is a `host::HostedGame`. The module [`lab`] runs and rates events between
//! agents. The [`Scheduler`] runs searches on threads separate from those that serve connections.
//!
//! What is deliberately absent: rules and searches (pages ask the service what is legal), printing, and any files other
//! than two databases.
//!
//! Where to go next: `docs/web.md` describes pages, calls and limits; the module `http` contains the routes, and the folder
//! `web/` the pages.

mod api_error;
pub mod caps;
mod connections;
pub mod games;
mod health;
mod http;
pub mod lab;
mod metrics;
mod open;
mod quota;
mod scheduler;
mod server;
mod setup;

pub use self::open::open;
pub use api_error::{ApiError, ErrorKind};
pub use quota::{Client, Quota, QuotaPermit};
pub use reference::clock;
pub use scheduler::{JobSize, Priority, QueueSlot, Scheduler};
pub use server::{Options, Server};
pub use setup::Setup;
