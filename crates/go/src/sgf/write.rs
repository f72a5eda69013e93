//! Writing records.

use std::fmt::Write;

use super::{GameTree, Node, NodeId};
use crate::{Ko, Move, Point, Rules, Scoring};

impl GameTree {
    /// Writes the record as SGF text. Equal trees give equal text.
    pub fn write(&self) -> String {
        enum Step {
            Open,
            Node(NodeId),
            Close,
        }
        let mut text = String::new();
        let mut steps = vec![Step::Close, Step::Node(self.root()), Step::Open];
        while let Some(step) = steps.pop() {
            match step {
                Step::Open => text.push('('),
                Step::Close => text.push(')'),
                Step::Node(id) => {
                    text.push(';');
                    if id == self.root() {
                        self.write_game_info(&mut text);
                    }
                    write_node(&mut text, self.node(id), self.rules.size.into());
                    match self.variations(id) {
                        [only] => steps.push(Step::Node(*only)),
                        several => {
                            for &child in several.iter().rev() {
                                steps.extend([Step::Close, Step::Node(child), Step::Open]);
                            }
                        }
                    }
                }
            }
        }
        text.push('\n');
        text
    }

    fn write_game_info(&self, text: &mut String) {
        property(text, "FF", ["4"]);
        property(text, "GM", ["1"]);
        property(text, "CA", ["UTF-8"]);
        property(text, "SZ", [self.rules.size.to_string()]);
        property(text, "KM", [self.rules.komi.to_string()]);
        if self.names_rules {
            property(text, "RU", [rules_name(self.rules)]);
        }
        if self.rules.handicap > 0 {
            property(text, "HA", [self.rules.handicap.to_string()]);
        }
        for (identifier, name) in ["PB", "PW"].into_iter().zip(&self.names) {
            if !name.is_empty() {
                property(text, identifier, [escaped(&name.split_whitespace().collect::<Vec<_>>().join(" "))]);
            }
        }
        if let Some(result) = self.result {
            property(text, "RE", [result.to_string()]);
        }
    }
}

fn write_node(text: &mut String, node: &Node, size: usize) {
    let edit = &node.setup;
    for (identifier, points) in [("AB", &edit.black), ("AW", &edit.white), ("AE", &edit.empty)] {
        property(text, identifier, points.iter().map(|&point| point_text(point, size)));
    }
    if let Some(colour) = edit.to_move {
        property(text, "PL", [colour.letter().to_string()]);
    }
    if let Some((colour, m)) = node.play {
        property(text, &colour.letter().to_string(), [move_text(m, size)]);
    }
    if !node.comment.is_empty() {
        property(text, "C", [escaped(&node.comment)]);
    }
}

/// Writes a property with its values, or nothing if there are no values.
fn property<T: AsRef<str>>(text: &mut String, identifier: &str, values: impl IntoIterator<Item = T>) {
    let mut values = values.into_iter().peekable();
    if values.peek().is_none() {
        return;
    }
    text.push_str(identifier);
    for value in values {
        write!(text, "[{}]", value.as_ref()).expect("writing to a string");
    }
}

fn move_text(m: Move, size: usize) -> String {
    m.point().map(|point| point_text(point, size)).unwrap_or_default()
}

/// Writes a point as two letters: the column from the left and the row from the top.
fn point_text(point: Point, size: usize) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    [letter(point.column()), letter(size.saturating_sub(1 + point.row()))].iter().collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// The names of rule sets and their options, the name to write first. Komi and handicap are separate properties.
const RULE_SETS: [(&[&str], Rules); 6] = [
    (&["Chinese", "cn"], Rules::new(19)),
    (&["Tromp-Taylor", "Tromp Taylor"], Rules::tromp_taylor(19)),
    (&["Japanese", "jp", "Korean", "kr"], Rules::japanese(19)),
    (&["AGA", "BGA", "French"], Rules { ko: Ko::Situational, ..Rules::new(19) }),
    (&["NZ", "New Zealand", "new_zealand", "New-Zealand"], NEW_ZEALAND),
    (&["Ing", "GOE", "Goe Ing"], NEW_ZEALAND),
];

const NEW_ZEALAND: Rules = Rules { ko: Ko::Situational, ..Rules::tromp_taylor(19) };

/// The rule set of this name, in any case, or the rules with the options that the text lists.
pub(super) fn named_rules(name: &str) -> Option<Rules> {
    let is = |known: &&str| known.eq_ignore_ascii_case(name.trim());
    if let Some((_, rules)) = RULE_SETS.iter().find(|(names, _)| names.iter().any(&is)) {
        return Some(*rules);
    }
    let mut rules = Rules::new(19);
    for word in name.split_whitespace() {
        match word.split_once('=') {
            Some(("ko", ko)) => rules.ko = ko.parse().ok()?,
            Some(("score", scoring)) => rules.scoring = scoring.parse().ok()?,
            None if word == "suicide" => rules.suicide = true,
            _ => return None,
        }
    }
    (!name.trim().is_empty()).then_some(rules)
}

/// The name of a rule set, or a list of its options.
fn rules_name(rules: Rules) -> String {
    let same =
        |known: &Rules| (known.ko, known.suicide, known.scoring) == (rules.ko, rules.suicide, rules.scoring);
    if let Some((names, _)) = RULE_SETS.iter().find(|(_, known)| same(known)) {
        return names[0].to_owned();
    }
    let suicide = if rules.suicide { " suicide" } else { "" };
    let scoring = if rules.scoring == Scoring::Territory { " score=territory" } else { "" };
    format!("ko={}{suicide}{scoring}", rules.ko.name())
}
