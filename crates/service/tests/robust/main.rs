//! Tests of the service with careless and hostile clients, over real connections.

mod astray;
mod crowded;
mod forbidden;
mod malformed;
mod opened;
mod recorded;
mod requests;
mod wire;
