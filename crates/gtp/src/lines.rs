//! Lines of bounded length.

use std::io::{BufRead, BufReader, Read};

/// What a stream has next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line, without its end; bytes that are no text are replaced.
    Text(String),
    /// A line that was too long, and is lost.
    TooLong,
    /// Nothing any more.
    End,
}

/// Reads lines, and never remembers more than a line of the limit.
pub struct Lines<R> {
    input: BufReader<R>,
    limit: usize,
}

impl<R: Read> Lines<R> {
    /// Reads from `input`; lines of more than `limit` bytes are lost.
    pub fn new(input: R, limit: usize) -> Self {
        Self { input: BufReader::new(input), limit }
    }

    /// The next line. A stream that cannot be read has ended.
    pub fn next(&mut self) -> Line {
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
    fn lines_come_one_by_one_and_long_ones_are_lost_alone() {
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
            assert_eq!(lines.next(), expected);
        }
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit() {
        let mut lines = Lines::new(&b"0123456789\n0123456789a\n\xff"[..], 10);
        assert_eq!(lines.next(), Line::Text("0123456789".to_owned()));
        assert_eq!(lines.next(), Line::TooLong);
        assert_eq!(lines.next(), Line::Text("\u{fffd}".to_owned()));
    }
}
