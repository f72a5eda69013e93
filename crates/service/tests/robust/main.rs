//! The service among careless and hostile clients, over real connections.

mod crowded;
mod forbidden;
mod malformed;
mod requests;
mod wire;
