//! The layout of boards for drawing.

use std::fmt::Display;

use record::Config;
use ringrift::{Bits, Board, Geometry, cell_name, on_board};

use crate::view::{LabelView, PlaceView, Shape};

/// The height of a row of hexagons of width one.
const ROW: f64 = 0.866_025_403_784_438_6;

impl Shape {
    /// The layout of a game's board.
    pub fn of(config: &Config) -> Self {
        match config {
            Config::RingRift(config) => ringrift(config.board),
            Config::Go(config) => go(config.rules.size.into()),
        }
    }
}

fn label(text: impl Display, x: f64, y: f64) -> LabelView {
    LabelView { text: text.to_string(), x, y }
}

fn ringrift(board: Board) -> Shape {
    on_board!(board, B => if B::HEX { hex::<B>() } else { square::<B>() })
}

/// A square board, with letters from left to right and numbers from the bottom up.
fn square<B: Geometry>() -> Shape {
    let size = B::SIZE as i32;
    let place = |cell| {
        let (x, y) = B::coordinates(cell);
        PlaceView { at: cell_name::<B>(cell), x: f64::from(x), y: f64::from(size - 1 - y) }
    };
    let letters = (0..size).map(|x| label(char::from(b'a' + x as u8), f64::from(x), f64::from(size) - 0.2));
    let numbers = (0..size).map(|y| label(y + 1, -0.8, f64::from(size - 1 - y)));
    Shape {
        kind: "square",
        cells: B::ON_BOARD.cells().map(place).collect(),
        labels: letters.chain(numbers).collect(),
        stars: Vec::new(),
    }
}

/// A hexagonal board, with rows numbered from the bottom up and each shifted by half a cell from the one below.
fn hex<B: Geometry>() -> Shape {
    let radius = B::radius();
    let spot = |x: i32, y: i32| (f64::from(x) + f64::from(y) / 2.0, -f64::from(y) * ROW);
    let place = |cell| {
        let (column, row) = B::coordinates(cell);
        let (x, y) = spot(column, row);
        PlaceView { at: cell_name::<B>(cell), x, y }
    };
    let rows = (-radius..=radius).map(|row| {
        let first = (-radius).max(-radius - row);
        let (x, y) = spot(first, row);
        label(row + radius + 1, x - 0.85, y)
    });
    // Columns lean to the right towards the top, where their letters are.
    let columns = (-radius..=radius).map(|column| {
        let last = radius.min(radius - column);
        let (x, y) = spot(column, last);
        label(char::from(b'a' + (column + radius) as u8), x + 0.42, y - 0.72)
    });
    Shape {
        kind: "hex",
        cells: B::ON_BOARD.cells().map(place).collect(),
        labels: rows.chain(columns).collect(),
        stars: Vec::new(),
    }
}

fn go(size: usize) -> Shape {
    let point = |column: usize, row: usize| go::Point::new(column, row);
    let y = |row: usize| (size - 1 - row) as f64;
    let cells = (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
    let letters = (0..size).map(|column| {
        let name = point(column, 0).to_string();
        label(name.trim_end_matches(char::is_numeric), column as f64, size as f64 - 0.15)
    });
    let numbers = (0..size).map(|row| label(row + 1, -0.85, y(row)));
    // Small boards show only corner and centre star points.
    let most = go::handicap::most_fixed(size).min(if size < 15 { 5 } else { 9 });
    let stars = go::handicap::fixed(size, most).into_iter().flatten();
    Shape {
        kind: "go",
        cells: cells
            .map(|(column, row)| PlaceView {
                at: point(column, row).to_string(),
                x: column as f64,
                y: y(row),
            })
            .collect(),
        labels: letters.chain(numbers).collect(),
        stars: stars.map(|star| star.to_string()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_cells_are_one_apart_and_no_two_are_nearer() {
        for board in Board::ALL {
            let shape = ringrift(board);
            assert_eq!(shape.cells.len() as u32, board.cells());
            for (index, one) in shape.cells.iter().enumerate() {
                let distance = |other: &PlaceView| (one.x - other.x).hypot(one.y - other.y);
                let nearest = shape.cells[..index].iter().chain(&shape.cells[index + 1..]).map(distance);
                let nearest = nearest.fold(f64::INFINITY, f64::min);
                assert!((nearest - 1.0).abs() < 1e-9, "{board} {}: {nearest}", one.at);
            }
        }
    }

    #[test]
    fn a_go_board_skips_the_letter_i_and_has_stars() {
        let shape = go(9);
        assert_eq!((shape.cells.len(), shape.stars.len()), (81, 5));
        let corner = shape.cells.iter().find(|cell| cell.at == "J9").unwrap();
        assert_eq!((corner.x as i32, corner.y as i32), (8, 0));
        assert!(shape.labels.iter().all(|label| label.text != "I"));
    }
}
