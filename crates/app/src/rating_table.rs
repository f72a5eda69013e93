//! Prints ratings and cross tables.

use lab::{Anchor, LabError, Rated};

use crate::{
    failure::ErrorWithHint,
    printer::{Printer, Style},
};

/// Rates the participants of a scale. If an anchor has not played on it, the error lists those that have.
pub(crate) fn rate(name: &str, scale: arena::store::Scale, anchors: &[Anchor]) -> anyhow::Result<Rated> {
    lab::rate(name, scale, anchors).map_err(|error| match &error {
        LabError::Anchor { known, .. } => {
            let hint = format!("expected an agent or one of {}", known.join(", "));
            ErrorWithHint::error(format!("--anchor {error}"), hint)
        }
        _ => error.into(),
    })
}

/// The text form of ratings.
pub(crate) trait PrintRatings {
    /// Prints the table of ratings.
    fn print(&self, printer: &Printer) -> anyhow::Result<()>;

    /// A title with the number of games and the anchors.
    fn title(&self, scale: &str) -> String;

    /// Prints the points of each participant against each other one, in the order of the ratings.
    fn print_cross(&self, printer: &Printer) -> anyhow::Result<()>;
}

impl PrintRatings for Rated {
    fn print(&self, printer: &Printer) -> anyhow::Result<()> {
        let width = width(self);
        let line = |rank: &str, name: &str, elo: &str, interval: &str, games: &str, score: &str| {
            format!("{rank:>3}  {name:<width$}  {elo:>6}  {interval:^16}  {games:>6}  {score:>7}")
        };
        let head = line("#", "participant", "Elo", "95 %", "games", "score");
        printer.line(printer.paint(Style::Dim, &head))?;
        for (rank, who) in (1..).zip(self.order()) {
            let rank: usize = rank;
            let elo = self.ratings.of(who).map_or("–".to_owned(), |rating| format!("{:+.0}", rating.elo));
            let interval = match self.ratings.of(who) {
                _ if self.is_anchor(who) => "anchor".to_owned(),
                Some(rating) => format!("{:>+6.0} to {:>+6.0}", rating.interval.low, rating.interval.high),
                None => "not connected".to_owned(),
            };
            let score = self.cross.total(who).score();
            let score = score.map_or("–".to_owned(), |score| format!("{:.1} %", 100.0 * score));
            let games = self.ratings.games(who).to_string();
            printer.line(line(
                &rank.to_string(),
                &self.participants[who].name,
                &elo,
                &interval,
                &games,
                &score,
            ))?;
        }
        if self.order().iter().any(|&who| self.ratings.of(who).is_none()) {
            printer.paragraph(
                "No chain of games connects these participants to the anchor, so they have no rating.",
            )?;
        }
        Ok(())
    }

    fn title(&self, scale: &str) -> String {
        format!("{scale}: {} games, {}", self.games, anchors(self))
    }

    fn print_cross(&self, printer: &Printer) -> anyhow::Result<()> {
        let order = self.order();
        let width = width(self);
        let heads: String = (1..=order.len()).map(|column| format!("{column:>11}")).collect();
        printer.line(printer.paint(Style::Dim, &format!("  #  {:<width$}{heads}", "points of")))?;
        for (rank, &who) in (1..).zip(&order) {
            let cell = |&other: &usize| {
                let cell = self.cross.against(who, other);
                if cell.of == 0 { "–".to_owned() } else { format!("{}/{}", cell.points, cell.of) }
            };
            let cells: String = order.iter().map(|other| format!("{:>11}", cell(other))).collect();
            printer.line(format!("{rank:>3}  {:<width$}{cells}", self.label(who)))?;
        }
        Ok(())
    }
}

/// The width of the column of names.
fn width(rated: &Rated) -> usize {
    (0..rated.participants.len()).map(|who| rated.label(who).chars().count()).max().unwrap_or(0).max(11)
}

/// The anchors in words.
fn anchors(rated: &Rated) -> String {
    let anchors = rated.anchors.iter().map(|&(who, elo)| format!("{} = {elo}", rated.label(who)));
    anchors.collect::<Vec<_>>().join(", ")
}
