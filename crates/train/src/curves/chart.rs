//! Charts as SVG: lines over a common x axis, with intervals.

use super::ticks::Ticks;

/// A chart with lines over a common x axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// What the x axis shows.
    pub x_label: String,
    /// What the y axis shows; may be empty if the title says it.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// The name, for the legend.
    pub name: String,
    /// The points, in the order of x. A point that is not finite interrupts the line.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The place on the x axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The lower and the upper bound of the value, if it is uncertain.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }

    /// Whether the point can be drawn.
    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The interval, if it can be drawn.
    fn bounds(&self) -> Option<(f64, f64)> {
        self.interval.filter(|bounds| bounds.0.is_finite() && bounds.1.is_finite())
    }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 44.0;

/// A series with at most this many points has a dot at each of them, and bars for intervals rather than a band.
const FEW: usize = 30;

/// The number of points per line above which neighbours are averaged, because a chart has fewer pixels.
const MOST: usize = 500;

/// The style; both colour schemes keep a contrast of 3 to 1 with their background.
const STYLE: &str = "
  svg { color-scheme: light dark; background: #fff; color: #222; font: 12px system-ui, sans-serif }
  text { fill: currentColor }
  .title { font-weight: 600; font-size: 14px }
  .grid { stroke: currentColor; stroke-opacity: .15 }
  .line { stroke: currentColor; fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round }
  .band { fill: currentColor; fill-opacity: .18 }
  .dot { fill: currentColor }
  .end { text-anchor: end }
  .middle { text-anchor: middle }
  .s0 { color: #1f6fb4 } .s1 { color: #c2530a } .s2 { color: #2b8a3e } .s3 { color: #8a4fbf }
  @media (prefers-color-scheme: dark) {
    svg { background: #16181d; color: #e4e4e4 }
    .s0 { color: #6db1ee } .s1 { color: #f29a5c } .s2 { color: #7fcf8e } .s3 { color: #c79cf0 }
  }
";

/// Draws charts one below the other.
///
/// ```
/// use train::{Chart, Point, Series, svg};
///
/// let point = |x, y, margin| Point { x, y, interval: Some((y - margin, y + margin)) };
/// let elo = Series { name: "net".to_owned(), points: vec![point(0.0, 0.0, 20.0), point(1.0, 85.0, 24.0)] };
/// let chart = Chart {
///     title: "Elo by generation".to_owned(),
///     x_label: "generation".to_owned(),
///     y_label: "Elo".to_owned(),
///     series: vec![elo],
/// };
/// assert!(svg(&[chart]).starts_with("<svg "));
/// ```
pub fn svg(charts: &[Chart]) -> String {
    let height = HEIGHT * charts.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\">\n<style>{STYLE}</style>\n"
    );
    for (index, chart) in charts.iter().enumerate() {
        let title = escaped(&chart.title);
        let y = HEIGHT * index as f64;
        text += &format!("<g transform=\"translate(0 {y})\" role=\"img\" aria-label=\"{title}\">\n");
        text += &panel(chart);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

/// The position of values in the picture.
struct Frame {
    x: Ticks,
    y: Ticks,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        let (least, greatest) = self.x.range;
        LEFT + (value - least) / (greatest - least) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let (least, greatest) = self.y.range;
        HEIGHT - BOTTOM - (value - least) / (greatest - least) * (HEIGHT - TOP - BOTTOM)
    }

    fn at(&self, x: f64, y: f64) -> String {
        format!("{:.1},{:.1}", self.x(x), self.y(y))
    }
}

fn panel(chart: &Chart) -> String {
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    let mut text = format!("<text class=\"title\" x=\"{LEFT}\" y=\"20\">{}</text>\n", escaped(&chart.title));
    let series: Vec<Series> = chart.series.iter().map(thinned).collect();
    let points = || series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
    let Some(x_range) = range(points().map(|point| point.x)) else {
        let y = f64::midpoint(TOP, HEIGHT - BOTTOM);
        return text + &format!("<text class=\"middle\" x=\"{middle}\" y=\"{y}\">no data</text>\n");
    };
    let values = points().flat_map(|point| {
        let (low, high) = point.bounds().unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let y_range = range(values).unwrap_or(x_range);
    // Steps and generations are counted.
    let counted = points().all(|point| point.x.fract() == 0.0);
    let x_ticks = Ticks::new(x_range, 6, if counted { 1.0 } else { 0.0 });
    let frame = Frame { x: x_ticks, y: Ticks::new(y_range, 4, 0.0).outward() };
    text += &axes(chart, &frame, middle);
    if chart.series.len() > 1 {
        text += &legend(&chart.series);
    }
    for (index, series) in series.iter().enumerate() {
        text += &line(series, index % 4, &frame);
    }
    text
}

fn axes(chart: &Chart, frame: &Frame, middle: f64) -> String {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let mut text = String::new();
    for &value in &frame.y.at {
        let (y, label) = (frame.y(value), frame.y.text(value));
        text += &format!("<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
        text += &format!("<text class=\"end\" x=\"{}\" y=\"{:.1}\">{label}</text>\n", LEFT - 8.0, y + 4.0);
    }
    for &value in &frame.x.at {
        let (x, label) = (frame.x(value), frame.x.text(value));
        text += &format!("<path class=\"grid\" d=\"M{x:.1} {bottom}v5\"/>");
        text += &format!("<text class=\"middle\" x=\"{x:.1}\" y=\"{}\">{label}</text>\n", bottom + 18.0);
    }
    let label = escaped(&chart.x_label);
    text += &format!("<text class=\"middle\" x=\"{middle}\" y=\"{}\">{label}</text>\n", HEIGHT - 8.0);
    if !chart.y_label.is_empty() {
        let (y, label) = (f64::midpoint(TOP, bottom), escaped(&chart.y_label));
        text +=
            &format!("<text class=\"middle\" transform=\"translate(16 {y}) rotate(-90)\">{label}</text>\n");
    }
    text
}

/// The names of the lines, at the right end of the title's row.
fn legend(series: &[Series]) -> String {
    let mut text = String::new();
    let mut right = WIDTH - RIGHT;
    for (index, series) in series.iter().enumerate().rev() {
        let (name, colour) = (escaped(&series.name), index % 4);
        text += &format!("<text class=\"end\" x=\"{right}\" y=\"20\">{name}</text>");
        // The width of a letter is an estimate: fonts differ.
        right -= 7.0 * series.name.chars().count() as f64 + 6.0;
        text += &format!("<path class=\"line s{colour}\" d=\"M{} 16h18\"/>\n", right - 18.0);
        right -= 36.0;
    }
    text
}

fn line(series: &Series, colour: usize, frame: &Frame) -> String {
    let few = series.points.len() <= FEW;
    let mut text = String::new();
    for part in series.points.split(|point| !point.is_finite()).filter(|part| !part.is_empty()) {
        let bounded: Vec<(f64, (f64, f64))> =
            part.iter().filter_map(|point| Some((point.x, point.bounds()?))).collect();
        if few {
            for (x, (low, high)) in &bounded {
                let (x, low, high) = (frame.x(*x), frame.y(*low), frame.y(*high));
                let ends = [low, high].map(|y| format!("M{:.1} {y:.1}h8", x - 4.0)).concat();
                text += &format!("<path class=\"line s{colour}\" d=\"M{x:.1} {low:.1}V{high:.1}{ends}\"/>\n");
            }
        } else if bounded.len() > 1 {
            let upper = bounded.iter().map(|(x, (_, high))| frame.at(*x, *high));
            let lower = bounded.iter().rev().map(|(x, (low, _))| frame.at(*x, *low));
            let outline: Vec<String> = upper.chain(lower).collect();
            text += &format!("<polygon class=\"band s{colour}\" points=\"{}\"/>\n", outline.join(" "));
        }
        let points: Vec<String> = part.iter().map(|point| frame.at(point.x, point.y)).collect();
        text += &format!("<polyline class=\"line s{colour}\" points=\"{}\"/>\n", points.join(" "));
        if few {
            for point in part {
                let (x, y) = (frame.x(point.x), frame.y(point.y));
                let tip = tip(series, point);
                text += &format!(
                    "<circle class=\"dot s{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{tip}</title></circle>\n"
                );
            }
        }
    }
    text
}

/// What is shown when the pointer rests on a point.
fn tip(series: &Series, point: &Point) -> String {
    let bounds = point.bounds().map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
    format!("{}, {}: {}{bounds}", escaped(&series.name), point.x, point.y)
}

/// The series with at most [`MOST`] points: neighbours are averaged if there are more.
fn thinned(series: &Series) -> Series {
    let group = series.points.len().div_ceil(MOST).max(1);
    if group == 1 {
        return series.clone();
    }
    let mean = |part: &[Point]| {
        let count = part.len() as f64;
        let sum = |value: fn(&Point) -> f64| part.iter().map(value).sum::<f64>() / count;
        let interval = part.iter().all(|point| point.interval.is_some()).then(|| {
            (
                sum(|point| point.interval.unwrap_or_default().0),
                sum(|point| point.interval.unwrap_or_default().1),
            )
        });
        Point { x: sum(|point| point.x), y: sum(|point| point.y), interval }
    };
    Series { name: series.name.clone(), points: series.points.chunks(group).map(mean).collect() }
}

/// The least and the greatest of some finite values.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| {
        let (least, greatest) = range.unwrap_or((value, value));
        Some((least.min(value), greatest.max(value)))
    })
}

/// Text without the characters that XML reserves.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: Vec<Point>) -> Series {
        Series { name: name.to_owned(), points }
    }

    fn draw(series: Vec<Series>) -> String {
        let chart =
            Chart { title: "A < B & \"C\"".to_owned(), x_label: "x".into(), y_label: "y".into(), series };
        let picture = svg(&[chart.clone(), chart]);
        check_well_formed(&picture);
        picture
    }

    /// Checks that elements are closed in order, attributes are quoted and reserved characters escaped.
    fn check_well_formed(text: &str) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = text;
        while let Some(begin) = rest.find('<') {
            let content = &rest[..begin];
            assert!(open.last() == Some(&"style") || !content.contains('>'), "{content}");
            for (at, _) in content.match_indices('&') {
                let entity = &content[at..];
                assert!(["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|known| entity.starts_with(known)));
            }
            let end = begin + rest[begin..].find('>').expect("a tag ends");
            let tag = &rest[begin + 1..end];
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!tag.contains('<'), "{tag}");
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    }

    #[test]
    fn pictures_are_well_formed_whatever_the_values() {
        let point = |x: f64, y: f64| Point { x, y, interval: Some((y - 1.0, y + 1.0)) };
        let unusual = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e300, -1e300, 1e-300];
        let mut cases = vec![
            Vec::new(),
            vec![series("none", Vec::new())],
            vec![series("one", vec![point(1.0, 0.5)])],
            vec![series("constant", vec![point(1.0, 0.5), point(2.0, 0.5)])],
        ];
        for x in unusual {
            for y in unusual {
                cases.push(vec![
                    series("<a>", vec![point(1.0, 2.0), point(x, y), point(3.0, 4.0)]),
                    series("b", vec![]),
                ]);
            }
        }
        for case in cases {
            let picture = draw(case.clone());
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{case:?}: {picture}");
        }
    }

    #[test]
    fn few_points_have_bars_and_many_a_band() {
        let points = |count: u32| {
            let point = |x: u32| Point { x: x.into(), y: 0.5, interval: Some((0.4, 0.6)) };
            (0..count).map(point).collect()
        };
        let few = draw(vec![series("few", points(5))]);
        assert_eq!((few.matches("<circle").count(), few.matches("<polygon").count()), (10, 0));
        let many = draw(vec![series("many", points(5000))]);
        assert_eq!((many.matches("<circle").count(), many.matches("<polygon").count()), (0, 2));
        assert!(many.len() < 60_000, "{}", many.len());
    }

    #[test]
    fn a_line_is_interrupted_where_a_value_is_missing() {
        let points = [1.0, 2.0, f64::NAN, 3.0].map(|y| Point::new(y, y));
        let points = points.into_iter().enumerate().map(|(x, point)| Point { x: x as f64, ..point });
        assert_eq!(draw(vec![series("a", points.collect())]).matches("<polyline").count(), 2 * 2);
    }

    #[test]
    fn greater_values_are_higher_and_later_ones_further_right() {
        let picture = draw(vec![series("a", vec![Point::new(0.0, 0.0), Point::new(10.0, 1.0)])]);
        assert!(picture.contains("points=\"84.0,196.0 696.0,36.0\""), "{picture}");
    }
}
