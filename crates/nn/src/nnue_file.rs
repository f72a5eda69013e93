//! An [`Nnue`] as a [`ModelFile`].

use std::collections::BTreeMap;

use crate::{Activation, Header, ModelError, ModelFile, Nnue, NnueShape};

/// The kind of these files.
const KIND: &str = "nnue";

impl Nnue<f32> {
    /// The network as a file: `encoder` is what its features come from, `provenance` where its weights do.
    pub fn to_file(&self, encoder: &str, provenance: BTreeMap<String, String>) -> ModelFile {
        let NnueShape { features, hidden, activation, layers, buckets, scalars } = &self.shape;
        let layers: Vec<String> = layers.iter().map(ToString::to_string).collect();
        let shape = [
            ("features", features.to_string()),
            ("hidden", hidden.to_string()),
            ("activation", activation.name().to_owned()),
            ("layers", layers.join(",")),
            ("buckets", buckets.to_string()),
        ];
        // Absent where there are none, as in files that are older than scalars.
        let scalars = (*scalars > 0).then(|| ("scalars", scalars.to_string()));
        let tensors = self.parameters().into_iter();
        ModelFile {
            header: Header {
                kind: KIND.to_owned(),
                encoder: encoder.to_owned(),
                shape: shape
                    .into_iter()
                    .chain(scalars)
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
                provenance,
            },
            tensors: tensors.map(|(name, numbers)| (name, (vec![numbers.len()], numbers.to_vec()))).collect(),
        }
    }

    /// The network in a file.
    ///
    /// # Errors
    /// If the file holds something else, or not all of it.
    pub fn from_file(file: &ModelFile) -> Result<Self, ModelError> {
        if file.header.kind != KIND {
            return Err(ModelError::Kind { found: file.header.kind.clone(), expected: KIND });
        }
        let text = |name: &str| file.header.shape.get(name).cloned();
        let bad = |name| ModelError::Shape { name, found: text(name) };
        let layers = text("layers").unwrap_or_default();
        let layers = layers.split(',').filter(|size| !size.is_empty()).map(str::parse);
        let shape = NnueShape {
            features: file.size("features")?,
            hidden: file.size("hidden")?,
            activation: text("activation")
                .and_then(|name| Activation::parse(&name))
                .ok_or_else(|| bad("activation"))?,
            layers: layers.collect::<Result<_, _>>().map_err(|_| bad("layers"))?,
            buckets: file.size("buckets")?,
            scalars: if text("scalars").is_some() { file.size("scalars")? } else { 0 },
        };
        // Sizes are compared with what is there before anything is allocated for them.
        let known = file.tensors.values().map(|(_, numbers)| numbers.len()).max().unwrap_or(0);
        let sound = (1..=known).contains(&shape.hidden)
            && shape.features.checked_mul(shape.hidden).is_some_and(|weights| (1..=known).contains(&weights))
            && (1..=64).contains(&shape.buckets)
            && shape.scalars <= known
            && shape.layers.len() <= 4
            && shape.layers.iter().all(|size| (1..=known).contains(size));
        if !sound {
            return Err(ModelError::Tensor {
                name: "input.weight".to_owned(),
                expected: shape.features * shape.hidden,
            });
        }
        let mut net = Self::zeros(&shape);
        let names: Vec<(String, usize)> =
            net.parameters().into_iter().map(|(name, numbers)| (name, numbers.len())).collect();
        for ((name, length), weights) in names.iter().zip(net.parameters_mut()) {
            weights.copy_from_slice(file.tensor(name, *length)?);
        }
        Ok(net)
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    fn net(layers: &[usize], scalars: usize) -> Nnue<f32> {
        let activation = Activation::SquaredClippedRelu;
        let layers = layers.to_vec();
        let shape = NnueShape { features: 9, hidden: 8, activation, layers, buckets: 3, scalars };
        Nnue::random(&shape, 4, &mut Xoshiro256PlusPlus::seed_from_u64(4))
    }

    #[test]
    fn a_network_comes_back_from_its_file_and_equal_networks_have_equal_bytes() {
        for (layers, scalars) in [(&[][..], 0), (&[6, 5], 0), (&[], 3), (&[6], 2)] {
            let provenance = BTreeMap::from([("data".to_owned(), "ten games".to_owned())]);
            let file = net(layers, scalars).to_file("toy-1", provenance);
            let bytes = file.to_bytes();
            assert_eq!(
                bytes,
                net(layers, scalars).to_file("toy-1", file.header.provenance.clone()).to_bytes()
            );
            let read = ModelFile::from_bytes(&bytes).expect("it was just written");
            assert_eq!(read, file);
            assert_eq!(Nnue::from_file(&read).expect("it holds a network"), net(layers, scalars));
        }
    }

    #[test]
    fn damaged_foreign_and_incomplete_files_are_refused() {
        let file = net(&[], 0).to_file("toy-1", BTreeMap::new());
        let bytes = file.to_bytes();
        for end in [0, 7, 20, bytes.len() - 1] {
            assert!(matches!(ModelFile::from_bytes(&bytes[..end]), Err(ModelError::Format(_))), "{end}");
        }
        for place in [bytes.len() - 1, bytes.len() - 100] {
            let mut altered = bytes.clone();
            altered[place] ^= 1;
            assert!(matches!(ModelFile::from_bytes(&altered), Err(ModelError::Damaged { .. })), "{place}");
        }
        let mut other = file.clone();
        other.header.kind = "resnet".to_owned();
        assert!(matches!(Nnue::from_file(&other), Err(ModelError::Kind { .. })));
        let mut missing = file.clone();
        missing.tensors.remove("head.2.0.bias");
        assert!(matches!(Nnue::from_file(&missing), Err(ModelError::Tensor { .. })));
        for (name, value) in [
            ("hidden", "0"),
            ("hidden", "99999999999"),
            ("buckets", "x"),
            ("layers", "6,"),
            ("scalars", "2"),
            ("scalars", "x"),
        ] {
            let mut wrong = file.clone();
            wrong.header.shape.insert(name.to_owned(), value.to_owned());
            assert!(Nnue::from_file(&wrong).is_err(), "{name}={value}");
        }
    }
}
