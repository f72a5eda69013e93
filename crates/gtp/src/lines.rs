//! Reading of lines with a maximum length.

use std::io::{BufRead, BufReader, Read};

/// The next item of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line without its terminator; invalid UTF-8 is replaced.
    Text(String),
    /// A line that was too long and was discarded.
    TooLong,
    /// The end of the stream.
    End,
}

/// Reads lines in bounded memory.
pub struct Lines<R> {
    input: BufReader<R>,
    limit: usize,
}

impl<R: Read> Lines<R> {
    /// Reads from `input`, discarding lines of more than `limit` bytes.
    pub fn new(input: R, limit: usize) -> Self {
        Self { input: BufReader::new(input), limit }
    }

    /// The next line. A read error counts as the end of the stream.
    pub fn next_line(&mut self) -> Line {
        let (mut line, mut too_long) = (Vec::new(), false);
        loop {
            let Ok(bytes) = self.input.fill_buf() else { return Line::End };
            if bytes.is_empty() && line.is_empty() && !too_long {
                return Line::End;
            }
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            too_long |= line.len() + part.len() > self.limit;
            if !too_long {
                line.extend_from_slice(part);
            }
            let (ended, used) = (bytes.is_empty() || end.is_some(), end.map_or(bytes.len(), |end| end + 1));
            self.input.consume(used);
            if ended {
                let text = || Line::Text(String::from_utf8_lossy(&line).into_owned());
                return if too_long { Line::TooLong } else { text() };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_are_too_long_are_discarded() {
        let text = format!("one\r\n\n{}\ntwo", "x".repeat(20_000));
        let mut lines = Lines::new(text.as_bytes(), 10);
        for expected in [
            Line::Text("one\r".to_owned()),
            Line::Text(String::new()),
            Line::TooLong,
            Line::Text("two".to_owned()),
            Line::End,
            Line::End,
        ] {
            assert_eq!(lines.next_line(), expected);
        }
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit() {
        let mut lines = Lines::new(&b"0123456789\n0123456789a\n\xff"[..], 10);
        assert_eq!(lines.next_line(), Line::Text("0123456789".to_owned()));
        assert_eq!(lines.next_line(), Line::TooLong);
        assert_eq!(lines.next_line(), Line::Text("\u{fffd}".to_owned()));
    }
}
