//! Handles moves typed at the prompt, and the commands `moves` and `hint`.

use game::Seat;
use host::{Marks, PlayError};
use ladder::{Player, WithoutNet};
use search::Stop;

use super::session::{Next, Session};
use crate::{agents, carets, colours, printer::Style, words};

/// The number of candidates that a hint lists.
const HINTS: usize = 3;

impl Session<'_> {
    /// Plays the move that `text` names in full or by a unique prefix, or explains why it cannot.
    pub(super) fn try_move(&mut self, text: &str) -> anyhow::Result<Next> {
        let printer = self.printer;
        if !self.is_playing() {
            printer.line("The game is over: type undo to take back a move, or quit.")?;
            return Ok(Next::Ask);
        }
        // The input is in lower case.
        let written: Vec<String> =
            self.game.legal_moves().iter().map(|m| m.text.to_ascii_lowercase()).collect();
        let beginnings: Vec<usize> =
            (0..written.len()).filter(|&index| written[index].starts_with(text)).collect();
        let exact = beginnings.iter().copied().find(|&index| written[index] == text);
        let index = match (exact, &beginnings[..]) {
            (Some(index), _) => index,
            (None, [only]) => *only,
            (None, _) => match self.game.find_move(text) {
                Ok(index) => index,
                Err(PlayError::Unreadable { .. }) if beginnings.len() > 1 => {
                    printer.line(format!("{} moves start with {text}:", beginnings.len()))?;
                    self.list(text)?;
                    return Ok(Next::Ask);
                }
                Err(PlayError::Unreadable { .. })
                    if !text.contains(|character: char| character.is_ascii_digit()) =>
                {
                    printer.line(format!(
                        "{text:?} is neither a move nor a command. Type moves for the legal moves, or help."
                    ))?;
                    return Ok(Next::Ask);
                }
                Err(PlayError::Unreadable { text, fault }) => {
                    for line in carets::excerpt(&text, &fault, |carets| printer.paint(Style::Error, carets)) {
                        printer.line(format!("  {line}"))?;
                    }
                    printer.line("Type moves for the legal moves, or help for the notation.")?;
                    return Ok(Next::Ask);
                }
                Err(PlayError::Illegal { advice, .. }) => {
                    printer.paragraph(&advice)?;
                    return Ok(Next::Ask);
                }
                Err(error) => return Err(error.into()),
            },
        };
        let ply = self.game.play_index(index)?.clone();
        let label = self.label(Seat::new(ply.seat - 1));
        let line = format!("  {label}  {:10}  {}", ply.text, host::remark(&ply.text, &ply.words));
        printer.line(line.trim_end())?;
        Ok(Next::Moved)
    }

    pub(super) fn list(&self, prefix: &str) -> anyhow::Result<()> {
        let meant = self.game.matching(prefix);
        if meant.is_empty() {
            self.printer.line(format!("No legal move starts with {prefix:?}."))?;
            return Ok(());
        }
        if !prefix.is_empty() {
            let targets = meant.iter().flat_map(|&index| self.game.targets(index)).collect();
            let marks = Marks { targets, ..Marks::default() };
            self.printer.line(self.game.drawing(&marks, colours::painter(self.printer)))?;
        }
        for line in self.game.move_lines(&meant) {
            self.printer.line(format!("  {line}"))?;
        }
        Ok(())
    }

    pub(super) fn hint(&self) -> anyhow::Result<()> {
        let best = agents::best(&self.game.config());
        let player = Player::new(&best, self.game.venue(), WithoutNet::FallBack)?;
        let spinner = self.printer.spinner("looking".to_owned());
        let limits = player.limits();
        let report =
            self.game.analyse(&player, &limits, self.seed, usize::MAX, &Stop::default(), &mut |_| ());
        spinner.finish_and_clear();
        let Some(report) = report else { return Ok(()) };
        let index = self.game.find_move(&report.best)?;
        self.printer.line(format!("  I would play {}.", self.game.spelled(index)))?;
        let known = report
            .candidates
            .iter()
            .filter_map(|candidate| Some((candidate, *candidate.values.as_ref()?.get(report.seat - 1)?)));
        for (candidate, value) in known.take(HINTS) {
            let chance = words::chance(value);
            let share = format!("{:.0} % of {} nodes", candidate.share * 100.0, report.nodes);
            self.printer.line(format!("  {:12} wins {chance:>5}   {share}", candidate.text))?;
        }
        Ok(())
    }
}
