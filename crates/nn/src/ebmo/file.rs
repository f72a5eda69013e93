//! An [`EbmoNet`] as a [`ModelFile`].

use std::collections::BTreeMap;

use super::{EbmoNet, EbmoShape};
use crate::{Header, ModelError, ModelFile, PvLayout, PvShape};

/// The kind of these files.
const KIND: &str = "ebmo";

impl EbmoNet<f32> {
    /// The network as a file: `encoder` is what its inputs come from, `provenance` where its weights do.
    pub fn to_file(&self, encoder: &str, provenance: BTreeMap<String, String>) -> ModelFile {
        let EbmoShape { trunk, features, action_hidden, action, hidden, layers, local } = &self.shape;
        let shape = [
            ("planes", trunk.layout.planes),
            ("globals", trunk.layout.globals),
            ("blocks", trunk.blocks),
            ("filters", trunk.filters),
            ("summary", trunk.summary),
            ("squeeze", trunk.squeeze),
            ("features", *features),
            ("action_hidden", *action_hidden),
            ("action", *action),
            ("hidden", *hidden),
            ("layers", *layers),
            ("local", usize::from(*local)),
        ];
        let tensors = self.parameters().into_iter();
        ModelFile {
            header: Header {
                kind: KIND.to_owned(),
                encoder: encoder.to_owned(),
                shape: shape.map(|(name, value)| (name.to_owned(), value.to_string())).into(),
                provenance,
            },
            tensors: tensors.map(|(name, sizes, numbers)| (name, (sizes, numbers.to_vec()))).collect(),
        }
    }

    /// The network in a file.
    ///
    /// # Errors
    /// If the file holds something else, not all of it, or numbers that are not finite.
    pub fn from_file(file: &ModelFile) -> Result<Self, ModelError> {
        if file.header.kind != KIND {
            return Err(ModelError::Kind { found: file.header.kind.clone(), expected: KIND });
        }
        let size = |name, least: usize, most: usize| {
            let found = file.size(name)?;
            let bad = || ModelError::Shape { name, found: Some(found.to_string()) };
            (least..=most).contains(&found).then_some(found).ok_or_else(bad)
        };
        // Generous bounds: nothing is allocated for sizes that cannot be meant.
        let layout = PvLayout {
            planes: size("planes", 1, 4096)?,
            globals: size("globals", 1, 4096)?,
            policy_planes: 1,
            policy_pooled: 0,
        };
        let shape = EbmoShape {
            trunk: PvShape {
                layout,
                blocks: size("blocks", 0, 100)?,
                filters: size("filters", 1, 1024)?,
                summary: size("summary", 1, 4096)?,
                pooling: 0,
                squeeze: size("squeeze", 0, 1024)?,
                owners: 0,
            },
            features: size("features", 1, 4096)?,
            action_hidden: size("action_hidden", 1, 4096)?,
            action: size("action", 1, 4096)?,
            hidden: size("hidden", 1, 4096)?,
            layers: size("layers", 2, 16)?,
            local: size("local", 0, 1)? == 1,
        };
        // The first layer tells whether the others can be as large as the shape says.
        file.tensor("trunk.input.weight", 9 * layout.planes * shape.trunk.filters)?;
        let mut net = Self::zeros(&shape);
        let names: Vec<(String, usize)> =
            net.parameters().into_iter().map(|(name, _, numbers)| (name, numbers.len())).collect();
        for ((name, length), weights) in names.iter().zip(net.parameters_mut()) {
            let numbers = file.tensor(name, *length)?;
            if numbers.iter().any(|number| !number.is_finite()) {
                return Err(ModelError::Format(format!(
                    "the tensor {name:?} has numbers that are not finite"
                )));
            }
            weights.copy_from_slice(numbers);
        }
        Ok(net)
    }
}
