//! The table of an ablation, and its plot.

use arena::{Interval, Side, Tally};
use serde_json::{Value, json};

/// What one variant scored.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    group: String,
    agent: String,
    games: u64,
    score: f64,
    interval: [f64; 2],
    ms: f64,
}

impl Row {
    /// The row of a variant, whose opponent is side A of the tally.
    pub(super) fn new(group: &str, agent: &str, tally: &Tally) -> Self {
        let Interval { low, high } = tally.score_interval();
        let cost = tally.cost(Side::B);
        Self {
            group: group.to_owned(),
            agent: agent.to_owned(),
            games: tally.games(),
            score: 1.0 - tally.score(),
            interval: [1.0 - high, 1.0 - low],
            ms: 1000.0 * cost.time.as_secs_f64() / cost.decisions.max(1) as f64,
        }
    }
}

/// The table as Markdown.
pub(super) fn markdown(head: &str, rows: &[Row]) -> String {
    let mut text =
        format!("Against {head}:\n\n| | agent | score | 95 % | ms per decision |\n|---|---|---|---|---|\n");
    let mut last = "";
    for Row { group, agent, score, interval: [low, high], ms, .. } in rows {
        let shown = if group == last { "" } else { group };
        last = group;
        text.push_str(&format!(
            "| {shown} | `{agent}` | {:.1} % | {:.1} to {:.1} | {ms:.2} |\n",
            100.0 * score,
            100.0 * low,
            100.0 * high
        ));
    }
    text
}

/// The table as comma-separated values.
pub(super) fn csv(rows: &[Row]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = "group,agent,games,score,low,high,ms_per_move\n".to_owned();
    for Row { group, agent, games, score, interval: [low, high], ms } in rows {
        text.push_str(&format!(
            "{},{},{games},{score:.4},{low:.4},{high:.4},{ms:.4}\n",
            quoted(group),
            quoted(agent)
        ));
    }
    text
}

/// The table as JSON.
pub(super) fn json(head: &str, rows: &[Row], complete: bool) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "group": row.group, "agent": row.agent, "games": row.games, "score": row.score,
                "low": row.interval[0], "high": row.interval[1], "ms_per_move": row.ms,
            })
        })
        .collect();
    json!({ "type": "ablation", "version": 1, "against": head, "complete": complete, "rows": rows })
}

const LABELS: f64 = 430.0;
const WIDTH: f64 = 760.0;
const LINE: f64 = 20.0;
const TOP: f64 = 46.0;

/// Scores with their intervals, one line per variant.
pub(super) fn svg(head: &str, rows: &[Row]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let x = |share: f64| LABELS + (WIDTH - LABELS - 20.0) * share;
    let bottom = TOP + LINE * rows.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">\n\
         <style>\n  svg {{ color-scheme: light dark; background: #fff; color: #222; font: 12px system-ui, sans-serif }}\n  \
         @media (prefers-color-scheme: dark) {{ svg {{ background: #16181d; color: #ddd }} }}\n  \
         text {{ fill: currentColor }} .grid {{ stroke: currentColor; opacity: 0.2 }}\n  \
         .bar {{ stroke: #2a78d6; stroke-width: 2 }} circle {{ fill: #2a78d6 }}\n</style>\n\
         <text x=\"8\" y=\"16\">Score against {title}</text>\n",
        height = bottom + 12.0,
        title = escaped(head),
    );
    for percent in [0, 25, 50, 75, 100] {
        let at = x(f64::from(percent) / 100.0);
        text.push_str(&format!(
            "<line class=\"grid\" x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\"/>\n\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{percent} %</text>\n",
            TOP - 10.0,
            TOP - 14.0
        ));
    }
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + LINE * (index as f64 + 0.5);
        let [low, high] = row.interval;
        text.push_str(&format!(
            "<text x=\"8\" y=\"{:.1}\">{}</text>\n\
             <line class=\"bar\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\n\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{:.1} % of {} games, {:.2} ms per decision</title></circle>\n",
            y + 4.0,
            escaped(&row.agent),
            x(low),
            x(high),
            x(row.score),
            100.0 * row.score,
            row.games,
            row.ms
        ));
    }
    text.push_str("</svg>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let row = |group: &str, agent: &str, score: f64| Row {
            group: group.to_owned(),
            agent: agent.to_owned(),
            games: 100,
            score,
            interval: [score - 0.1, score + 0.1],
            ms: 1.5,
        };
        vec![row("steps", "gmo(a=1,b=2)", 0.5), row("steps", "gmo(a=2)", 0.25), row("others", "mcts", 0.75)]
    }

    #[test]
    fn tables_and_plots_have_all_rows() {
        let table = markdown("heuristic", &rows());
        assert_eq!(table.lines().count(), 4 + 3);
        assert!(table.contains("| steps | `gmo(a=1,b=2)` | 50.0 % | 40.0 to 60.0 | 1.50 |"), "{table}");
        assert!(table.contains("|  | `gmo(a=2)` | 25.0 %"), "a group is named once: {table}");
        let table = csv(&rows());
        assert!(table.contains("\"steps\",\"gmo(a=1,b=2)\",100,0.5000,0.4000,0.6000,1.5000"), "{table}");
        let plot = svg("a < b", &rows());
        assert_eq!(plot.matches("<circle").count(), 3);
        assert!(plot.contains("a &lt; b") && plot.trim_end().ends_with("</svg>"));
        assert_eq!(json("x", &rows(), true)["rows"].as_array().map(Vec::len), Some(3));
    }
}
