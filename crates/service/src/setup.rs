//! The setup of a game in requests and responses: the options of the crate `record`, with their schema for the API.

use record::{BadOption, Config, GameKind, GameOption, Options, Values};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{Object, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type},
    },
};

use crate::ApiError;

/// A game and its options. Options that are left out take the game's defaults.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Setup(pub Options);

impl Setup {
    /// The options of a game for people: RingRift with two players has the pie rule unless the setup excludes it.
    ///
    /// # Errors
    /// Returns an error if the options contradict each other.
    pub fn config(&self) -> Result<Config, ApiError> {
        Ok(self.0.config_for_people()?)
    }

    /// The options of a rated game between agents: without the pie rule unless the setup includes it.
    ///
    /// # Errors
    /// Returns an error if the options contradict each other.
    pub fn config_for_agents(&self) -> Result<Config, ApiError> {
        Ok(self.0.config()?)
    }
}

impl From<&Config> for Setup {
    fn from(config: &Config) -> Self {
        Self(config.into())
    }
}

impl From<BadOption> for ApiError {
    fn from(error: BadOption) -> Self {
        Self::input(error)
    }
}

impl ToSchema for Setup {}

impl PartialSchema for Setup {
    fn schema() -> RefOr<Schema> {
        let games = GameKind::ALL.into_iter().fold(OneOfBuilder::new(), |games, game| {
            let name = ObjectBuilder::new()
                .schema_type(SchemaType::new(Type::String))
                .enum_values(Some([game.name()]));
            let object =
                ObjectBuilder::new().title(Some(game.title())).property("game", name).required("game");
            let object = game
                .options()
                .iter()
                .fold(object, |object, option| object.property(option.name, described(option)));
            games.item(object)
        });
        let about = "A game and its options. Options that are left out take the game's defaults.";
        RefOr::T(games.description(Some(about)).build().into())
    }
}

/// The schema of one option.
fn described(option: &GameOption) -> Object {
    let object =
        ObjectBuilder::new().description(Some(format!("{}. Default: {}.", option.about, option.default)));
    let of = |kind: Type| SchemaType::new(kind);
    match option.values {
        Values::Flag => object.schema_type(of(Type::Boolean)),
        Values::Number { least, most } => {
            object.schema_type(of(Type::Integer)).minimum(Some(least)).maximum(Some(most))
        }
        Values::HalfPoints => object.schema_type(of(Type::Number)).multiple_of(Some(0.5)),
        Values::Names(names) => object.schema_type(of(Type::String)).enum_values(Some(names.iter().copied())),
    }
    .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_names_every_option_of_both_games() {
        let json = serde_json::to_value(Setup::schema()).unwrap();
        for (game, described) in GameKind::ALL.into_iter().zip(json["oneOf"].as_array().unwrap()) {
            assert_eq!(described["properties"]["game"]["enum"][0], game.name());
            for option in game.options() {
                let found = &described["properties"][option.name];
                assert!(found["description"].as_str().unwrap().starts_with(option.about), "{found}");
            }
        }
    }

    #[test]
    fn a_setup_has_the_same_meaning_as_on_the_command_line() {
        let config = |json: &str| serde_json::from_str::<Setup>(json).unwrap().config().unwrap();
        let territory = Config::go(go::Rules::japanese(9));
        assert_eq!(config(r#"{"game":"go","scoring":"territory"}"#), territory);
        assert_eq!("go scoring=territory".parse::<Options>().unwrap().config().unwrap(), territory);
        let rules = ringrift::Rules { swap: true, rings: Some(4), lps_rounds: 1, ..ringrift::Rules::new(2) };
        let json = r#"{"game":"ringrift","rings":4,"lps_rounds":1}"#;
        assert_eq!(config(json), Config::ringrift(ringrift::Board::Square8, rules));
    }

    #[test]
    fn invalid_setups_are_refused_with_the_option_the_value_and_what_was_expected() {
        for (json, words) in [
            (r#"{"game":"go","size":99}"#, "size is 99: expected 2 to 19"),
            (r#"{"game":"go","size":"9"}"#, "size is \"9\": expected 2 to 19"),
            (r#"{"game":"go","komi":7.25}"#, "komi is 7.25: expected whole or half points, such as 7.5"),
            (r#"{"game":"go","ko":"super"}"#, "ko is \"super\": expected positional, situational or simple"),
            (r#"{"game":"go","board":"hex8"}"#, "board is an option of RingRift, but the game is Go"),
            (r#"{"game":"go","colour":1}"#, "\"colour\" is not an option of Go: expected size, komi"),
            (r#"{"game":"chess"}"#, "game is \"chess\": expected ringrift or go"),
            (r#"{"size":9}"#, "the game is missing"),
            (r#"{"game":"ringrift","swap":"yes"}"#, "swap is \"yes\": expected true or false"),
        ] {
            let error = serde_json::from_str::<Setup>(json).unwrap_err().to_string();
            assert!(error.starts_with(words), "{json}: {error}");
        }
        let unsound: Setup = serde_json::from_str(r#"{"game":"ringrift","players":3,"swap":true}"#).unwrap();
        assert!(unsound.config().unwrap_err().to_string().contains("the swap rule requires 2 seats"));
    }
}
