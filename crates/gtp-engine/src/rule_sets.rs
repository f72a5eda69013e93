//! Rule sets as programs name them: `kgs-rules`, `kata-set-rules`, and the analysis protocol of `KataGo`.
//!
//! The options of `KataGo` that these rules do not have (a button, group tax, a handicap bonus) are refused unless they have
//! their neutral value.

use go::{Ko, Rules, Scoring};
use serde_json::{Map, Value, json};

/// The names of rule sets, with all their spellings in small letters and `-` between words.
const NAMES: [(&[&str], Rules); 5] = [
    (&["chinese", "chinese-ogs", "chinese-kgs", "cn"], Rules::new(19)),
    (&["tromp-taylor", "tromptaylor"], Rules::tromp_taylor(19)),
    (&["japanese", "korean", "jp", "kr", "ko"], Rules::japanese(19)),
    (&["aga", "bga", "french"], Rules { ko: Ko::Situational, ..Rules::new(19) }),
    (&["new-zealand", "newzealand", "nz"], Rules { ko: Ko::Situational, ..Rules::tromp_taylor(19) }),
];

/// The given rules with the ko rule, suicide and scoring of a named set, or of an object with `KataGo`'s options.
///
/// # Errors
/// A message, if the text names no rule set or an option has an unsupported value.
pub(super) fn parse(text: &str, rules: Rules) -> Result<Rules, String> {
    let text = text.trim();
    if text.starts_with('{') {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("invalid rules: {error}"))?;
        return from_json(&value, rules);
    }
    let name = text.trim_matches('"').to_ascii_lowercase().replace(['_', ' '], "-");
    let known = NAMES.iter().find(|(names, _)| names.contains(&name.as_str()));
    let (_, Rules { ko, suicide, scoring, .. }) = known.ok_or_else(|| {
        let names: Vec<&str> = NAMES.iter().map(|(names, _)| names[0]).collect();
        format!("unknown rules {text:?}: expected {} or an object", names.join(", "))
    })?;
    Ok(Rules { ko: *ko, suicide: *suicide, scoring: *scoring, ..rules })
}

/// Like [`parse`], for rules in JSON: a name or an object.
///
/// # Errors
/// As for [`parse`].
pub(super) fn from_json(value: &Value, mut rules: Rules) -> Result<Rules, String> {
    let options = match value {
        Value::String(name) => return parse(name, rules),
        Value::Object(options) => options,
        _ => return Err(format!("unknown rules {value}: expected a name or an object")),
    };
    for (name, value) in options {
        let refuse = || Err(format!("{name} is {value}, which is not supported"));
        match (name.as_str(), value) {
            ("ko", Value::String(ko)) => {
                rules.ko = match ko.to_ascii_uppercase().as_str() {
                    "SIMPLE" => Ko::Simple,
                    "POSITIONAL" => Ko::Positional,
                    "SITUATIONAL" => Ko::Situational,
                    _ => return refuse(),
                }
            }
            ("scoring" | "scoringRule" | "score", Value::String(scoring)) => {
                rules.scoring = match scoring.to_ascii_uppercase().as_str() {
                    "AREA" => Scoring::Area,
                    "TERRITORY" => Scoring::Territory,
                    _ => return refuse(),
                }
            }
            ("suicide" | "multiStoneSuicideLegal", Value::Bool(suicide)) => rules.suicide = *suicide,
            // A territory rule with group tax is a matter of one or two points in seki; the others change the score.
            ("tax", Value::String(tax)) if ["NONE", "SEKI"].contains(&tax.to_ascii_uppercase().as_str()) => {}
            ("hasButton", Value::Bool(false)) | ("friendlyPassOk", Value::Bool(_)) => {}
            ("whiteHandicapBonus", Value::String(bonus)) if bonus == "0" => {}
            ("komi", Value::Number(komi)) => {
                rules.komi = komi.to_string().parse().map_err(|_| format!("komi {komi} is not supported"))?;
            }
            _ => return refuse(),
        }
    }
    Ok(rules)
}

/// The rules as an object with `KataGo`'s options.
pub(super) fn to_json(rules: Rules) -> Value {
    let mut options = Map::new();
    let territory = rules.scoring == Scoring::Territory;
    options.insert("ko".to_owned(), json!(rules.ko.name().to_ascii_uppercase()));
    options.insert("scoring".to_owned(), json!(rules.scoring.name().to_ascii_uppercase()));
    options.insert("suicide".to_owned(), json!(rules.suicide));
    options.insert("tax".to_owned(), json!(if territory { "SEKI" } else { "NONE" }));
    options.insert("hasButton".to_owned(), json!(false));
    options.insert("whiteHandicapBonus".to_owned(), json!("0"));
    options.insert("friendlyPassOk".to_owned(), json!(false));
    Value::Object(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_or_listed() {
        let nine = Rules::new(9);
        assert_eq!(parse("Japanese", nine).unwrap(), Rules { komi: nine.komi, ..Rules::japanese(9) });
        assert_eq!(parse("new_zealand", nine).unwrap().ko, Ko::Situational);
        assert!(parse(r#"{"ko":"SIMPLE","suicide":true}"#, nine).unwrap().suicide);
        for rules in [nine, Rules::japanese(9), Rules::tromp_taylor(9)] {
            assert_eq!(from_json(&to_json(rules), Rules::new(9)).unwrap().scoring, rules.scoring);
            assert_eq!(parse(&to_json(rules).to_string(), rules), Ok(rules));
        }
        assert!(parse("calvinball", nine).unwrap_err().contains("chinese, tromp-taylor"));
        assert!(parse(r#"{"hasButton":true}"#, nine).unwrap_err().contains("hasButton"));
        assert!(parse("{", nine).is_err() && from_json(&json!(3), nine).is_err());
    }
}
