//! A [`PvNet`] as a [`ModelFile`].

use std::collections::BTreeMap;

use super::{OWNERS, PvLayout, PvNet, PvShape};
use crate::{Header, ModelError, ModelFile};

/// The kind of these files.
const KIND: &str = "pv";

impl PvNet<f32> {
    /// The network as a file: `encoder` is what its inputs come from, `provenance` where its weights do.
    pub fn to_file(&self, encoder: &str, provenance: BTreeMap<String, String>) -> ModelFile {
        let PvShape { layout, blocks, filters, summary, pooling, squeeze, owners } = self.shape;
        let shape = [
            ("planes", layout.planes),
            ("globals", layout.globals),
            ("policy_planes", layout.policy_planes),
            ("policy_pooled", layout.policy_pooled),
            ("blocks", blocks),
            ("filters", filters),
            ("summary", summary),
            ("pooling", pooling),
            ("squeeze", squeeze),
            ("owners", owners),
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
        let size = |name, most: usize| {
            let found = file.size(name)?;
            let bad = || ModelError::Shape { name, found: Some(found.to_string()) };
            (found <= most).then_some(found).ok_or_else(bad)
        };
        let positive = |name, most| match size(name, most)? {
            0 => Err(ModelError::Shape { name, found: Some("0".to_owned()) }),
            found => Ok(found),
        };
        // Generous bounds: nothing is allocated for sizes that cannot be meant.
        let shape = PvShape {
            layout: PvLayout {
                planes: positive("planes", 4096)?,
                globals: positive("globals", 4096)?,
                policy_planes: positive("policy_planes", 4096)?,
                policy_pooled: size("policy_pooled", 4096)?,
            },
            blocks: size("blocks", 100)?,
            filters: positive("filters", 1024)?,
            summary: positive("summary", 4096)?,
            pooling: size("pooling", 100)?,
            squeeze: size("squeeze", 1024)?,
            owners: size("owners", OWNERS)?,
        };
        // The first layer tells whether the others can be as large as the shape says.
        file.tensor("input.weight", 9 * shape.layout.planes * shape.filters)?;
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
