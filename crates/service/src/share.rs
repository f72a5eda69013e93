//! Fair shares of what is bounded: so much in all, and half of that for one client.
//!
//! Who asks for more than there is in all hears that the service is full; who holds a whole share alone hears that it is
//! this client's own doing, while others still find room. A client is an address: programs on the same machine, and
//! everybody behind the same proxy, are one.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{ApiError, ErrorKind};

/// Who asks, as far as it can be told from a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            // Whoever has one address of such a network has all of them.
            IpAddr::V6(address) if !address.is_loopback() => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
            }
            address => address,
        })
    }
}

/// SeatPermutation that are handed out.
#[derive(Debug)]
pub struct Shares {
    /// What a place is taken for, in the plural.
    what: &'static str,
    most: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: usize,
    by: HashMap<Client, usize>,
}

/// A place, given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    of: Arc<Shares>,
    client: Client,
}

impl Shares {
    /// At most `most` places in all. `what` they are for is told to whoever gets none.
    pub fn new(what: &'static str, most: usize) -> Arc<Self> {
        Arc::new(Self { what, most, held: Mutex::default() })
    }

    /// How many places one client may hold of `most`.
    pub(crate) fn each(most: usize) -> usize {
        most.div_ceil(2)
    }

    /// How many are held.
    pub fn held(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// A place for `client`.
    ///
    /// # Errors
    /// If the client has its share already, or nothing is left for anybody.
    pub fn take(self: &Arc<Self>, client: Client) -> Result<Share, ApiError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let own = held.by.get(&client).copied().unwrap_or(0);
        admit(self.what, self.most, held.all, own)?;
        held.all += 1;
        held.by.insert(client, own + 1);
        Ok(Share { of: Arc::clone(self), client })
    }
}

/// Whether there is room for one more, where `all` are held of `most` and a client holds `own` of them.
///
/// # Errors
/// If there is not.
pub(crate) fn admit(what: &str, most: usize, all: usize, own: usize) -> Result<(), ApiError> {
    if own >= Shares::each(most) {
        let words = format!("{own} {what} for you alone, your share: try again when one is over");
        return Err(ApiError::new(ErrorKind::Greedy, words));
    }
    if all >= most {
        return Err(ApiError::new(
            ErrorKind::Busy,
            format!("{all} {what}, no more fit: try again in a second"),
        ));
    }
    Ok(())
}

impl Drop for Share {
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
        let shares = Shares::new("searches wait", 3);
        let [one, other, third] = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map(client);
        let sort = |taken: Result<Share, ApiError>| taken.unwrap_err().kind;
        let own: Vec<Share> = (0..2).map(|_| shares.take(one).unwrap()).collect();
        assert_eq!(sort(shares.take(one)), ErrorKind::Greedy);
        let last = shares.take(other).unwrap();
        assert_eq!(sort(shares.take(third)), ErrorKind::Busy);
        assert_eq!(sort(shares.take(one)), ErrorKind::Greedy, "more than a share is never right");
        drop(own);
        assert_eq!(shares.held(), 1);
        drop((shares.take(one).unwrap(), shares.take(third).unwrap(), last));
        assert_eq!(shares.held(), 0);
        assert!(shares.held.lock().unwrap().by.is_empty(), "clients that left are forgotten");
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
