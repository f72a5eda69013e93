//! A drop-in replacement for the reference AI service, with the same routes, bodies and status codes.
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
//! A [`Service`] maps a [`Request`] to an [`Answer`] on the caller's thread. Every move in a response is legal in the state
//! as the client understands it, and written as the client writes its own moves ([`interchange::client_move`]). A state
//! that contradicts itself is repaired, not rejected ([`interchange::Nearest`]).
//!
//! Deliberately absent: the JSON forms of states, moves and bodies (the crate [`interchange`]), the rules of the game, and
//! HTTP, threads, queues and metrics, which the server provides; an [`Answer`] contains its metric labels.
//!
//! Where to go next: `docs/reference-service.md` for the routes and the differences from the original. In the source, `route`
//! has the paths, `ai_move` chooses moves, and `engines` selects the agents.

mod ai_move;
mod answer;
mod batch;
mod choice;
pub mod clock;
mod engines;
mod evaluate;
mod route;
mod rules;
mod service;
mod status;

pub use answer::{Answer, MoveLabel};
pub use choice::Choice;
pub use route::Route;
pub use service::{Caps, Request, Service, Weight};
pub use status::{health, live, ready};
