//! `riftlab chart`: draws a table of numbers as lines.

use std::{fs, path::PathBuf};

use anyhow::{Context, bail};
use train::{Chart, Point, Series};

use crate::{Verdict, atomic_file, failure::ErrorWithHint, printer::Printer};

/// Draw a table of numbers as lines, in the style of the charts of training runs.
///
/// The table is a CSV file whose first line is `series,x,y` or `series,x,y,low,high`: the name of the line, a point, and the
/// bounds of its interval. Lines are drawn in the order in which they first appear, and points in the order of the file.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The table.
    #[arg(value_name = "FILE")]
    table: PathBuf,

    /// The SVG file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The title.
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,

    /// What the x axis shows.
    #[arg(long, value_name = "TEXT", default_value = "")]
    x_label: String,

    /// What the y axis shows.
    #[arg(long, value_name = "TEXT", default_value = "")]
    y_label: String,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let text =
        fs::read_to_string(&args.table).with_context(|| format!("cannot read {}", args.table.display()))?;
    let series = read(&text).with_context(|| args.table.display().to_string())?;
    let Args { title, x_label, y_label, .. } = args;
    let chart = Chart { title: title.clone(), x_label: x_label.clone(), y_label: y_label.clone(), series };
    atomic_file::write(&args.out, train::svg(&[chart]))
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    printer.note(format!("{} is written", args.out.display()));
    Ok(Verdict::Yes)
}

const PLAIN: &str = "series,x,y";
const BOUNDED: &str = "series,x,y,low,high";

fn read(text: &str) -> anyhow::Result<Vec<Series>> {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default().trim_start_matches('\u{feff}').trim_end();
    let numbers = match head {
        PLAIN => 2,
        BOUNDED => 4,
        _ => {
            let cure = format!("begin the table with the line {PLAIN} or {BOUNDED}");
            return Err(ErrorWithHint::error(format!("the first line is {head:?}"), cure));
        }
    };
    let mut all: Vec<Series> = Vec::new();
    for (index, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (name, point) = row(line, numbers).with_context(|| format!("line {}", index + 2))?;
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name: name.to_owned(), points: vec![point] }),
        }
    }
    Ok(all)
}

/// Reads a line. Numbers are counted from the end, so that a name may have commas.
fn row(line: &str, numbers: usize) -> anyhow::Result<(&str, Point)> {
    let mut fields: Vec<&str> = line.trim_end().rsplitn(numbers + 1, ',').collect();
    fields.reverse();
    let [name, values @ ..] = &fields[..] else { bail!("empty") };
    if values.len() != numbers {
        bail!("{line:?} has {} numbers instead of {numbers}", values.len());
    }
    let number = |text: &&str| -> anyhow::Result<f64> {
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        number.with_context(|| format!("{text:?} is not a number, such as 61.5"))
    };
    let values = values.iter().map(number).collect::<anyhow::Result<Vec<f64>>>()?;
    let interval = (numbers == 4).then(|| (values[2], values[3]));
    Ok((name.trim().trim_matches('"'), Point { x: values[0], y: values[1], interval }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_intervals_are_read() {
        let all =
            read("series,x,y,low,high\na,1,2,1.5,2.5\nb, 1, 3, 2, 4\r\n\n\"a, too\",2,4,3,5\na,2,3,2,4\n");
        let all = all.unwrap();
        let names: Vec<_> = all.iter().map(|series| (series.name.as_str(), series.points.len())).collect();
        assert_eq!(names, [("a", 2), ("b", 1), ("a, too", 1)]);
        assert_eq!(all[0].points[0], Point { x: 1.0, y: 2.0, interval: Some((1.5, 2.5)) });
        assert_eq!(read("series,x,y\na,1,2").unwrap()[0].points, [Point::new(1.0, 2.0)]);
    }

    #[test]
    fn bad_tables_are_refused_with_the_line() {
        let error = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert!(error("").contains("first line"));
        assert!(error("x,y\n1,2").contains("\"x,y\""));
        assert_eq!(error("series,x,y\na,1,2\na,1"), "line 3: \"a,1\" has 1 numbers instead of 2");
        assert!(error("series,x,y\na,1,no").contains("\"no\" is not a number"));
        assert!(error("series,x,y\na,1,NaN").contains("\"NaN\" is not a number"));
    }
}
