//! Nets of moves in the registry: gradient move optimisation and energies.

use eval::{GmoEncoder, GoEbmo, GoGmo, PvEncoder, RingRiftEbmo, RingRiftGmo, RingRiftSeedGmo};
use game::identity_of;
use go::Large;
use nn::{GmoLossWeights, Precision};
use ringrift::{Board, Position, Rules, on_board};
use search::FieldPolicy;

use super::{Model, ModelError};
use crate::{AgentConfig, Kind, Playable, Venue};

/// The kinds of these nets in model files.
pub(crate) const GMO: &str = "gmo";
pub(crate) const EBMO: &str = "ebmo";

/// The name of shipped nets with graph attention, whose files are of the kind [`GMO`].
pub(crate) const IG_GMO: &str = "ig-gmo";

/// The kind of the files of shipped nets with a name.
pub(super) fn of_files(kind: &str) -> &str {
    if kind == IG_GMO { GMO } else { kind }
}

/// The encoder of nets of moves for a venue; `None` for other kinds of nets.
pub(super) fn encoder(kind: &str, venue: Venue) -> Option<String> {
    Some(match (of_files(kind), venue) {
        (GMO, Venue::RingRift { board, .. }) => on_board!(board, B => {
            <RingRiftGmo<B> as GmoEncoder<Position<B>>>::id(&Rules::new(2))
        }),
        (EBMO, Venue::RingRift { board, .. }) => {
            on_board!(board, B => <RingRiftEbmo<B> as PvEncoder<Position<B>>>::id())
        }
        (GMO, Venue::Go { size }) => {
            <GoGmo<Large> as GmoEncoder<go::Position<Large>>>::id(&go::Rules::new(size))
        }
        (EBMO, Venue::Go { .. }) => <GoEbmo as PvEncoder<go::Position<Large>>>::id(),
        _ => return None,
    })
}

impl Model {
    /// Whether it is a net of moves: their worth or their energy is a smooth function of a point.
    pub fn is_field(&self) -> bool {
        [GMO, EBMO].contains(&self.header.kind.as_str())
    }

    /// Whether it is a net of energies.
    pub fn is_ebmo(&self) -> bool {
        self.header.kind == EBMO
    }

    /// The policy that the worth of moves amounts to, for searches of agents with this configuration.
    ///
    /// # Errors
    /// If it does not embed moves of positions of this type.
    pub(crate) fn field_policy<G: Playable>(
        &self,
        config: &AgentConfig,
    ) -> Result<FieldPolicy<G>, ModelError> {
        // Both kinds learn a softmax of worths at a temperature. Energies were trained at the one in their file.
        let trained = self.header.provenance.get("temperature").filter(|_| self.is_ebmo());
        let temperature: f64 = trained
            .and_then(|text| text.parse().ok())
            .filter(|&temperature| temperature > 0.0)
            .unwrap_or(GmoLossWeights::default().temperature);
        let field = G::field(self, config)?;
        Ok(FieldPolicy::new(field, (1.0 / temperature) as f32, identity_of((&self.hash, "policy"))))
    }

    /// Evaluates the moves of all positions of random games. Returns the number of positions.
    pub(super) fn try_out_field(&self, games: u64, seed: u64) -> Result<u64, ModelError> {
        let config = AgentConfig::new(if self.is_ebmo() { Kind::Ebmo } else { Kind::Gmo });
        let plain = |board: Board| {
            on_board!(board, B => {
                <RingRiftSeedGmo<B> as GmoEncoder<Position<B>>>::id(&Rules::new(2))
            })
        };
        let fits = |venue: &Venue| {
            let is_plain =
                matches!(venue, Venue::RingRift { board, .. } if plain(*board) == self.header.encoder);
            is_plain || encoder(&self.header.kind, *venue).as_ref() == Some(&self.header.encoder)
        };
        let boards = Board::ALL.into_iter().map(|board| Venue::RingRift { board, seats: 2 });
        let sizes = (2..=19).map(|size| Venue::Go { size });
        match boards.chain(sizes).find(fits) {
            Some(Venue::RingRift { board, .. }) => on_board!(board, B => {
                let rules = |game: u64| Rules::new(2 + (game % 3) as u8);
                self.evaluate_games_by(self.field_policy::<Position<B>>(&config)?, rules, games, seed)
            }),
            Some(Venue::Go { size }) => {
                // Nets of energies play on boards of any size.
                let size = if self.is_ebmo() { 9 } else { size };
                let policy = self.field_policy::<go::Position<Large>>(&config)?;
                self.evaluate_games_by(policy, |_| go::Rules::new(size), games, seed)
            }
            None => Err(ModelError::Mismatch {
                net: self.id(),
                field: "encoder",
                found: self.header.encoder.clone(),
                expected: "an encoder of moves of this version".to_owned(),
            }),
        }
    }

    /// The net as a model file of half the size. Its weights have eleven significant bits.
    pub(super) fn field_to_half(&self) -> Result<Vec<u8>, ModelError> {
        Ok(self.file()?.to_bytes_in(Precision::Half))
    }
}
