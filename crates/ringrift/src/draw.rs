//! Drawing the board as text.

use crate::{Cell, Position, geometry::Geometry, notation::cell_name, position::Content};

impl<B: Geometry> Position<B> {
    /// Draws the board in ASCII: `.` is an empty cell, `112` a stack from bottom to top (`1^7` a stack of seven rings
    /// that seat 1 controls), `*1` a marker and `#1` a collapsed cell.
    ///
    /// ```
    /// use game::Setup;
    /// use ringrift::{Position, Square8};
    /// let text = "square8 2 1:movement cells=a1:12,c2*2,h8#1";
    /// let board = Position::<Square8>::from_text(text).unwrap().draw();
    /// assert_eq!(board.lines().nth(0).unwrap(), "8  .   .   .   .   .   .   .   #1");
    /// assert_eq!(board.lines().nth(7).unwrap(), "1  12  .   .   .   .   .   .   .");
    /// assert_eq!(board.lines().nth(8).unwrap(), "   a   b   c   d   e   f   g   h");
    /// ```
    pub fn draw(&self) -> String {
        self.draw_with(|text, _, _| text.to_owned())
    }

    /// Draws the board like [`Position::draw`], but passes the text of every cell, padded to its width, through
    /// `paint`.
    pub fn draw_with(&self, paint: impl Fn(&str, Cell, Content) -> String) -> String {
        let texts = self.contents().map(|(_, content)| content_text(content).len());
        let width = texts.max().unwrap_or(1).max(2) + 2;
        let cell_at = |x, y| {
            let cell = B::cell(x, y)?;
            let content = self.content(cell);
            Some(paint(&format!("{:<width$}", content_text(content)), cell, content))
        };
        let mut lines =
            if B::HEX { hex_lines::<B>(width, cell_at) } else { square_lines::<B>(width, cell_at) };
        for line in &mut lines {
            line.truncate(line.trim_end().len());
            line.push('\n');
        }
        lines.concat()
    }
}

fn content_text(content: Content) -> String {
    match content {
        Content::Empty => ".".to_owned(),
        Content::Stack(stack) if stack.height() <= 4 => stack.to_string(),
        Content::Stack(stack) => format!("{}^{}", stack.controller(), stack.height()),
        Content::Marker(seat) => format!("*{seat}"),
        Content::Collapsed(seat) => format!("#{seat}"),
    }
}

fn square_lines<B: Geometry>(width: usize, cell_at: impl Fn(i32, i32) -> Option<String>) -> Vec<String> {
    let size = B::SIZE as i32;
    let margin = if size > 9 { 2 } else { 1 };
    let mut lines: Vec<String> = (0..size)
        .rev()
        .map(|y| {
            let cells: String = (0..size).filter_map(|x| cell_at(x, y)).collect();
            format!("{:>margin$}  {cells}", y + 1)
        })
        .collect();
    let letters: String = (0..size).map(|x| format!("{:<width$}", char::from(b'a' + x as u8))).collect();
    lines.push(format!("{:margin$}  {letters}", ""));
    lines
}

/// Draws rows of equal `y`, the highest at the top, each offset by half a cell from the next. A row begins and ends
/// with the names of its outermost cells.
fn hex_lines<B: Geometry>(width: usize, cell_at: impl Fn(i32, i32) -> Option<String>) -> Vec<String> {
    let radius = B::radius();
    let half = width.div_ceil(2);
    (-radius..=radius)
        .rev()
        .map(|y| {
            let (first, last) = ((-radius).max(-y - radius), radius.min(-y + radius));
            let name = |x| B::cell(x, y).map(cell_name::<B>).unwrap_or_default();
            let cells: String = (first..=last)
                .filter_map(|x| Some(cell_at(x, y)? + if width % 2 == 1 { " " } else { "" }))
                .collect();
            format!(
                "{:indent$}{:>3}  {cells}{}",
                "",
                name(first),
                name(last),
                indent = half * y.unsigned_abs() as usize
            )
        })
        .collect()
}
