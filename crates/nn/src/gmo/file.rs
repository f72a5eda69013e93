//! A [`GmoNet`] as a [`ModelFile`].

use std::collections::BTreeMap;

use super::{GmoKernels, GmoNet, GmoShape, MoveGroup};
use crate::{Header, ModelError, ModelFile};

/// The kind of these files.
const KIND: &str = "gmo";

/// The tensor with the covariance of the value head's weights.
const COVARIANCE: &str = "covariance";

impl GmoNet<f32> {
    /// The network as a file: `encoder` is what its inputs come from, `provenance` where its weights do. `covariance` is
    /// that of the value head's weights, or empty.
    pub fn to_file(
        &self,
        encoder: &str,
        provenance: BTreeMap<String, String>,
        covariance: &[f32],
    ) -> ModelFile {
        let GmoShape { features, groups, state, moves, hidden, ensemble, projection, legality } = &self.shape;
        let listed: Vec<String> =
            groups.iter().map(|group| format!("{}x{}", group.words, group.width)).collect();
        let numbers = [
            ("features", features),
            ("state", state),
            ("moves", moves),
            ("hidden", hidden),
            ("ensemble", ensemble),
            ("projection", projection),
            ("legality", legality),
        ];
        let mut shape: BTreeMap<String, String> =
            numbers.map(|(name, value)| (name.to_owned(), value.to_string())).into();
        shape.insert("groups".to_owned(), listed.join(","));
        let tensors = self.parameters().into_iter();
        let mut tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)> =
            tensors.map(|(name, sizes, numbers)| (name, (sizes, numbers.to_vec()))).collect();
        if !covariance.is_empty() {
            tensors.insert(COVARIANCE.to_owned(), (vec![*hidden, *hidden], covariance.to_vec()));
        }
        let (kind, encoder) = (KIND.to_owned(), encoder.to_owned());
        ModelFile { header: Header { kind, encoder, shape, provenance }, tensors }
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
        let listed = file.header.shape.get("groups");
        let bad = || ModelError::Shape { name: "groups", found: listed.cloned() };
        let group = |text: &str| {
            let (words, width) = text.split_once('x')?;
            let (words, width) = (words.parse().ok()?, width.parse().ok()?);
            ((1..=65_536).contains(&words) && (1..=4096).contains(&width))
                .then_some(MoveGroup { words, width })
        };
        let groups: Option<Vec<MoveGroup>> = listed.ok_or_else(bad)?.split(',').map(group).collect();
        // Generous bounds: nothing is allocated for sizes that cannot be meant.
        let shape = GmoShape {
            features: size("features", 1, 65_536)?,
            groups: groups.ok_or_else(bad)?,
            state: size("state", 1, 4096)?,
            moves: size("moves", 1, 4096)?,
            hidden: size("hidden", 1, 4096)?,
            ensemble: size("ensemble", 0, 64)?,
            projection: size("projection", 0, 4096)?,
            legality: size("legality", 0, 4096)?,
        };
        // The first layer tells whether the others can be as large as the shape says.
        file.tensor("features.weight", shape.features * shape.hidden)?;
        let mut net = Self::zeros(&shape);
        let names: Vec<(String, usize)> =
            net.parameters().into_iter().map(|(name, _, numbers)| (name, numbers.len())).collect();
        for ((name, length), weights) in names.iter().zip(net.parameters_mut()) {
            weights.copy_from_slice(finite(file, name, *length)?);
        }
        Ok(net)
    }
}

impl GmoKernels<f32> {
    /// The network in a file, with its posterior if it has one.
    ///
    /// # Errors
    /// As [`GmoNet::from_file`].
    pub fn from_file(file: &ModelFile) -> Result<Self, ModelError> {
        let kernels = Self::new(GmoNet::from_file(file)?);
        if !file.tensors.contains_key(COVARIANCE) {
            return Ok(kernels);
        }
        let hidden = kernels.net().shape.hidden;
        let covariance = finite(file, COVARIANCE, hidden * hidden)?.to_vec();
        Ok(kernels.with_covariance(covariance))
    }
}

fn finite<'f>(file: &'f ModelFile, name: &str, length: usize) -> Result<&'f [f32], ModelError> {
    let numbers = file.tensor(name, length)?;
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(numbers);
    }
    Err(ModelError::Format(format!("the tensor {name:?} has numbers that are not finite")))
}
