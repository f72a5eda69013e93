//! Events as somebody asks for them, and the plans that they become.

use arena::{Schedule, Sprt, System, Tables, store::Event};
use ladder::{Models, Player, Spec};
use record::Config;
use serde_json::{Value, json};

use crate::{
    LabError, Plan, participant,
    playing::{distinct_players, players},
    scale,
};

/// An event before anything is resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// What sort of event it is.
    pub form: Form,
    /// Who takes part; in a gauntlet or a match the first is measured against the others.
    pub agents: Vec<Spec>,
    /// What is played.
    pub config: Config,
    /// Random decisions at the start.
    pub opening_plies: u32,
    /// Games of every group that meets.
    pub games: u64,
    /// Where openings and agents get their random numbers.
    pub seed: u64,
}

/// Sorts of events.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    /// Two agents, which may be the same.
    Match {
        /// The test that may end it early.
        sprt: Option<Sprt>,
    },
    /// Many agents.
    Tournament {
        /// Rounds of the Swiss system; everybody meets everybody without it.
        rounds: Option<u32>,
        /// Who shares a table; by default different agents if there are enough.
        tables: Option<Tables>,
    },
    /// One against each of the others.
    Gauntlet,
}

impl Form {
    /// Its name as an event.
    pub fn name(self) -> &'static str {
        match self {
            Self::Match { .. } => "match",
            Self::Tournament { .. } => "tournament",
            Self::Gauntlet => "gauntlet",
        }
    }
}

impl Draft {
    /// The plan, with `threads` games at the same time and the nets of `models`. Nothing is started.
    ///
    /// # Errors
    /// If an agent cannot play there, or the schedule cannot be played.
    pub fn plan(&self, threads: usize, models: &Models) -> Result<Plan, LabError> {
        let players = match self.form {
            Form::Match { .. } => players(&self.agents, &self.config, models)?,
            Form::Tournament { .. } | Form::Gauntlet => distinct_players(&self.agents, &self.config, models)?,
        };
        self.plan_for(players, threads, models)
    }

    /// The plan, played by these players: one for every agent that was asked for, each of them or what plays instead.
    ///
    /// # Errors
    /// If the schedule cannot be played.
    pub fn plan_for(&self, players: Vec<Player>, threads: usize, models: &Models) -> Result<Plan, LabError> {
        let is_match = matches!(self.form, Form::Match { .. });
        if is_match && players.len() != 2 {
            return Err(LabError::MatchOf(players.len()));
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
        let participants = players.iter().map(|player| participant(&player.config, models));
        let participants = participants.collect::<Result<Vec<_>, _>>()?;
        let agents: Vec<String> = participants.iter().map(|participant| participant.spec.clone()).collect();
        let resolved = self.resolved(&agents, &schedule);
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

    /// Everything that the games depend on.
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
                // Further rounds, and further games of a round robin, only come behind those there are: the games
                // stay the same.
                if rounds.is_some() {
                    value["games"] = json!(schedule.rotations() * schedule.rotation());
                }
                value
            }
        }
    }

    /// As it is kept with a run, so that somebody else can resume it.
    fn to_json(&self) -> Value {
        let agents: Vec<String> = self.agents.iter().map(ToString::to_string).collect();
        let (rounds, tables) = match self.form {
            Form::Tournament { rounds, tables } => (rounds, tables.map(name)),
            Form::Gauntlet | Form::Match { .. } => (None, None),
        };
        json!({
            "form": self.form.name(), "rounds": rounds, "tables": tables, "agents": agents, "rules": &self.config,
            "opening_plies": self.opening_plies, "games": self.games, "seed": self.seed,
        })
    }

    /// Reads what is kept with a run; `None` if it is something else.
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
            games: number("games")?,
            seed: number("seed")?,
        })
    }
}

/// An event with this configuration. How many games a match has, and when a test stops it, is left out: the games
/// there are stay the same.
pub(crate) fn event(kind: &str, resolved: &Value, scale: &str) -> Event {
    let mut config = resolved.clone();
    if let Some(fields) = config.as_object_mut().filter(|_| kind == "match") {
        fields.remove("games");
        fields.remove("sprt");
    }
    Event::new(kind, scale, &config.to_string())
}

/// The match that a configuration beside a file of records describes, on its scale.
pub fn match_event(config: &Value, scale: &str) -> Event {
    event("match", config, scale)
}

/// The seed from which the games of an event are played: events that differ in anything share no game.
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
            games: 10,
            seed: 7,
        }
    }

    #[test]
    fn what_is_kept_with_a_run_is_the_same_event_again() {
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
    fn what_cannot_be_played_is_refused() {
        let alone = draft(Form::Gauntlet, &["d2"]).plan(1, &Models::default());
        assert!(matches!(alone, Err(LabError::Schedule(_))), "{:?}", alone.err());
        let crowd =
            draft(Form::Match { sprt: None }, &["d2", "random", "heuristic"]).plan(1, &Models::default());
        assert!(matches!(crowd, Err(LabError::MatchOf(3))), "{:?}", crowd.err());
        assert!(
            draft(Form::Match { sprt: None }, &["random", "random"]).plan(1, &Models::default()).is_ok(),
            "against itself"
        );
        let twice = draft(Form::Gauntlet, &["mcts", "mcts(sims=400)"]).plan(1, &Models::default());
        assert!(matches!(twice, Err(LabError::Twin { .. })), "{:?}", twice.err());
    }
}
