//! Ratings on a scale, with labels for people and JSON for programs.

use arena::{
    CrossTable, Placing, RatingConfig, Ratings,
    store::{Participant, RatingRow, Scale, Store},
};
use ladder::{Level, Spec, Venue};
use serde_json::{Value, json};

use crate::LabError;

/// A participant whose rating is given: `random`, `random=400`, `none:mcts:s400=1500`.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    who: String,
    elo: f64,
}

impl Anchor {
    /// Parses an anchor.
    ///
    /// # Errors
    /// A message, if the text is not an anchor.
    pub fn parse(text: &str) -> Result<Self, String> {
        let given = text.rsplit_once('=').and_then(|(who, elo)| Some((who, elo.trim().parse::<f64>().ok()?)));
        match given {
            Some((who, elo)) if elo.abs() <= 10_000.0 && !who.is_empty() => {
                Ok(Self { who: who.to_owned(), elo })
            }
            Some((_, elo)) => {
                Err(format!("{elo} is not a rating: expected a participant and its Elo, as in random=0"))
            }
            None if text.is_empty() => Err("expected a participant and its Elo, as in random=0".to_owned()),
            None => Ok(Self { who: text.to_owned(), elo: 0.0 }),
        }
    }
}

/// All participants of a scale with their ratings.
pub struct Rated {
    /// The participants.
    pub participants: Vec<Participant>,
    /// The number of games.
    pub games: usize,
    /// The cross table.
    pub cross: CrossTable,
    /// The ratings, by index of the participant.
    pub ratings: Ratings,
    /// The participants whose rating is given.
    pub anchors: Vec<(usize, f64)>,
}

/// Rates a scale. Without anchors, `random` is anchored at 0, or the participant with the most games if `random` has
/// not played.
///
/// # Errors
/// If an anchor does not match any participant, or the games cannot be rated.
pub fn rate(name: &str, scale: Scale, anchors: &[Anchor]) -> Result<Rated, LabError> {
    let Scale { participants, games } = scale;
    let mut found = Vec::new();
    for anchor in anchors {
        let place = find(name, &participants, &anchor.who).ok_or_else(|| {
            let known = participants.iter().map(|who| who.name.clone()).collect();
            LabError::Anchor { who: anchor.who.clone(), scale: name.to_owned(), known }
        })?;
        found.push((place, anchor.elo));
    }
    if found.is_empty() {
        let most = |place: &usize| games.iter().filter(|game| game.players.contains(place)).count();
        let busiest = (0..participants.len()).rev().max_by_key(most);
        found.extend(find(name, &participants, "random").or(busiest).map(|place| (place, 0.0)));
    }
    let config = RatingConfig { anchors: found.clone(), prior: RatingConfig::PRIOR };
    let ratings = Ratings::fit(participants.len(), &games, &config)?;
    let cross = CrossTable::new(participants.len(), &games);
    Ok(Rated { participants, games: games.len(), cross, ratings, anchors: found })
}

/// Rates a scale and stores a snapshot of the ratings.
///
/// # Errors
/// See [`rate`]; also if the database cannot be written.
pub fn store_ratings(store: &mut Store, scale: &str, anchors: &[Anchor]) -> Result<(), LabError> {
    let all = store.scale(scale)?;
    if all.games.is_empty() {
        return Ok(());
    }
    let rated = rate(scale, all, anchors)?;
    Ok(store.take_snapshot(scale, rated.games as u64, &rated.rows())?)
}

/// Finds a participant by its name, its id, a prefix of its id, or its spec.
pub fn find(scale: &str, participants: &[Participant], text: &str) -> Option<usize> {
    let by_name = |who: &Participant| who.name == text || (text.len() >= 8 && who.id.starts_with(text));
    if let Some(place) = participants.iter().position(by_name) {
        return Some(place);
    }
    let id = crate::participant_of(&text.parse().ok()?, venue_of(scale)?).ok()?.id;
    participants.iter().position(|who| who.id == id)
}

/// The venue of a scale.
fn venue_of(scale: &str) -> Option<Venue> {
    let mut venues = Venue::all().chain((2..=19).map(|size| Venue::Go { size }));
    venues.find(|venue| scale.split('+').next() == Some(venue.to_string().as_str()))
}

/// The level whose agent is this participant on a scale.
pub fn level(scale: &str, id: &str) -> Option<Level> {
    let venue = venue_of(scale)?;
    let stands_for = |level: &Level| {
        let spec = Spec::Level { level: *level, overrides: Vec::new() };
        crate::participant_of(&spec, venue).is_ok_and(|participant| participant.id == id)
    };
    Level::all().find(stands_for)
}

impl Rated {
    /// The participants by rating, highest first; those without a rating come last.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.participants.len()).collect();
        let elo = |&who: &usize| self.ratings.of(who).map_or(f64::NEG_INFINITY, |rating| rating.elo);
        order.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then(a.cmp(b)));
        order
    }

    /// The name of a participant, with a prefix of its id if the name is not unique.
    pub fn label(&self, who: usize) -> String {
        let Participant { name, id, .. } = &self.participants[who];
        let namesakes = self.participants.iter().filter(|other| other.name == *name).count();
        if namesakes > 1 { format!("{name} {}", &id[..8]) } else { name.clone() }
    }

    /// Whether a participant is an anchor.
    pub fn is_anchor(&self, who: usize) -> bool {
        self.anchors.iter().any(|&(anchor, _)| anchor == who)
    }

    /// The ratings as rows of a snapshot.
    pub fn rows(&self) -> Vec<RatingRow> {
        let row = |(who, participant): (usize, &Participant)| RatingRow {
            participant: participant.id.clone(),
            rating: self.ratings.of(who),
            games: self.ratings.games(who),
            anchor: self.is_anchor(who),
        };
        self.participants.iter().enumerate().map(row).collect()
    }

    /// One JSON object per participant, in order of rating.
    pub fn json(&self) -> Vec<Value> {
        let one = |who: usize| {
            let (participant, rating) = (&self.participants[who], self.ratings.of(who));
            json!({
                "id": participant.id, "name": participant.name, "spec": participant.spec,
                "engine": participant.engine,
                "elo": rating.map(|rating| rating.elo),
                "elo_low": rating.map(|rating| rating.interval.low),
                "elo_high": rating.map(|rating| rating.interval.high),
                "anchor": self.is_anchor(who), "connected": rating.is_some(),
                "games": self.ratings.games(who), "score": self.cross.total(who).score(),
            })
        };
        self.order().into_iter().map(one).collect()
    }

    /// The cross table as JSON: points and comparisons, in the order of [`Rated::json`].
    pub fn cross_json(&self) -> Value {
        let order = self.order();
        let cell = |who: usize, other: usize| {
            let cell = self.cross.against(who, other);
            (cell.of > 0).then(|| json!({ "points": cell.points, "of": cell.of }))
        };
        let row = |&who: &usize| order.iter().map(|&other| cell(who, other)).collect::<Vec<_>>();
        json!(order.iter().map(row).collect::<Vec<_>>())
    }
}

/// A scale with the games of a single event.
pub fn scale_of(participants: Vec<Participant>, games: Vec<Placing>) -> Scale {
    Scale { participants, games }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_a_participant_and_a_number() {
        let anchor = |text: &str| Anchor::parse(text).map(|anchor| (anchor.who, anchor.elo));
        assert_eq!(anchor("random"), Ok(("random".to_owned(), 0.0)));
        assert_eq!(anchor("random=400"), Ok(("random".to_owned(), 400.0)));
        assert_eq!(anchor("mcts(sims=400)"), Ok(("mcts(sims=400)".to_owned(), 0.0)));
        assert_eq!(anchor("mcts(sims=400)=-1.5"), Ok(("mcts(sims=400)".to_owned(), -1.5)));
        assert!(anchor("").is_err() && anchor("random=1e9").is_err() && anchor("=3").is_err());
    }
}
