//! Content-based ids, so that the same agent has the same identity on any machine.

/// The net hash of participants without a net.
pub const NO_NET: &str = "none";

/// The BLAKE3 hash of some parts, as 64 hexadecimal digits.
///
/// `domain` separates kinds of ids, and the length of every part is hashed too, so that different lists of parts never
/// have the same input.
pub fn content_id(domain: &str, parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [domain].iter().chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// The id of a participant, from the content hash of its net ([`NO_NET`] without one) and its resolved spec.
///
/// ```
/// use arena::{NO_NET, participant_id};
/// let id = participant_id(NO_NET, "mcts(sims=400)");
/// assert_eq!(id.len(), 64);
/// assert_ne!(id, participant_id(NO_NET, "mcts(sims=401)"));
/// ```
pub fn participant_id(net: &str, spec: &str) -> String {
    content_id("riftlab participant", &[net, spec])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_separated() {
        let ids = [
            content_id("a", &["bc", "d"]),
            content_id("a", &["b", "cd"]),
            content_id("ab", &["c", "d"]),
            content_id("a", &["bcd"]),
        ];
        for (place, id) in ids.iter().enumerate() {
            assert!(!ids[..place].contains(id), "{ids:?}");
        }
    }

    #[test]
    fn an_id_never_changes() {
        // Ratings are stored under these ids, so a change would orphan every existing database.
        let id = participant_id(NO_NET, "random");
        assert_eq!(id, "2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11");
    }
}
