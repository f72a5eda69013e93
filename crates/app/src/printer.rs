//! All output to the terminal goes through [`Printer`].

use std::{
    fmt::Display,
    io::{self, BufRead, IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::Colour;

/// Writes data to standard output, and messages and progress to standard error.
pub(crate) struct Printer {
    stdin: io::Stdin,
    stdout: io::Stdout,
    stderr: io::Stderr,
    colour: bool,
    colour_errors: bool,
}

/// The maximum width of a line of running text.
const WIDTH: usize = 88;

/// The emphasis of a piece of text; ignored if colour is off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Bold,
    Dim,
    Error,
    Hint,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Error => "1;31",
            Self::Hint => "1;36",
        }
    }
}

/// Wraps `text` in an escape sequence.
pub(crate) fn escape(code: &str, text: &str) -> String {
    if code.is_empty() { text.to_owned() } else { format!("\x1b[{code}m{text}\x1b[0m") }
}

/// The number of columns of a text, not counting escape sequences.
fn visible_width(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let first = parts.next().map_or(0, |part| part.chars().count());
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, rest)| rest.chars().count())).sum::<usize>()
}

impl Printer {
    pub(crate) fn new(colour: Colour) -> Self {
        let wanted = |terminal: bool| match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
        let (colour, colour_errors) = (wanted(stdout.is_terminal()), wanted(stderr.is_terminal()));
        Self { stdin, stdout, stderr, colour, colour_errors }
    }

    /// Whether standard output is coloured.
    pub(crate) fn has_colour(&self) -> bool {
        self.colour
    }

    /// Whether both input and output are terminals.
    pub(crate) fn is_interactive(&self) -> bool {
        self.stdout.is_terminal() && self.stdin.is_terminal()
    }

    /// Returns `text` in `style` for standard output.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { escape(style.code(), text) } else { text.to_owned() }
    }

    /// Returns `text` in `style` for standard error.
    pub(crate) fn paint_error(&self, style: Style, text: &str) -> String {
        if self.colour_errors { escape(style.code(), text) } else { text.to_owned() }
    }

    /// Writes a line to standard output.
    pub(crate) fn line(&self, text: impl Display) -> io::Result<()> {
        writeln!(self.stdout.lock(), "{text}")
    }

    /// Writes running text to standard output, wrapped between words.
    pub(crate) fn paragraph(&self, text: &str) -> io::Result<()> {
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && visible_width(&line) + 1 + visible_width(word) > WIDTH {
                self.line(std::mem::take(&mut line))?;
            }
            let gap = if line.is_empty() { "" } else { " " };
            line = line + gap + word;
        }
        self.line(line)
    }

    /// Writes to standard output without a line break, and flushes it.
    pub(crate) fn prompt(&self, text: impl Display) -> io::Result<()> {
        let mut out = self.stdout.lock();
        write!(out, "{text}")?;
        out.flush()
    }

    /// Writes a line to standard error.
    #[expect(clippy::unused_self, reason = "only code with a printer prints")]
    pub(crate) fn note(&self, text: impl Display) {
        Self::announce(text);
    }

    /// Writes a line to standard error in a thread that has no printer, such as that of a signal handler.
    pub(crate) fn announce(text: impl Display) {
        // If standard error is closed, the failure cannot be reported either.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Reads a line of input; `None` at its end. Bytes that are not UTF-8 become replacement characters.
    pub(crate) fn read_line(&self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.stdin.lock().read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// A progress bar of `length` units on standard error; hidden if that is not a terminal.
    pub(crate) fn progress(&self, length: u64, hidden: bool) -> ProgressBar {
        if hidden || !self.stderr.is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// A spinner on standard error.
    pub(crate) fn spinner(&self, message: String) -> ProgressBar {
        if !self.stderr.is_terminal() {
            return ProgressBar::hidden();
        }
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_message(message);
        spinner.enable_steady_tick(Duration::from_millis(100));
        spinner
    }
}
