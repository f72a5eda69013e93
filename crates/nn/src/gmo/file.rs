//! A [`GmoNet`] as a [`ModelFile`].

use std::{collections::BTreeMap, sync::Arc};

use super::{CellGraph, GmoKernels, GmoNet, GmoShape, GraphShape, MoveGroup};
use crate::{Header, ModelError, ModelFile};

/// The kind of these files.
const KIND: &str = "gmo";

/// The tensor with the covariance of the value head's weights.
const COVARIANCE: &str = "covariance";

/// The tensors with the cell and kind of every feature, and with the pairs of neighbouring cells.
const PLACES: &str = "graph.places";
const EDGES: &str = "graph.edges";

impl GmoNet<f32> {
    /// The network as a file: `encoder` is what its inputs come from, `provenance` where its weights do. `covariance` is
    /// that of the value head's weights, or empty.
    pub fn to_file(
        &self,
        encoder: &str,
        provenance: BTreeMap<String, String>,
        covariance: &[f32],
    ) -> ModelFile {
        let GmoShape { features, groups, state, moves, hidden, ensemble, projection, legality, after, graph } =
            &self.shape;
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
        if *after {
            shape.insert("after".to_owned(), "1".to_owned());
        }
        let tensors = self.parameters().into_iter();
        let mut tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)> =
            tensors.map(|(name, sizes, numbers)| (name, (sizes, numbers.to_vec()))).collect();
        if let Some(GraphShape { width, heads, layers, graph }) = graph {
            shape.insert("graph".to_owned(), format!("{width}x{heads}x{layers}"));
            let pairs = |pairs: Vec<[u16; 2]>| {
                (vec![pairs.len(), 2], pairs.into_iter().flatten().map(f32::from).collect::<Vec<f32>>())
            };
            let places = graph.places.iter().map(|&(cell, kind)| [cell, kind]).collect();
            let edges = graph.neighbours.iter().enumerate();
            let edges =
                edges.flat_map(|(cell, others)| others.iter().map(move |&other| [cell as u16, other]));
            tensors.insert(PLACES.to_owned(), pairs(places));
            tensors.insert(EDGES.to_owned(), pairs(edges.collect()));
        }
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
            after: match file.header.shape.get("after").map(String::as_str) {
                None => false,
                Some("1") => true,
                found => {
                    return Err(ModelError::Shape { name: "after", found: found.map(str::to_owned) });
                }
            },
            graph: graph(file)?,
        };
        // Changes are features that a move adds or removes.
        let changes = shape.groups.last().map(|group| group.words);
        if shape.after && changes != Some(2 * shape.features) {
            return Err(ModelError::Shape { name: "after", found: Some("1".to_owned()) });
        }
        if shape.graph.as_ref().is_some_and(|graph| graph.graph.places.len() != shape.features) {
            return Err(ModelError::Format(format!("the tensor {PLACES:?} is not about all features")));
        }
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

/// The sizes of graph attention, if there is any.
fn graph(file: &ModelFile) -> Result<Option<GraphShape>, ModelError> {
    let Some(listed) = file.header.shape.get("graph") else { return Ok(None) };
    let bad = || ModelError::Shape { name: "graph", found: Some(listed.clone()) };
    let sizes: Option<Vec<usize>> = listed.split('x').map(|size| size.parse().ok()).collect();
    let Some(&[width, heads, layers]) = sizes.as_deref() else { return Err(bad()) };
    let fits = (1..=1024).contains(&width) && (1..=64).contains(&heads) && (1..=16).contains(&layers);
    if !fits || width % heads != 0 {
        return Err(bad());
    }
    let pairs = |name: &str| {
        let length = file.tensors.get(name).map_or(0, |tensor| tensor.1.len());
        let numbers = finite(file, name, length)?;
        Ok(numbers.chunks_exact(2).map(|pair| (pair[0] as u16, pair[1] as u16)).collect::<Vec<_>>())
    };
    let (places, edges) = (pairs(PLACES)?, pairs(EDGES)?);
    let cells = edges.iter().map(|&(cell, other)| usize::from(cell.max(other)) + 1).max().unwrap_or(0);
    let mut neighbours = vec![Vec::new(); cells];
    for (cell, other) in edges {
        neighbours[usize::from(cell)].push(other);
    }
    if cells == 0 || neighbours.iter().any(Vec::is_empty) {
        return Err(ModelError::Format(format!("the tensor {EDGES:?} leaves out cells")));
    }
    Ok(Some(GraphShape { width, heads, layers, graph: Arc::new(CellGraph { places, neighbours }) }))
}

fn finite<'f>(file: &'f ModelFile, name: &str, length: usize) -> Result<&'f [f32], ModelError> {
    let numbers = file.tensor(name, length)?;
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(numbers);
    }
    Err(ModelError::Format(format!("the tensor {name:?} has numbers that are not finite")))
}
