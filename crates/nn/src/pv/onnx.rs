//! Policy and value networks as ONNX files, for boards of any size.
//!
//! | input or output | type | meaning |
//! |---|---|---|
//! | `planes` | float, batch × planes × height × width | the encoder's planes |
//! | `globals` | float, batch × globals | the encoder's globals |
//! | `mask` | float, 1 × 1 × height × width | 1 for cells of the board, 0 for others |
//! | `scores` | float, batch × policy planes × height × width | what the logits of moves are sums of |
//! | `pooled` | float, batch × pooled scores | the other scores |
//! | `values` | float, batch × 4 | logits of seats |
//! | `margins` | float, batch × 4 | |
//! | `error` | float, batch × 1 | |
//! | `owners` | float, batch × owners × height × width | logits of the cells' owners; on the board |

use super::{PvNet, SEATS};
use crate::{
    Conv, Header, Linear,
    onnx::{Attribute, FLOAT, Graph, model},
};

impl PvNet<f32> {
    /// The network as an ONNX file. The fields of `header` become its metadata.
    pub fn to_onnx(&self, header: &Header) -> Vec<u8> {
        let mut graph = Graph::new("pv");
        self.write_graph(&mut graph);
        model(&graph, header)
    }

    fn write_graph(&self, graph: &mut Graph) {
        let (shape, layout, readout) = (&self.shape, self.shape.layout, self.shape.readout());
        graph.tensor("one", &[], &[1.0]);
        graph.tensor("fourteen", &[], &[14.0]);
        graph.tensor("ten", &[], &[10.0]);
        graph.tensor("far", &[], &[-1e9]);
        graph.indices("axes 2 3", &[2, 3]);
        // What depends on the board: its area, the scale of scaled means, and a large number to subtract off the board.
        graph.node("ReduceSum", &["mask", "axes 2 3"], "area of mask", &[Attribute::Int("keepdims", 0)]);
        graph.node("Sqrt", &["area of mask"], "side", &[]);
        graph.node("Sub", &["side", "fourteen"], "side less fourteen", &[]);
        graph.node("Div", &["side less fourteen", "ten"], "scale", &[]);
        graph.node("Sub", &["one", "mask"], "off board", &[]);
        graph.node("Mul", &["off board", "far"], "far off board", &[]);
        self.globals.write(graph, "globals layer", "globals", "global biases");
        graph.node("Unsqueeze", &["global biases", "axes 2 3"], "global biases of cells", &[]);
        self.input.write(graph, "input", "planes", "input sums");
        graph.node("Add", &["input sums", "global biases of cells"], "input biased", &[]);
        rectified(graph, "input biased", "trunk 0");
        for index in 0..self.blocks.len() {
            self.write_block(graph, index);
        }
        let trunk = format!("trunk {}", self.blocks.len());
        pooled(graph, &trunk, "pool");
        self.summary.write(graph, "summary layer", "pool", "summary sums");
        graph.node("Relu", &["summary sums"], "summary", &[]);
        self.readout.write(graph, "readout layer", "summary", "readout");
        let mut parts =
            vec![("values", 0, SEATS), ("margins", readout.margin, SEATS), ("raw error", readout.error, 1)];
        if layout.policy_pooled > 0 {
            parts.push(("pooled", readout.pooled, layout.policy_pooled));
        }
        graph.indices("axis 1", &[1]);
        for (name, first, length) in parts {
            let (from, to) = (format!("{name} from"), format!("{name} to"));
            graph.indices(&from, &[first as i64]);
            graph.indices(&to, &[(first + length) as i64]);
            graph.node("Slice", &["readout", &from, &to, "axis 1"], name, &[]);
        }
        graph.node("Softplus", &["raw error"], "error", &[]);
        self.policy.write_cells(graph, "policy layer", &trunk, "policy sums");
        self.policy_pool.write(graph, "policy pool layer", "pool", "policy biases");
        graph.node("Unsqueeze", &["policy biases", "axes 2 3"], "policy biases of cells", &[]);
        graph.node("Add", &["policy sums", "policy biases of cells"], "policy biased", &[]);
        rectified(graph, "policy biased", "policy cells");
        self.policy_planes.write_cells(graph, "policy planes", "policy cells", "scores");
        let board = |channels: usize| [Err("batch"), Ok(channels), Err("height"), Err("width")];
        graph.input("planes", FLOAT, &board(layout.planes));
        graph.input("globals", FLOAT, &[Err("batch"), Ok(layout.globals)]);
        graph.input("mask", FLOAT, &[Ok(1), Ok(1), Err("height"), Err("width")]);
        graph.output("scores", FLOAT, &board(layout.policy_planes));
        if layout.policy_pooled > 0 {
            graph.output("pooled", FLOAT, &[Err("batch"), Ok(layout.policy_pooled)]);
        }
        graph.output("values", FLOAT, &[Err("batch"), Ok(SEATS)]);
        graph.output("margins", FLOAT, &[Err("batch"), Ok(SEATS)]);
        graph.output("error", FLOAT, &[Err("batch"), Ok(1)]);
        if shape.owners > 0 {
            self.owners.write_cells(graph, "owners layer", &trunk, "owners");
            graph.output("owners", FLOAT, &board(shape.owners));
        }
    }

    fn write_block(&self, graph: &mut Graph, index: usize) {
        let block = &self.blocks[index];
        let name = |part: &str| format!("block {index} {part}");
        let (from, to) = (format!("trunk {index}"), format!("trunk {}", index + 1));
        block.first.write(graph, &name("first"), &from, &name("first sums"));
        let mut sums = name("first sums");
        if let Some(layer) = &block.pool {
            pooled(graph, &from, &name("pool"));
            layer.write(graph, &name("pool layer"), &name("pool"), &name("biases"));
            graph.node("Unsqueeze", &[&name("biases"), "axes 2 3"], &name("biases of cells"), &[]);
            graph.node("Add", &[&sums, &name("biases of cells")], &name("biased"), &[]);
            sums = name("biased");
        }
        rectified(graph, &sums, &name("hidden"));
        block.second.write(graph, &name("second"), &name("hidden"), &name("second sums"));
        let mut sums = name("second sums");
        if let Some([squeeze, excite]) = &block.squeeze {
            graph.node("Mul", &[&sums, "mask"], &name("second masked"), &[]);
            let keep = [Attribute::Int("keepdims", 0)];
            graph.node("ReduceSum", &[&name("second masked"), "axes 2 3"], &name("totals"), &keep);
            graph.node("Div", &[&name("totals"), "area of mask"], &name("means"), &[]);
            squeeze.write(graph, &name("squeeze"), &name("means"), &name("small sums"));
            graph.node("Relu", &[&name("small sums")], &name("small"), &[]);
            excite.write(graph, &name("excite"), &name("small"), &name("gate sums"));
            graph.node("Sigmoid", &[&name("gate sums")], &name("gates"), &[]);
            graph.node("Unsqueeze", &[&name("gates"), "axes 2 3"], &name("gates of cells"), &[]);
            graph.node("Mul", &[&sums, &name("gates of cells")], &name("gated"), &[]);
            sums = name("gated");
        }
        graph.node("Add", &[&from, &sums], &name("sum"), &[]);
        rectified(graph, &name("sum"), &to);
    }
}

/// Rectifies a layer and sets cells off the board to zero.
fn rectified(graph: &mut Graph, from: &str, to: &str) {
    let open = format!("{to} unmasked");
    graph.node("Relu", &[from], &open, &[]);
    graph.node("Mul", &[&open, "mask"], to, &[]);
}

/// The means, scaled means and maxima of a layer.
fn pooled(graph: &mut Graph, from: &str, to: &str) {
    let name = |part: &str| format!("{to} {part}");
    let flat = Attribute::Int("keepdims", 0);
    graph.node("ReduceSum", &[from, "axes 2 3"], &name("totals"), std::slice::from_ref(&flat));
    graph.node("Div", &[&name("totals"), "area of mask"], &name("means"), &[]);
    graph.node("Mul", &[&name("means"), "scale"], &name("scaled means"), &[]);
    graph.node("Add", &[from, "far off board"], &name("on board"), &[]);
    let axes = Attribute::Ints("axes", vec![2, 3]);
    graph.node("ReduceMax", &[&name("on board")], &name("maxima"), &[axes, flat]);
    let parts = [name("means"), name("scaled means"), name("maxima")];
    graph.node("Concat", &[&parts[0], &parts[1], &parts[2]], to, &[Attribute::Int("axis", 1)]);
}

impl Conv<f32> {
    fn write(&self, graph: &mut Graph, name: &str, from: &str, to: &str) {
        let (weights, biases) = (format!("{name} weights"), format!("{name} biases"));
        // Stored by place, input and output; the format wants output, input and place.
        let mut by_output = Vec::with_capacity(self.weights.len());
        for output in 0..self.outputs {
            for input in 0..self.inputs {
                let at = |place: usize| self.weights[(place * self.inputs + input) * self.outputs + output];
                by_output.extend((0..9).map(at));
            }
        }
        graph.tensor(&weights, &[self.outputs, self.inputs, 3, 3], &by_output);
        graph.tensor(&biases, &[self.outputs], &self.biases);
        graph.node("Conv", &[from, &weights, &biases], to, &[Attribute::Ints("pads", vec![1; 4])]);
    }
}

impl Linear<f32> {
    /// The layer applied to one list of numbers per sample.
    fn write(&self, graph: &mut Graph, name: &str, from: &str, to: &str) {
        let (weights, biases) = (format!("{name} weights"), format!("{name} biases"));
        graph.tensor(&weights, &[self.outputs(), self.inputs], &self.weights);
        graph.tensor(&biases, &[self.outputs()], &self.biases);
        graph.node("Gemm", &[from, &weights, &biases], to, &[Attribute::Int("transB", 1)]);
    }

    /// The layer applied to every cell.
    fn write_cells(&self, graph: &mut Graph, name: &str, from: &str, to: &str) {
        let (weights, biases) = (format!("{name} weights"), format!("{name} biases"));
        graph.tensor(&weights, &[self.outputs(), self.inputs, 1, 1], &self.weights);
        graph.tensor(&biases, &[self.outputs()], &self.biases);
        graph.node("Conv", &[from, &weights, &biases], to, &[]);
    }
}
