//! A drop-in replacement of the reference AI service: its routes, bodies and status codes, answered by riftlab.
//!
//! ```
//! use reference::{Caps, Request, Service};
//! use search::Stop;
//!
//! let service = Service::new(Caps::default());
//! let request = Request { method: "POST", path: "/ai/move", query: None, body: b"{}", admin_key: None };
//! let answer = service.handle(&request, &Stop::default());
//! assert_eq!(answer.status, 422);
//! assert_eq!(answer.body["detail"][0]["loc"][1], "game_state");
//! ```
//!
//! A [`Service`] takes a [`Request`] and gives an [`Answer`]: bytes in, JSON out, on the caller's thread. Every move it
//! answers is legal in the state as the client means it, and written as the client writes its own moves
//! ([`interchange::client_move`]); a state that contradicts itself is repaired, not refused ([`interchange::Nearest`]).
//!
//! What is deliberately absent: the JSON of states, moves and bodies ([`interchange`]), HTTP, threads, queues and metrics (whoever mounts this has them; an [`Answer`] says how
//! to count it), and rules of the game.
//!
//! Where to go next: `docs/reference-service.md` for what is served and how it differs from the original. In the
//! source, `route` has the paths, `moving` the heart of `/ai/move` and `engines` who plays.

mod answer;
mod batch;
mod choice;
pub mod clock;
mod engines;
mod evaluate;
mod moving;
mod route;
mod rules;
mod service;
mod status;

pub use answer::{Answer, MoveLabel};
pub use choice::Choice;
pub use route::Route;
pub use service::{Caps, Request, Service, Weight};
pub use status::{health, live, ready};
