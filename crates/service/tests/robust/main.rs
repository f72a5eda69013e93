//! The service among careless and hostile clients, over real connections.

mod astray;
mod forbidden;
mod malformed;
mod requests;
mod wire;
