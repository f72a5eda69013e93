//! The board of cells that convolutions run over.

/// A rectangle of cells, some of which may not belong to the board.
///
/// A hexagonal board sits in such a rectangle with its corners cut. What a network computes for cells off the board is
/// zero after every layer, and pools divide by the number of cells on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    height: usize,
    width: usize,
    on_board: Vec<bool>,
    area: usize,
}

impl Grid {
    /// A rectangle all of whose cells belong to the board.
    pub fn full(height: usize, width: usize) -> Self {
        Self::masked(height, width, vec![true; height * width])
    }

    /// A rectangle of which only some cells belong to the board, listed row by row.
    ///
    /// # Panics
    /// If the list has another length, or no cell belongs to the board.
    pub fn masked(height: usize, width: usize, on_board: Vec<bool>) -> Self {
        assert_eq!(on_board.len(), height * width, "one entry per cell");
        let area = on_board.iter().filter(|&&on| on).count();
        assert!(area > 0, "a board has cells");
        Self { height, width, on_board, area }
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of cells of the rectangle.
    pub fn cells(&self) -> usize {
        self.on_board.len()
    }

    /// The number of cells that belong to the board.
    pub fn area(&self) -> usize {
        self.area
    }

    /// Whether each cell belongs to the board, row by row.
    pub fn on_board(&self) -> &[bool] {
        &self.on_board
    }
}
