//! Plane networks in a [`ModelFile`], which can hold several: each has a name that its tensors and sizes begin with.

use super::{PlaneActivation, PlaneHead, PlaneNet, PlaneShape};
use crate::{ModelError, ModelFile};

impl PlaneNet<f32> {
    /// Adds the network to a file under a name.
    pub fn add_to(&self, file: &mut ModelFile, name: &str) {
        let PlaneShape { planes, layers, channels, residual, activation, head } = self.shape;
        let activation = match activation {
            PlaneActivation::Relu => "relu",
            PlaneActivation::Elu => "elu",
        };
        let head = match head {
            PlaneHead::Value => "value",
            PlaneHead::Map => "map",
        };
        let mut put = |field: &str, text: String| file.header.shape.insert(format!("{name}.{field}"), text);
        put("planes", planes.to_string());
        put("layers", layers.to_string());
        put("channels", channels.to_string());
        put("residual", residual.to_string());
        put("activation", activation.to_owned());
        put("head", head.to_owned());
        for (tensor, sizes, numbers) in self.parameters() {
            file.tensors.insert(format!("{name}.{tensor}"), (sizes, numbers.to_vec()));
        }
    }

    /// The network of this name in a file.
    ///
    /// # Errors
    /// If there is none, it is not complete, or has numbers that are not finite.
    pub fn read_from(file: &ModelFile, name: &str) -> Result<Self, ModelError> {
        let bad = |field: &'static str, found: Option<&String>| ModelError::Shape {
            name: field,
            found: found.cloned(),
        };
        let text = |field: &str| file.header.shape.get(&format!("{name}.{field}"));
        // Generous bounds: nothing is allocated for sizes that cannot be meant.
        let size = |field: &'static str, most: usize| {
            let found = text(field);
            let size = found.and_then(|text| text.parse().ok());
            size.filter(|size| (1..=most).contains(size)).ok_or_else(|| bad(field, found))
        };
        let choice = |field: &'static str, names: [&str; 2]| {
            let found = text(field);
            let place = names.iter().position(|name| found.is_some_and(|found| found == name));
            place.ok_or_else(|| bad(field, found))
        };
        let shape = PlaneShape {
            planes: size("planes", 4096)?,
            layers: size("layers", 200)?,
            channels: size("channels", 1024)?,
            residual: choice("residual", ["false", "true"])? == 1,
            activation: [PlaneActivation::Relu, PlaneActivation::Elu][choice("activation", ["relu", "elu"])?],
            head: [PlaneHead::Value, PlaneHead::Map][choice("head", ["value", "map"])?],
        };
        // The first layer tells whether the others can be as large as the shape says.
        file.tensor(&format!("{name}.conv.0.weight"), 9 * shape.planes * shape.channels)?;
        let mut net = Self::zeros(&shape);
        let names: Vec<String> = net.parameters().into_iter().map(|(tensor, _, _)| tensor).collect();
        for (tensor, weights) in names.iter().zip(net.parameters_mut()) {
            let tensor = format!("{name}.{tensor}");
            let numbers = file.tensor(&tensor, weights.len())?;
            if numbers.iter().any(|number| !number.is_finite()) {
                let problem = format!("the tensor {tensor:?} has numbers that are not finite");
                return Err(ModelError::Format(problem));
            }
            weights.copy_from_slice(numbers);
        }
        Ok(net)
    }
}
