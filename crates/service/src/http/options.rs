//! The options of games, for dialogs that offer them.

use axum::Json;
use record::{GameKind, Options, Value, Values};
use serde::Serialize;
use utoipa::ToSchema;

use super::body::Asked;
use crate::{ApiError, Setup};

/// The options of a game as far as they are chosen, and what the others are then.
#[derive(Serialize, ToSchema)]
pub(super) struct OptionsView {
    /// What is chosen.
    chosen: Setup,
    /// The whole setup, with the defaults that follow from what is chosen.
    setup: Setup,
    /// The names of options that do not go together with those before them and are left to their defaults.
    dropped: Vec<&'static str>,
    /// Every option of the game.
    options: Vec<OptionView>,
}

/// One option.
#[derive(Serialize, ToSchema)]
struct OptionView {
    /// Its name in a setup.
    name: &'static str,
    /// A label.
    title: &'static str,
    /// What it means.
    about: &'static str,
    /// `flag`, `number`, `points` or `name`.
    kind: &'static str,
    /// The values that go together with what else is chosen, if there are few of them.
    #[schema(value_type = Option<Vec<Object>>)]
    allowed: Option<Vec<Value>>,
    /// The smallest number.
    least: Option<u16>,
    /// The largest number.
    most: Option<u16>,
    /// Its value now.
    #[schema(value_type = Object)]
    value: Value,
    /// Its value unless another is chosen.
    #[schema(value_type = Object)]
    default: Value,
    /// Whether most people want to see it.
    prominent: bool,
}

/// The names and values behind a question mark.
pub(super) type Pairs = Vec<(String, String)>;

/// Reads a setup from the query of an address.
pub(super) fn setup(pairs: &Pairs) -> Result<Setup, ApiError> {
    Ok(Setup(Options::from_pairs(pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())))?))
}

#[utoipa::path(get, path = "/api/options", tag = "games",
    params(("game" = Option<String>, Query, description = "`ringrift` or `go`; every option of the game may follow")),
    responses((status = 200, body = OptionsView), (status = 422, description = "No such option or value")))]
pub(super) async fn list(Asked(pairs): Asked<Pairs>) -> Result<Json<OptionsView>, ApiError> {
    Ok(Json(view(&pairs)?))
}

fn view(pairs: &Pairs) -> Result<OptionsView, ApiError> {
    let game = pairs.iter().find(|(name, _)| name == "game").map_or("ringrift", |(_, game)| game);
    let mut chosen = Options::new(game.parse::<GameKind>()?);
    let mut dropped = Vec::new();
    for (name, text) in pairs.iter().filter(|(name, _)| name != "game") {
        let mut with = chosen.clone();
        with.parse(name, text)?;
        if with.config_for_people().is_ok() {
            chosen = with;
        } else {
            dropped
                .extend(chosen.game().options().iter().map(|option| option.name).find(|known| known == name));
        }
    }
    let setup = Setup::from(&chosen.config_for_people()?);
    let options = setup.0.chosen().map(|(option, value)| {
        let mut without = chosen.clone();
        without.unset(option);
        let defaults = Options::from(&without.config_for_people()?);
        let default = defaults.chosen().find(|(other, _)| other.name == option.name);
        let (kind, range) = match option.values {
            Values::Flag => ("flag", None),
            Values::Number { least, most } => ("number", Some((least, most))),
            Values::HalfPoints => ("points", None),
            Values::Names(_) => ("name", None),
        };
        Ok(OptionView {
            name: option.name,
            title: option.title,
            about: option.about,
            kind,
            allowed: without.allowed(option),
            least: range.map(|(least, _)| least),
            most: range.map(|(_, most)| most),
            value,
            default: default.map_or(value, |(_, default)| default),
            prominent: option.prominent,
        })
    });
    let options = options.collect::<Result<_, ApiError>>()?;
    Ok(OptionsView { chosen: Setup(chosen), setup, dropped, options })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn asked(query: &str) -> Json {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let pairs: Pairs = pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        serde_json::to_value(view(&pairs).unwrap_or_else(|error| panic!("{query}: {error}"))).unwrap()
    }

    fn option<'a>(view: &'a Json, name: &str) -> &'a Json {
        view["options"].as_array().unwrap().iter().find(|option| option["name"] == name).unwrap()
    }

    #[test]
    fn defaults_follow_what_is_chosen() {
        let view = asked("game=go&scoring=territory");
        assert_eq!(
            (&option(&view, "komi")["value"], &option(&view, "ko")["value"]),
            (&json!(6.5), &json!("simple"))
        );
        let view = asked("game=go&scoring=territory&komi=0");
        assert_eq!(
            (&option(&view, "komi")["value"], &option(&view, "komi")["default"]),
            (&json!(0.0), &json!(6.5))
        );
        assert_eq!(view["chosen"], json!({ "game": "go", "scoring": "territory", "komi": 0.0 }));
    }

    #[test]
    fn values_that_do_not_go_together_are_left_out() {
        let view = asked("game=go&size=7&handicap=9");
        assert_eq!((&view["dropped"], &view["setup"]["handicap"]), (&json!(["handicap"]), &json!(0)));
        assert_eq!(option(&view, "handicap")["allowed"], json!([0, 2, 3, 4]));
        let view = asked("game=ringrift&players=3&swap=true");
        assert_eq!((&view["dropped"], &view["setup"]["swap"]), (&json!(["swap"]), &json!(false)));
        assert_eq!(option(&asked("players=2"), "swap")["default"], json!(true));
    }

    #[test]
    fn every_option_is_listed() {
        for game in GameKind::ALL {
            let view = asked(&format!("game={}", game.name()));
            for known in game.options() {
                assert_eq!(option(&view, known.name)["about"], known.about);
                assert_eq!(view["setup"][known.name], option(&view, known.name)["value"]);
            }
        }
    }
}
