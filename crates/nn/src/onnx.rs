//! Networks as ONNX files, for other programs.
//!
//! An ONNX file is one message of Protocol Buffers. The few messages that a network needs are written by hand, since a
//! library for them would be larger than all of this crate.
//!
//! | input or output | type | meaning |
//! |---|---|---|
//! | `features` | float, batch × perspectives × features | 1 for every active feature of a perspective, 0 for others |
//! | `scalars` | float, batch × perspectives × scalars | what heads read beside features; only if the network has scalars |
//! | `heads` | int64, batch × perspectives | the head of every perspective |
//! | `logits` | float, batch × perspectives | |
//! | `shares` | float, batch × perspectives | the softmax of the logits: each seat's share of the game |

use crate::{Activation, Header, Linear, Nnue};

/// The versions of the format and of its operators.
const IR_VERSION: u64 = 8;
const OPERATORS: u64 = 13;

/// Numbers of types in the format.
pub(crate) const FLOAT: u64 = 1;
const INT64: u64 = 7;

impl Nnue<f32> {
    /// The network as an ONNX file. The fields of `header` become its metadata.
    pub fn to_onnx(&self, header: &Header) -> Vec<u8> {
        let mut graph = Graph::new("nnue");
        self.write_graph(&mut graph);
        model(&graph, header)
    }

    fn write_graph(&self, graph: &mut Graph) {
        let shape = &self.shape;
        graph.tensor("input.weight", &[shape.features, shape.hidden], &self.input.weights);
        graph.tensor("input.bias", &[shape.hidden], &self.input.biases);
        graph.tensor("zero", &[], &[0.0]);
        graph.tensor("one", &[], &[1.0]);
        graph.indices("axis 2", &[2]);
        graph.node("MatMul", &["features", "input.weight"], "products", &[]);
        graph.node("Add", &["products", "input.bias"], "sums", &[]);
        self.write_activation(graph, "sums", "activations");
        let mut inputs = "activations".to_owned();
        if !shape.layers.is_empty() {
            // The mean over the other perspectives: (total − own) ÷ (number − 1).
            graph.indices("axis 1", &[1]);
            graph.node("ReduceSum", &["activations", "axis 1"], "total", &[]);
            graph.node("Sub", &["total", "activations"], "others", &[]);
            graph.node("Shape", &["activations"], "sizes", &[]);
            graph.node("Gather", &["sizes", "axis 1"], "perspectives", &[]);
            graph.node("Cast", &["perspectives"], "number", &[Attribute::Int("to", FLOAT)]);
            graph.node("Sub", &["number", "one"], "number of others", &[]);
            graph.node("Div", &["others", "number of others"], "mean of others", &[]);
            graph.node("Concat", &["activations", "mean of others"], "head", &[Attribute::Int("axis", 2)]);
            "head".clone_into(&mut inputs);
        }
        if shape.scalars > 0 {
            graph.node("Concat", &[&inputs, "scalars"], "head and scalars", &[Attribute::Int("axis", 2)]);
            "head and scalars".clone_into(&mut inputs);
            graph.input("scalars", FLOAT, &[Err("batch"), Err("perspectives"), Ok(shape.scalars)]);
        }
        for number in 0..=shape.layers.len() {
            let layers: Vec<&Linear<f32>> = self.heads.iter().map(|head| &head[number]).collect();
            inputs = graph.layer(number, &layers, &inputs);
            if number < shape.layers.len() {
                let activated = format!("layer {number} activated");
                self.write_activation(graph, &inputs, &activated);
                inputs = activated;
            }
        }
        graph.node("Squeeze", &[&inputs, "axis 2"], "logits", &[]);
        graph.node("Softmax", &["logits"], "shares", &[Attribute::Int("axis", 1)]);
        graph.input("features", FLOAT, &[Err("batch"), Err("perspectives"), Ok(shape.features)]);
        graph.input("heads", INT64, &[Err("batch"), Err("perspectives")]);
        graph.output("logits", FLOAT, &[Err("batch"), Err("perspectives")]);
        graph.output("shares", FLOAT, &[Err("batch"), Err("perspectives")]);
    }

    fn write_activation(&self, graph: &mut Graph, sums: &str, output: &str) {
        match self.shape.activation {
            Activation::ClippedRelu => graph.node("Clip", &[sums, "zero", "one"], output, &[]),
            Activation::SquaredClippedRelu => {
                let clipped = format!("{sums} clipped");
                graph.node("Clip", &[sums, "zero", "one"], &clipped, &[]);
                graph.node("Mul", &[&clipped, &clipped], output, &[]);
            }
        }
    }
}

/// A whole file: the graph, with the fields of `header` as metadata.
pub(crate) fn model(graph: &Graph, header: &Header) -> Vec<u8> {
    let mut model = Message::default();
    model.number(1, IR_VERSION).text(2, "riftlab").message(7, &graph.0);
    let mut operators = Message::default();
    operators.text(1, "").number(2, OPERATORS);
    model.message(8, &operators);
    let mut metadata = vec![("kind".to_owned(), &header.kind), ("encoder".to_owned(), &header.encoder)];
    // The format forbids equal names, and a recipe may repeat fields of the shape.
    for (group, fields) in [("shape", &header.shape), ("provenance", &header.provenance)] {
        metadata.extend(fields.iter().map(|(name, value)| (format!("{group}.{name}"), value)));
    }
    for (name, value) in metadata {
        let mut entry = Message::default();
        entry.text(1, &name).text(2, value);
        model.message(14, &entry);
    }
    model.0
}

/// A named option of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Attribute {
    /// One whole number.
    Int(&'static str, u64),
    /// Several.
    Ints(&'static str, Vec<u64>),
}

/// A graph of operations under construction.
pub(crate) struct Graph(Message);

impl Graph {
    pub(crate) fn new(name: &str) -> Self {
        let mut graph = Message::default();
        graph.text(2, name);
        Self(graph)
    }

    /// A dense layer with weights by head. Returns the name of its output.
    fn layer(&mut self, number: usize, layers: &[&Linear<f32>], inputs: &str) -> String {
        let (width, height) = (layers[0].inputs, layers[0].outputs());
        // Stored with one row per output; the product needs one row per input.
        let transposed = |layer: &&Linear<f32>| -> Vec<f32> {
            let column = |input: usize| layer.weights.iter().skip(input).step_by(width).copied();
            (0..width).flat_map(column).collect()
        };
        let weights: Vec<f32> = layers.iter().flat_map(transposed).collect();
        let biases: Vec<f32> = layers.iter().flat_map(|layer| layer.biases.iter().copied()).collect();
        let name = |part: &str| format!("layer {number} {part}");
        self.tensor(&name("weights"), &[layers.len(), width, height], &weights);
        self.tensor(&name("biases"), &[layers.len(), height], &biases);
        // Every perspective has weights of its own, so its inputs are a matrix with one row.
        self.node("Gather", &[&name("weights"), "heads"], &name("chosen weights"), &[]);
        self.node("Gather", &[&name("biases"), "heads"], &name("chosen biases"), &[]);
        self.node("Unsqueeze", &[inputs, "axis 2"], &name("rows"), &[]);
        self.node("MatMul", &[&name("rows"), &name("chosen weights")], &name("products"), &[]);
        self.node("Squeeze", &[&name("products"), "axis 2"], &name("outputs"), &[]);
        self.node("Add", &[&name("outputs"), &name("chosen biases")], &name("sums"), &[]);
        name("sums")
    }

    /// An operation with one output.
    pub(crate) fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[Attribute]) {
        let mut node = Message::default();
        for input in inputs {
            node.text(1, input);
        }
        node.text(2, output).text(4, operator);
        for attribute in attributes {
            let mut message = Message::default();
            // 2 and 7 are the types of one and of several integers.
            match attribute {
                Attribute::Int(name, value) => {
                    message.text(1, name).number(3, *value).number(20, 2);
                }
                Attribute::Ints(name, values) => {
                    message.text(1, name);
                    for &value in values {
                        message.number(8, value);
                    }
                    message.number(20, 7);
                }
            }
            node.message(5, &message);
        }
        self.0.message(1, &node);
    }

    pub(crate) fn tensor(&mut self, name: &str, sizes: &[usize], numbers: &[f32]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(name, sizes, FLOAT, &bytes);
    }

    pub(crate) fn indices(&mut self, name: &str, numbers: &[i64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(name, &[numbers.len()], INT64, &bytes);
    }

    fn constant(&mut self, name: &str, sizes: &[usize], kind: u64, bytes: &[u8]) {
        let mut tensor = Message::default();
        for &size in sizes {
            tensor.number(1, size as u64);
        }
        tensor.number(2, kind).text(8, name).bytes(9, bytes);
        self.0.message(5, &tensor);
    }

    /// An input with sizes that are known, or have names.
    pub(crate) fn input(&mut self, name: &str, kind: u64, sizes: &[Result<usize, &str>]) {
        self.value(11, name, kind, sizes);
    }

    /// An output, likewise.
    pub(crate) fn output(&mut self, name: &str, kind: u64, sizes: &[Result<usize, &str>]) {
        self.value(12, name, kind, sizes);
    }

    fn value(&mut self, field: u64, name: &str, kind: u64, sizes: &[Result<usize, &str>]) {
        let mut shape = Message::default();
        for size in sizes {
            let mut dimension = Message::default();
            match size {
                Ok(size) => dimension.number(1, *size as u64),
                Err(name) => dimension.text(2, name),
            };
            shape.message(1, &dimension);
        }
        let (mut tensor, mut of, mut value) = (Message::default(), Message::default(), Message::default());
        tensor.number(1, kind).message(2, &shape);
        of.message(1, &tensor);
        value.text(1, name).message(2, &of);
        self.0.message(field, &value);
    }
}

/// A message of Protocol Buffers under construction: fields with a number, each a whole number or a run of bytes.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    /// Seven bits a byte, lowest first; the high bit says that more follow.
    fn variable(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(&mut self, field: u64, number: u64) -> &mut Self {
        self.variable(field << 3);
        self.variable(number);
        self
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.variable(field << 3 | 2);
        self.variable(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn text(&mut self, field: u64, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(&mut self, field: u64, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;
    use crate::{NnueShape, PvLayout, PvNet, PvPreset, PvShape};

    /// The fields of a message: a number, or bytes.
    fn fields(mut bytes: &[u8]) -> Vec<(u64, Result<u64, &[u8]>)> {
        fn variable(bytes: &mut &[u8]) -> u64 {
            let mut number = 0;
            for place in 0.. {
                let (&byte, rest) = bytes.split_first().expect("a whole number");
                *bytes = rest;
                number |= u64::from(byte & 0x7f) << (7 * place);
                if byte < 0x80 {
                    break;
                }
            }
            number
        }
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let tag = variable(&mut bytes);
            let number = variable(&mut bytes);
            if tag.is_multiple_of(8) {
                fields.push((tag >> 3, Ok(number)));
            } else {
                let (value, rest) = bytes.split_at(number as usize);
                bytes = rest;
                fields.push((tag >> 3, Err(value)));
            }
        }
        fields
    }

    fn texts(message: &[u8], field: u64) -> Vec<String> {
        let of = fields(message).into_iter().filter(|(number, _)| *number == field);
        of.map(|(_, value)| String::from_utf8(value.unwrap_err().to_vec()).unwrap()).collect()
    }

    fn messages(message: &[u8], field: u64) -> Vec<Vec<u8>> {
        let of = fields(message).into_iter().filter(|(number, _)| *number == field);
        of.map(|(_, value)| value.unwrap_err().to_vec()).collect()
    }

    /// Checks that operations read what earlier ones computed, that all constants and inputs are used, and that tensors
    /// have their sizes. Returns the names and values of the metadata.
    fn check(model: &[u8]) -> Vec<Vec<String>> {
        let graph = messages(model, 7).remove(0);
        let mut known: Vec<String> =
            messages(&graph, 11).iter().map(|input| texts(input, 1).remove(0)).collect();
        for tensor in messages(&graph, 5) {
            let sizes = fields(&tensor).into_iter().filter(|(field, _)| *field == 1);
            let count: u64 = sizes.map(|(_, size)| size.unwrap()).product();
            let bytes = messages(&tensor, 9).remove(0).len() as u64;
            let size = if fields(&tensor).contains(&(2, Ok(FLOAT))) { 4 } else { 8 };
            assert_eq!(bytes, size * count, "{:?}", texts(&tensor, 8));
            known.extend(texts(&tensor, 8));
        }
        let mut unused: BTreeSet<String> = known.iter().cloned().collect();
        assert_eq!(unused.len(), known.len(), "names are unique");
        for node in messages(&graph, 1) {
            let inputs = texts(&node, 1);
            unused.retain(|name| !inputs.contains(name));
            assert!(inputs.iter().all(|input| known.contains(input)), "{inputs:?}");
            let outputs = texts(&node, 2);
            assert!(outputs.iter().all(|output| !known.contains(output)), "{outputs:?} twice");
            known.extend(outputs);
        }
        assert!(unused.is_empty(), "{unused:?}");
        for output in messages(&graph, 12) {
            assert!(known.contains(&texts(&output, 1).remove(0)));
        }
        let metadata: Vec<Vec<String>> =
            messages(model, 14).iter().map(|entry| [texts(entry, 1), texts(entry, 2)].concat()).collect();
        let names: BTreeSet<&String> = metadata.iter().map(|entry| &entry[0]).collect();
        assert_eq!(names.len(), metadata.len(), "{metadata:?}");
        metadata
    }

    #[test]
    fn every_operation_reads_what_an_earlier_one_computed_and_tensors_have_their_sizes() {
        for (layers, scalars) in [(vec![], 0), (vec![6, 5], 0), (vec![], 3), (vec![6], 2)] {
            for activation in Activation::ALL {
                let layers = layers.clone();
                let shape = NnueShape { features: 300, hidden: 8, activation, layers, buckets: 3, scalars };
                let net = Nnue::<f32>::random(&shape, 4, &mut Xoshiro256PlusPlus::seed_from_u64(4));
                let provenance = [("data", "ten games"), ("hidden", "8")];
                let provenance = provenance.map(|(name, value)| (name.to_owned(), value.to_owned()));
                let header = net.to_file("toy-1", BTreeMap::from(provenance)).header;
                let metadata = check(&net.to_onnx(&header));
                assert!(metadata.contains(&vec!["encoder".into(), "toy-1".into()]), "{metadata:?}");
                let data = vec!["provenance.data".into(), "ten games".into()];
                assert!(metadata.contains(&data), "{metadata:?}");
            }
        }
    }

    #[test]
    fn policy_and_value_networks_are_sound_graphs() {
        let layout = PvLayout { planes: 5, globals: 3, policy_planes: 4, policy_pooled: 2 };
        for (pooling, squeeze, pooled) in [(0, 0, 2), (1, 0, 2), (2, 4, 0)] {
            let layout = PvLayout { policy_pooled: pooled, ..layout };
            let shape = PvShape { pooling, squeeze, ..PvPreset::Tiny.shape(layout) };
            let net = PvNet::<f32>::random(&shape, &mut Xoshiro256PlusPlus::seed_from_u64(4));
            let header = net.to_file("toy-pv", BTreeMap::new()).header;
            let metadata = check(&net.to_onnx(&header));
            assert!(metadata.contains(&vec!["kind".into(), "pv".into()]), "{metadata:?}");
        }
    }
}
