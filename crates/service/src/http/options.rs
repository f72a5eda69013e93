//! The handler that describes the options of a game, for dialogs.

use axum::Json;
use record::{GameKind, GameOption, Options, Value, Values};
use serde::Serialize;
use utoipa::ToSchema;

use super::body::Params;
use crate::{ApiError, Setup};

/// The options of a game: those chosen, and the resulting defaults of the others.
#[derive(Serialize, ToSchema)]
pub(super) struct OptionsView {
    /// The options chosen.
    chosen: Setup,
    /// The complete setup, with the defaults that follow from the chosen options.
    setup: Setup,
    /// The names of chosen options that contradict earlier ones and were ignored.
    dropped: Vec<&'static str>,
    /// Every option of the game.
    options: Vec<OptionView>,
}

/// An option of a game.
#[derive(Serialize, ToSchema)]
struct OptionView {
    /// The name of the option in a setup.
    name: &'static str,
    /// The label to display.
    title: &'static str,
    /// An explanation of the option.
    about: &'static str,
    /// `flag`, `number`, `points` or `name`.
    kind: &'static str,
    /// The values that are compatible with the other choices, if there are few.
    #[schema(value_type = Option<Vec<Object>>)]
    allowed: Option<Vec<Value>>,
    /// The smallest number.
    least: Option<u16>,
    /// The largest number.
    most: Option<u16>,
    /// The present value.
    #[schema(value_type = Object)]
    value: Value,
    /// The default value.
    #[schema(value_type = Object)]
    default: Value,
    /// Whether a dialog should show the option without being asked for more.
    prominent: bool,
}

/// Query parameters as pairs of names and values.
pub(super) type Pairs = Vec<(String, String)>;

/// Parses a setup from query parameters.
pub(super) fn setup(pairs: &Pairs) -> Result<Setup, ApiError> {
    Ok(Setup(Options::from_pairs(pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())))?))
}

#[utoipa::path(get, path = "/api/options", tag = "games",
    params(("game" = Option<String>, Query, description = "`ringrift` or `go`; every option of the game may follow")),
    responses((status = 200, body = OptionsView), (status = 422, description = "No such option or value")))]
pub(super) async fn list(Params(pairs): Params<Pairs>) -> Result<Json<OptionsView>, ApiError> {
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
        } else if let Some(option) = chosen.game().options().iter().find(|option| option.name == name) {
            match next_lower(&chosen, &with, option) {
                Some(value) => chosen.set(option, value)?,
                None => dropped.push(option.name),
            }
        }
    }
    let setup = Setup::from(&chosen.config_for_people()?);
    let options = setup.0.chosen().map(|(option, value)| {
        let mut without = chosen.clone();
        without.unset(option);
        // A choice limits the options after it, not those before it: those win when they are chosen later.
        let mut before = chosen.clone();
        let all = chosen.game().options().iter();
        all.skip_while(|other| other.name != option.name).for_each(|other| before.unset(other));
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
            allowed: before.allowed(option),
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

/// The largest number below the one in `asked` that is valid with the options in `chosen`, such as the most handicap
/// stones of a smaller board. `None` if that is no choice at all.
fn next_lower(chosen: &Options, asked: &Options, option: &GameOption) -> Option<Value> {
    let number = |value: Value| if let Value::Number(number) = value { Some(number) } else { None };
    let (_, value) = asked.chosen().find(|(other, _)| other.name == option.name)?;
    let most = number(value)?;
    let below = chosen.allowed(option)?.into_iter().filter_map(number).filter(|&number| number < most);
    below.max().filter(|&number| number > 0).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn response(query: &str) -> Json {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let pairs: Pairs = pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        serde_json::to_value(view(&pairs).unwrap_or_else(|error| panic!("{query}: {error}"))).unwrap()
    }

    fn option<'a>(view: &'a Json, name: &str) -> &'a Json {
        view["options"].as_array().unwrap().iter().find(|option| option["name"] == name).unwrap()
    }

    #[test]
    fn defaults_follow_from_the_chosen_options() {
        let view = response("game=go&scoring=territory");
        assert_eq!(
            (&option(&view, "komi")["value"], &option(&view, "ko")["value"]),
            (&json!(6.5), &json!("simple"))
        );
        let view = response("game=go&scoring=territory&komi=0");
        assert_eq!(
            (&option(&view, "komi")["value"], &option(&view, "komi")["default"]),
            (&json!(0.0), &json!(6.5))
        );
        assert_eq!(view["chosen"], json!({ "game": "go", "scoring": "territory", "komi": 0.0 }));
    }

    #[test]
    fn contradictory_numbers_are_lowered_and_other_values_dropped() {
        let view = response("game=go&size=7&handicap=9");
        assert_eq!((&view["dropped"], &view["setup"]["handicap"]), (&json!([]), &json!(4)));
        assert_eq!(option(&view, "handicap")["allowed"], json!([0, 2, 3, 4]));
        let sizes = option(&view, "size")["allowed"].as_array().unwrap();
        assert_eq!(sizes.len(), 18, "a handicap does not limit the size, which comes first");
        let view = response("game=go&size=5&handicap=9");
        assert_eq!((&view["dropped"], &view["setup"]["handicap"]), (&json!(["handicap"]), &json!(0)));
        let view = response("game=ringrift&players=3&swap=true");
        assert_eq!((&view["dropped"], &view["setup"]["swap"]), (&json!(["swap"]), &json!(false)));
        assert_eq!(option(&response("players=2"), "swap")["default"], json!(true));
    }

    #[test]
    fn every_option_is_listed() {
        for game in GameKind::ALL {
            let view = response(&format!("game={}", game.name()));
            for known in game.options() {
                assert_eq!(option(&view, known.name)["about"], known.about);
                assert_eq!(view["setup"][known.name], option(&view, known.name)["value"]);
            }
        }
    }
}
