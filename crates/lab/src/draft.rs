//! Drafts: events as requested, which resolve to plans.

use arena::{
    Schedule, Sprt, System, Tables,
    store::{Event, Participant},
};
use ladder::{Models, Player, Spec};
use record::Config;
use serde_json::{Value, json};

use crate::{
    LabError, Openings, Plan, participant,
    playing::{distinct_players, players},
    scale,
};

/// An event as requested, before anything is resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// The form of the event.
    pub form: Form,
    /// The agents. In a gauntlet or a match, the first one is measured against the others.
    pub agents: Vec<Spec>,
    /// The configuration of the game.
    pub config: Config,
    /// The number of random decisions in an opening.
    pub opening_plies: u32,
    /// How openings are chosen.
    pub openings: Openings,
    /// The number of games per group that meets.
    pub games: u64,
    /// The seed of openings and agents.
    pub seed: u64,
}

/// The forms of events.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    /// Two agents, which may be the same.
    Match {
        /// The test that can end the match early.
        sprt: Option<Sprt>,
    },
    /// Many agents.
    Tournament {
        /// The number of rounds of the Swiss system, or `None` for a round robin.
        rounds: Option<u32>,
        /// Who plays in games for more than two seats. By default, different agents if there are enough.
        tables: Option<Tables>,
    },
    /// One agent against each of the others.
    Gauntlet,
}

impl Form {
    /// The kind of the event in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Match { .. } => "match",
            Self::Tournament { .. } => "tournament",
            Self::Gauntlet => "gauntlet",
        }
    }
}

impl Draft {
    /// Resolves the draft to a plan with `threads` games at the same time and nets from `models`. Starts nothing.
    ///
    /// # Errors
    /// If an agent cannot play this game, or the schedule is invalid.
    pub fn plan(&self, threads: usize, models: &Models) -> Result<Plan, LabError> {
        let players = match self.form {
            Form::Match { .. } => players(&self.agents, &self.config, models)?,
            Form::Tournament { .. } | Form::Gauntlet => distinct_players(&self.agents, &self.config, models)?,
        };
        self.plan_for(players, threads)
    }

    /// Resolves the draft to a plan with the given players, one per requested agent.
    ///
    /// # Errors
    /// If the schedule is invalid.
    pub fn plan_for(&self, players: Vec<Player>, threads: usize) -> Result<Plan, LabError> {
        let is_match = matches!(self.form, Form::Match { .. });
        if is_match && players.len() != 2 {
            return Err(LabError::AgentCount(players.len()));
        }
        let (system, tables) = self.system();
        let mut schedule = Schedule {
            participants: players.len(),
            seats: self.config.seats(),
            tables,
            system,
            games: self.games,
            seed: self.seed,
        };
        schedule.check()?;
        let participants: Vec<Participant> = players.iter().map(participant).collect();
        let agents: Vec<String> = participants.iter().map(|participant| participant.spec.clone()).collect();
        let judge = self.openings.judge(self.opening_plies, &self.config);
        let mut resolved = self.resolved(&agents, &schedule);
        // Random openings are not mentioned, as in events from before there were others.
        if let Some(judge) = &judge {
            resolved["openings"] = judge.json();
        }
        let event = event(self.form.name(), &resolved, &scale(&self.config));
        if !is_match {
            schedule.seed = seed_of(&event);
        }
        Ok(Plan {
            form: self.form,
            participants,
            players,
            config: self.config.clone(),
            opening_plies: self.opening_plies,
            judge,
            threads,
            event,
            resolved,
            schedule,
            request: (!is_match).then(|| self.to_json().to_string()),
        })
    }

    fn system(&self) -> (System, Tables) {
        match self.form {
            Form::Gauntlet | Form::Match { .. } => (System::Gauntlet, Tables::Copies),
            Form::Tournament { rounds, tables } => {
                let enough = self.agents.len() >= self.config.seats();
                let usual = if enough { Tables::Distinct } else { Tables::Copies };
                let system = rounds.map_or(System::RoundRobin, |rounds| System::Swiss { rounds });
                (system, tables.unwrap_or(usual))
            }
        }
    }

    /// Everything that the games depend on, as JSON.
    fn resolved(&self, agents: &[String], schedule: &Schedule) -> Value {
        let Self { config, opening_plies: opening, seed, .. } = self;
        match self.form {
            Form::Match { sprt } => json!({
                "type": "match-config", "version": 1, "a": agents[0], "b": agents[1], "rules": config,
                "games": schedule.total(), "seed": seed, "opening_plies": opening,
                "sprt": sprt.map(|sprt| json!({
                    "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                })),
            }),
            Form::Gauntlet => json!({
                "type": "gauntlet-config", "version": 1, "candidate": agents[0], "baselines": agents[1..],
                "rules": config, "opening_plies": opening, "seed": seed,
            }),
            Form::Tournament { rounds, .. } => {
                let mut value = json!({
                    "type": "tournament-config", "version": 1, "agents": agents, "rules": config,
                    "system": if rounds.is_some() { "swiss" } else { "round-robin" },
                    "tables": name(schedule.tables), "opening_plies": opening, "seed": seed,
                });
                // More rounds, or more games of a round robin, only append games, so they are not part of the event's
                // identity.
                if rounds.is_some() {
                    value["games"] = json!(schedule.rotations() * schedule.rotation());
                }
                value
            }
        }
    }

    /// The form in which a run stores the draft, so that another process can resume it.
    fn to_json(&self) -> Value {
        let agents: Vec<String> = self.agents.iter().map(ToString::to_string).collect();
        let (rounds, tables) = match self.form {
            Form::Tournament { rounds, tables } => (rounds, tables.map(name)),
            Form::Gauntlet | Form::Match { .. } => (None, None),
        };
        json!({
            "form": self.form.name(), "rounds": rounds, "tables": tables, "agents": agents, "rules": &self.config,
            "opening_plies": self.opening_plies, "openings": self.openings.name(), "games": self.games,
            "seed": self.seed,
        })
    }

    /// Parses the draft stored with a run, or returns `None` if it is not a draft.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let number = |name: &str| value[name].as_u64();
        let short = |name: &str| number(name).and_then(|number| u32::try_from(number).ok());
        let form = match value["form"].as_str()? {
            "gauntlet" => Form::Gauntlet,
            "tournament" => {
                let tables = [Tables::Distinct, Tables::Copies];
                let tables = tables.into_iter().find(|&tables| value["tables"] == name(tables));
                Form::Tournament { rounds: short("rounds"), tables }
            }
            _ => return None,
        };
        let agents = value["agents"].as_array()?.iter().map(|agent| agent.as_str()?.parse().ok());
        Some(Self {
            form,
            agents: agents.collect::<Option<_>>()?,
            config: serde_json::from_value(value["rules"].clone()).ok()?,
            opening_plies: short("opening_plies")?,
            openings: match &value["openings"] {
                // Drafts from before openings were balanced.
                Value::Null => Openings::Random,
                name => Openings::from_name(name.as_str()?)?,
            },
            games: number("games")?,
            seed: number("seed")?,
        })
    }
}

/// The event with this configuration. The number of games of a match and its test are left out, since they do not
/// change the games.
pub(crate) fn event(kind: &str, resolved: &Value, scale: &str) -> Event {
    let mut config = resolved.clone();
    if let Some(fields) = config.as_object_mut().filter(|_| kind == "match") {
        fields.remove("games");
        fields.remove("sprt");
    }
    Event::new(kind, scale, &config.to_string())
}

/// The match that a configuration file next to records describes, on its scale.
pub fn match_event(config: &Value, scale: &str) -> Event {
    event("match", config, scale)
}

/// The seed of the games of an event. It depends on the whole event, so that different events share no games.
fn seed_of(event: &Event) -> u64 {
    u64::from_str_radix(&event.id[..16], 16).expect("an event's id is made of hexadecimal digits")
}

fn name(tables: Tables) -> &'static str {
    match tables {
        Tables::Distinct => "distinct",
        Tables::Copies => "copies",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(form: Form, agents: &[&str]) -> Draft {
        Draft {
            form,
            agents: agents.iter().map(|agent| agent.parse().unwrap()).collect(),
            config: Config::ringrift(ringrift::Board::Square8, ringrift::Rules::new(2)),
            opening_plies: 4,
            openings: Openings::Balanced,
            games: 10,
            seed: 7,
        }
    }

    #[test]
    fn a_stored_draft_resolves_to_the_same_event() {
        let round_robin = Form::Tournament { rounds: None, tables: None };
        let swiss = Form::Tournament { rounds: Some(3), tables: Some(Tables::Distinct) };
        for form in [round_robin, swiss, Form::Gauntlet] {
            let draft = draft(form, &["d2", "random", "mcts(sims=50)"]);
            let plan = draft.plan(1, &Models::default()).unwrap();
            let again = Draft::parse(plan.request.as_deref().unwrap()).unwrap();
            assert_eq!(again, draft);
            assert_eq!(again.plan(2, &Models::default()).unwrap().event, plan.event);
        }
        assert_eq!(Draft::parse("{}"), None);
        assert_eq!(Draft::parse("nonsense"), None);
    }

    #[test]
    fn openings_are_part_of_the_event_and_older_drafts_have_random_ones() {
        for form in [Form::Match { sprt: None }, Form::Gauntlet] {
            let plan = |openings, opening_plies| {
                let draft = Draft { opening_plies, openings, ..draft(form, &["d2", "random"]) };
                draft.plan(1, &Models::default()).unwrap()
            };
            let [balanced, random] = Openings::ALL.map(|openings| plan(openings, 4));
            let judge = &balanced.resolved["openings"];
            assert!(judge["judge"].as_str().unwrap().starts_with("minimax(nodes=3000,"), "{judge}");
            assert_eq!((judge["tolerance"].as_f64(), judge["draws"].as_u64()), (Some(0.05), Some(32)));
            assert_eq!(random.resolved.get("openings"), None);
            assert_ne!(balanced.event.id, random.event.id);
            let [balanced, random] = Openings::ALL.map(|openings| plan(openings, 0));
            assert_eq!(balanced.event.id, random.event.id, "there is only one empty opening");
        }
        let draft = Draft { openings: Openings::Random, ..draft(Form::Gauntlet, &["d2", "random"]) };
        let mut stored = draft.to_json();
        assert_eq!(Draft::parse(&stored.to_string()), Some(draft.clone()));
        stored["openings"] = json!("sharp");
        assert_eq!(Draft::parse(&stored.to_string()), None);
        stored.as_object_mut().unwrap().remove("openings");
        assert_eq!(Draft::parse(&stored.to_string()), Some(draft));
    }

    #[test]
    fn more_games_are_the_same_event_unless_they_change_who_meets_whom() {
        let id = |form, games| {
            Draft { games, ..draft(form, &["d2", "random"]) }.plan(1, &Models::default()).unwrap().event.id
        };
        for form in [Form::Gauntlet, Form::Tournament { rounds: None, tables: None }] {
            assert_eq!(id(form, 10), id(form, 20));
        }
        let swiss = |rounds| Form::Tournament { rounds: Some(rounds), tables: None };
        assert_eq!(id(swiss(2), 10), id(swiss(3), 10));
        assert_ne!(id(swiss(2), 10), id(swiss(2), 20));
    }

    #[test]
    fn invalid_drafts_are_refused() {
        let alone = draft(Form::Gauntlet, &["d2"]).plan(1, &Models::default());
        assert!(matches!(alone, Err(LabError::Schedule(_))), "{:?}", alone.err());
        let crowd =
            draft(Form::Match { sprt: None }, &["d2", "random", "heuristic"]).plan(1, &Models::default());
        assert!(matches!(crowd, Err(LabError::AgentCount(3))), "{:?}", crowd.err());
        assert!(
            draft(Form::Match { sprt: None }, &["random", "random"]).plan(1, &Models::default()).is_ok(),
            "against itself"
        );
        let twice = draft(Form::Gauntlet, &["mcts", "mcts(sims=400)"]).plan(1, &Models::default());
        assert!(matches!(twice, Err(LabError::DuplicateParticipant { .. })), "{:?}", twice.err());
    }
}
