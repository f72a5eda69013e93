//! Drawing boards as text, and reading such drawings.

use game::{Fault, Faults};

use crate::{Board, Colour, Point, Points, Position};

impl<P: Points> Board<P> {
    /// Draws the board in ASCII: `X` is a black stone, `O` a white stone and `.` an empty point.
    ///
    /// ```
    /// use go::{Board, Small};
    /// let drawing = "\
    /// 3 . X .
    /// 2 X O .
    /// 1 . . .
    ///   A B C
    /// ";
    /// assert_eq!(Board::<Small>::from_drawing(drawing).unwrap().draw(), drawing);
    /// ```
    pub fn draw(&self) -> String {
        self.draw_with(|mark, _| mark.to_string())
    }

    /// Draws the board like [`Board::draw`], but passes the mark of every point through `paint`.
    pub fn draw_with(&self, paint: impl Fn(char, Point) -> String) -> String {
        let size = self.size();
        let margin = size.to_string().len();
        let mut drawing = String::new();
        for row in (0..size).rev() {
            drawing += &format!("{:>margin$}", row + 1);
            for column in 0..size {
                let point = Point::new(column, row);
                let mark = match self.colour(point) {
                    Some(Colour::Black) => 'X',
                    Some(Colour::White) => 'O',
                    None => '.',
                };
                drawing.push(' ');
                drawing += &paint(mark, point);
            }
            drawing.push('\n');
        }
        drawing += &" ".repeat(margin);
        for column in 0..size {
            let name = Point::new(column, 0).to_string();
            drawing.push(' ');
            drawing.push_str(&name[..1]);
        }
        drawing.push('\n');
        drawing
    }

    /// Parses a drawing, with or without row and column labels.
    ///
    /// # Errors
    /// Returns a fault for every unknown mark, and one if the drawing is not square or too large.
    pub fn from_drawing(drawing: &str) -> Result<Self, Faults> {
        let mut faults = Vec::new();
        let mut rows: Vec<Vec<Option<Colour>>> = Vec::new();
        for line in drawing.lines() {
            let start = line.as_ptr() as usize - drawing.as_ptr() as usize;
            // Only the line of column labels starts with A.
            if line.trim().is_empty() || line.trim_start().starts_with('A') {
                continue;
            }
            let mut row = Vec::new();
            for (at, mark) in line.char_indices() {
                match mark {
                    'X' | 'x' => row.push(Some(Colour::Black)),
                    'O' | 'o' => row.push(Some(Colour::White)),
                    '.' => row.push(None),
                    _ if mark.is_whitespace() || mark.is_ascii_digit() => {}
                    _ => {
                        let span = start + at..start + at + mark.len_utf8();
                        faults.push(Fault::new(span, format!("{mark:?}: expected X, O or .")));
                    }
                }
            }
            rows.push(row);
        }
        let size = rows.len();
        if !(1..=P::LARGEST).contains(&size) {
            let message = format!("{size} rows: expected 1 to {}", P::LARGEST);
            faults.push(Fault::new(0..drawing.len(), message));
        } else if let Some(row) = rows.iter().find(|row| row.len() != size) {
            let message = format!("a row of {} points: expected {size}, the number of rows", row.len());
            faults.push(Fault::new(0..drawing.len(), message));
        }
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        let mut board = Self::new(size);
        for (row, marks) in rows.into_iter().rev().enumerate() {
            for (column, colour) in marks.into_iter().enumerate() {
                if let Some(colour) = colour {
                    board.add(P::only(Point::new(column, row)), colour);
                }
            }
        }
        Ok(board)
    }
}

impl<P: Points> Position<P> {
    /// The board as a drawing.
    pub fn draw(&self) -> String {
        self.board().draw()
    }
}
