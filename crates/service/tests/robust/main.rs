//! Tests of the service with careless and hostile clients, over real connections.

mod astray;
mod crowded;
mod damaged;
mod forbidden;
mod long;
mod malformed;
mod opened;
mod recorded;
mod requests;
mod wire;
