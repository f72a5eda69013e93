//! Options in their text, JSON, query and record forms.
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use proptest::prelude::*;
use record::{BadOption, Config, GameKind, GameOption, GameRecord, Options, Value, Values};

/// Representative values of an option.
fn values(option: &GameOption) -> Vec<Value> {
    let texts: Vec<String> = match option.values {
        Values::Flag => ["yes", "no"].map(str::to_owned).into(),
        Values::Number { least, most } if most - least < 32 => {
            (least..=most).map(|n| n.to_string()).collect()
        }
        Values::Number { least, most } => [least, least + 1, most / 2, most].map(|n| n.to_string()).into(),
        Values::HalfPoints => ["-7", "-0.5", "0", "0.5", "6.5", "7", "7.5", "1000"].map(str::to_owned).into(),
        Values::Names(names) => names.iter().map(|&name| name.to_owned()).collect(),
    };
    texts.iter().map(|text| option.parse(text).unwrap()).collect()
}

/// Any subset of the options of either game with any values, valid or not.
fn any_options() -> impl Strategy<Value = Options> {
    (0..2_usize, prop::collection::vec(any::<Option<u8>>(), 8)).prop_map(|(game, picks)| {
        let mut options = Options::new(GameKind::ALL[game]);
        for (option, pick) in GameKind::ALL[game].options().iter().zip(picks) {
            if let Some(pick) = pick {
                let values = values(option);
                options.set(option, values[usize::from(pick) % values.len()]).unwrap();
            }
        }
        options
    })
}

/// The options as a URL query.
fn pairs(options: &Options) -> Vec<(String, String)> {
    let game = ("game".to_owned(), options.game().name().to_owned());
    let chosen = options.chosen().map(|(option, value)| (option.name.to_owned(), value.to_string()));
    std::iter::once(game).chain(chosen).collect()
}

proptest! {
    #![proptest_config(support::cases(2_000))]

    #[test]
    fn options_round_trip_through_text_json_and_queries(options in any_options()) {
        prop_assert_eq!(&options.to_string().parse::<Options>().unwrap(), &options);
        let json = serde_json::to_string(&options).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Options>(&json).unwrap(), &options);
        let pairs = pairs(&options);
        let borrowed = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        prop_assert_eq!(&Options::from_pairs(borrowed).unwrap(), &options);
    }

    #[test]
    fn valid_options_make_the_same_game_in_every_form(options in any_options()) {
        let Ok(config) = options.config() else {
            // An invalid combination is refused, and the error names the options.
            prop_assert!(matches!(options.config(), Err(BadOption::Unsound(faults)) if !faults.is_empty()));
            return Ok(());
        };
        let full = Options::from(&config);
        prop_assert_eq!(full.chosen().count(), options.game().options().len());
        prop_assert_eq!(&full.config().unwrap(), &config, "defaults are stable");
        prop_assert_eq!(&full.config_for_people().unwrap(), &config, "a full set leaves nothing to default");
        for (option, value) in options.chosen() {
            prop_assert!(full.chosen().any(|(other, found)| other.name == option.name && found == value));
        }
        let text = full.to_string().parse::<Options>().unwrap().config().unwrap();
        let json: Options = serde_json::from_str(&serde_json::to_string(&full).unwrap()).unwrap();
        prop_assert_eq!(&text, &config);
        prop_assert_eq!(&json.config().unwrap(), &config);
        let players = vec!["somebody".to_owned(); config.seats()];
        let line = GameRecord::new("one", config.clone(), players).to_line().unwrap();
        prop_assert_eq!(&GameRecord::from_line(&line).unwrap().config, &config, "{}", line);
    }

    #[test]
    fn different_games_have_different_scales(one in any_options(), other in any_options()) {
        let (Ok(one), Ok(other)) = (one.config(), other.config()) else { return Ok(()) };
        let scale = |config: &Config| {
            let board = Options::from(config).chosen().take(2).map(|(_, value)| value.to_string()).collect::<Vec<_>>();
            // The name of the venue has the board, and in RingRift the number of players.
            let place = if config.kind() == GameKind::Go { board[0].clone() } else { board.join("/") };
            format!("{}/{place}{}", config.kind().name(), config.differences())
        };
        prop_assert_eq!(scale(&one) == scale(&other), one == other, "{} {}", scale(&one), scale(&other));
    }
}

#[test]
fn the_described_defaults_are_the_defaults() {
    for game in GameKind::ALL {
        let full = Options::from(&Options::new(game).config().unwrap());
        for (option, value) in full.chosen() {
            let words = option.default.split([';', ' ']).next().unwrap();
            assert_eq!(words, value.to_string(), "{}", option.name);
        }
    }
    let resolved =
        |text: &str| Options::from(&text.parse::<Options>().unwrap().config().unwrap()).to_string();
    assert!(resolved("go scoring=territory").starts_with("go size=9 komi=6.5 handicap=0 ko=simple "));
    assert!(
        resolved("go scoring=territory ko=positional komi=7.5")
            .starts_with("go size=9 komi=7.5 handicap=0 ko=positional ")
    );
    assert!(
        resolved("go handicap=4 scoring=territory").starts_with("go size=9 komi=0.5 handicap=4 ko=simple ")
    );
    for (board, rings) in [("square8", 18), ("hex8", 18), ("square19", 72), ("hexagonal", 96)] {
        assert!(resolved(&format!("ringrift board={board}")).contains(&format!(" rings={rings} ")));
    }
    let people = |text: &str| text.parse::<Options>().unwrap().config_for_people().unwrap();
    let swap = |config: &Config| matches!(config, Config::RingRift(config) if config.rules.swap);
    assert!(
        swap(&people("ringrift"))
            && !swap(&people("ringrift swap=no"))
            && !swap(&people("ringrift players=3"))
    );
    assert!(!swap(&"ringrift".parse::<Options>().unwrap().config().unwrap()));
}

#[test]
fn older_records_are_read() {
    let read = |config: &str| serde_json::from_str::<Config>(config);
    let old = r#"{"game":"ringrift","rules":1,"board":"hex8","seats":3,"variant":"base","recovery":"text","swap":false,"lps_rounds":2,"rings":5}"#;
    let config = read(old).unwrap();
    assert_eq!(config, read(&old.replace("seats", "players")).unwrap());
    assert_eq!(config.differences(), "+rings=5+lps-rounds=2+variant=base+recovery=text");
    let old = r#"{"game":"go","rules":1,"size":9,"komi":6.5,"ko":"simple","suicide":false,"scoring":"territory","handicap":0}"#;
    assert_eq!(read(old).unwrap(), Config::go(go::Rules::japanese(9)));
    for (wrong, words) in [
        (old.replace(r#""ko":"simple","#, ""), "ko is missing: a record contains all options of Go"),
        (old.replace("6.5", "6.25"), "komi is 6.25: expected whole or half points, such as 7.5"),
        (old.replace(r#""rules":1,"#, ""), "missing field `rules`"),
        (old.replace(r#""rules":1"#, r#""rules":-1"#), "rules is -1: expected the revision of the rules"),
        (old.replace("suicide", "genocide"), "\"genocide\" is not an option of Go: expected size, komi"),
        (old.replace(r#""size":9"#, r#""size":9,"size":9"#), "size is given twice"),
        (old.replace(r#""handicap":0"#, r#""handicap":1"#), "handicap 1: a 9×9 board has fixed points"),
    ] {
        let error = read(&wrong).unwrap_err().to_string();
        assert!(error.starts_with(words), "{wrong}: {error}");
    }
}
