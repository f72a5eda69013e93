//! Quotas for bounded resources: a total, of which one client may hold at most half.
//!
//! A client over its quota gets [`ErrorKind::QuotaExceeded`]; when the total is used up, every client gets
//! [`ErrorKind::Busy`]. Clients are told apart by their network address, so all programs on one machine, and all clients
//! behind one proxy, count as one.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{ApiError, ErrorKind};

/// A client, identified by the address of its connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            // A network of this size usually belongs to one client.
            IpAddr::V6(address) if !address.is_loopback() => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
            }
            address => address,
        })
    }
}

/// A bounded number of permits, with a quota for each client.
#[derive(Debug)]
pub struct Quota {
    /// What the permits are for, as the error message says it: a plural noun and a verb.
    what: &'static str,
    max: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: usize,
    by: HashMap<Client, usize>,
}

/// A permit of a [`Quota`], returned when it is dropped.
#[derive(Debug)]
pub struct QuotaPermit {
    of: Arc<Quota>,
    client: Client,
}

impl Quota {
    /// Creates a quota of `max` permits. `what` says what they are for, as in `"streams are open"`.
    pub fn new(what: &'static str, max: usize) -> Arc<Self> {
        Arc::new(Self { what, max, held: Mutex::default() })
    }

    /// The number of permits that one client may hold if there are `max` in total.
    pub(crate) fn per_client(max: usize) -> usize {
        max.div_ceil(2)
    }

    /// The number of permits in use.
    pub fn held(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// Takes a permit for `client`.
    ///
    /// # Errors
    /// Returns an error if the client's quota or the total is used up.
    pub fn acquire(self: &Arc<Self>, client: Client) -> Result<QuotaPermit, ApiError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let own = held.by.get(&client).copied().unwrap_or(0);
        admit(self.what, self.max, held.all, own)?;
        held.all += 1;
        held.by.insert(client, own + 1);
        Ok(QuotaPermit { of: Arc::clone(self), client })
    }
}

/// Checks whether a client that holds `own` of the `all` permits in use may take another.
///
/// # Errors
/// Returns an error if the client's quota or the total is used up.
pub(crate) fn admit(what: &str, max: usize, all: usize, own: usize) -> Result<(), ApiError> {
    if own >= Quota::per_client(max) {
        let message =
            format!("{own} {what} for this client, which is its quota: try again when one has ended");
        return Err(ApiError::new(ErrorKind::QuotaExceeded, message));
    }
    if all >= max {
        return Err(ApiError::new(
            ErrorKind::Busy,
            format!("{all} {what}, which is the maximum: try again in a second"),
        ));
    }
    Ok(())
}

impl Drop for QuotaPermit {
    fn drop(&mut self) {
        let mut held = self.of.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.all -= 1;
        if let Some(own) = held.by.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                held.by.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        Client::from(text.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn one_client_gets_half_and_others_the_rest() {
        let quota = Quota::new("searches wait", 3);
        let [one, other, third] = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map(client);
        let kind = |taken: Result<QuotaPermit, ApiError>| taken.unwrap_err().kind;
        let own: Vec<QuotaPermit> = (0..2).map(|_| quota.acquire(one).unwrap()).collect();
        assert_eq!(kind(quota.acquire(one)), ErrorKind::QuotaExceeded);
        let last = quota.acquire(other).unwrap();
        assert_eq!(kind(quota.acquire(third)), ErrorKind::Busy);
        assert_eq!(kind(quota.acquire(one)), ErrorKind::QuotaExceeded, "the quota of the client comes first");
        drop(own);
        assert_eq!(quota.held(), 1);
        drop((quota.acquire(one).unwrap(), quota.acquire(third).unwrap(), last));
        assert_eq!(quota.held(), 0);
        assert!(quota.held.lock().unwrap().by.is_empty(), "clients without permits are forgotten");
    }

    #[test]
    fn a_client_is_an_address_or_a_network_that_belongs_to_one() {
        assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
        assert_ne!(client("10.0.0.1"), client("10.0.0.2"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_ne!(client("::1"), client("::2"));
    }
}
