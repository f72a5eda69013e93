//! Parsing and formatting of setting values.

use std::{ops::RangeInclusive, str::FromStr};

use search::{
    Bonus, Completion, DescentChoice, DescentMode, EbmoMode, GmoChoice, Projection, Scale, Widening,
};

use crate::Leaves;

/// The net that a policy is named by: `ebmo(net=runs/x.safetensors)` and `ebmo(runs/x.safetensors)` mean the same file.
pub(super) fn policy_net(text: &str) -> &str {
    let inner = |kind: &str| text.strip_prefix(kind)?.strip_prefix('(')?.strip_suffix(')');
    let Some(inner) = ["pv", "gmo", "ebmo"].into_iter().find_map(inner) else { return text };
    inner.trim().strip_prefix("net=").unwrap_or(inner).trim()
}

#[expect(clippy::unnecessary_wraps, reason = "the last step of a setter, after steps that can fail")]
pub(super) fn set<T>(place: &mut T, value: T) -> Option<()> {
    *place = value;
    Some(())
}

/// Parses a number in a range.
pub(super) fn number<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// Parses `off`, or a value with `read`.
#[expect(clippy::option_option, reason = "no value, and a value that says none, are different answers")]
pub(super) fn optional<T>(text: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if text == "off" { Some(None) } else { read(text).map(Some) }
}

/// Looks up the value with this name.
pub(super) fn by_name<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == text).map(|&(_, value)| value)
}

/// The first name of a value.
pub(super) fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> String {
    names.iter().find(|(_, named)| named == value).map_or("", |(name, _)| name).to_owned()
}

/// Booleans; `true` and `false` are accepted too.
pub(super) const ANSWERS: [(&str, bool); 4] =
    [("yes", true), ("no", false), ("true", true), ("false", false)];
/// The last three are former names, which are parsed but never formatted.
pub(crate) const LEAVES: [(&str, Leaves); 10] = [
    ("heuristic", Leaves::Heuristic),
    ("prior", Leaves::Prior),
    ("after-turn", Leaves::AfterTurn),
    ("alphabeta", Leaves::AlphaBeta),
    ("rollout", Leaves::Rollout),
    ("short-rollout", Leaves::ShortRollout),
    ("uniform", Leaves::Uniform),
    ("sighted", Leaves::Prior),
    ("settled", Leaves::AfterTurn),
    ("short", Leaves::ShortRollout),
];
pub(super) const COMPLETIONS: [(&str, Completion); 2] =
    [("published", Completion::Published), ("seed", Completion::VisitWeighted)];
pub(super) const SCALES: [(&str, Scale); 3] =
    [("fixed", Scale::Fixed), ("minmax", Scale::MinMax), ("unscaled", Scale::Unscaled)];
pub(crate) const MODES: [(&str, DescentMode); 2] =
    [("ubfm", DescentMode::BestFirst), ("descent", DescentMode::Descent)];
pub(super) const CHOICES: [(&str, DescentChoice); 2] =
    [("safest", DescentChoice::Safest), ("best", DescentChoice::BestValue)];

pub(super) const BONUSES: [(&str, Bonus); 2] =
    [("deviation", Bonus::Deviation), ("information", Bonus::Information)];
pub(super) const PROJECTIONS: [(&str, Projection); 2] =
    [("cosine", Projection::Cosine), ("learned", Projection::Learned)];
pub(super) const GMO_CHOICES: [(&str, GmoChoice); 3] =
    [("value", GmoChoice::Value), ("mean", GmoChoice::Mean), ("bonus", GmoChoice::Bonus)];
pub(super) const EBMO_MODES: [(&str, EbmoMode); 3] =
    [("direct", EbmoMode::Direct), ("gradient", EbmoMode::Gradient), ("manifold", EbmoMode::Manifold)];
/// Whether moves are chosen by values of boards.
pub(super) const OMEGA_MODES: [(&str, bool); 2] = [("policy", false), ("value", true)];
/// Temperatures.
pub(super) const OMEGA_CHOICES: [(&str, f32); 2] = [("greedy", 0.0), ("proportional", 1.0)];

pub(super) fn widening(text: &str) -> Option<Widening> {
    let (factor, power) = text.split_once(':')?;
    Some(Widening { factor: number(factor, 0.01..=1e6)?, power: number(power, 0.0..=1.0)? })
}

pub(super) fn shown(widening: Option<Widening>) -> String {
    widening.map_or_else(|| "off".to_owned(), |widening| format!("{}:{}", widening.factor, widening.power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_named_by_its_net_alone_or_as_an_agent() {
        for (text, net) in [
            ("ebmo", "ebmo"),
            ("runs/x.safetensors", "runs/x.safetensors"),
            ("ebmo(net=runs/x.safetensors)", "runs/x.safetensors"),
            ("gmo(x)", "x"),
            ("gmo(", "gmo("),
        ] {
            assert_eq!(policy_net(text), net);
        }
    }
}
