//! From a game that was played to its record, and from a record to a row of the database.

use std::time::Duration;

use arena::{
    Cost, Seated, content_id,
    store::{StoredGame, StoredSeat},
};
use record::{Forfeit, GameRecord, Recorded};

use crate::LabError;

/// Completes the record of a game that agents played: its moves, its result, and as tags what every seat spent.
pub fn complete<P: Recorded>(mut record: GameRecord, game: &Seated<P>) -> GameRecord {
    let mut position = P::new(&game.last.config());
    for &m in &game.moves {
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    match &game.forfeit {
        None => record.conclude(&position),
        Some(forfeit) => {
            // Both have the same names for it.
            let how = Forfeit::parse(forfeit.cause.name()).unwrap_or(Forfeit::Failure);
            record.forfeit(&position, how);
            record.tags.insert("forfeit".to_owned(), forfeit.words.clone());
        }
    }
    record.tags.insert("opening".to_owned(), game.opening.to_string());
    for (seat, spent) in (1..).zip(&game.spent) {
        let engines: Vec<&str> = spent.engines.iter().copied().collect();
        record.tags.insert(format!("cost-{seat}"), cost_text(&spent.cost));
        record.tags.insert(format!("engines-{seat}"), engines.join(","));
    }
    record
}

/// What the participants that began in each seat came to, from a record that says how each seat ended.
fn ranks_by_beginning(record: &GameRecord) -> Option<Vec<u8>> {
    let mut ranks = record.result.as_ref()?.ranking.clone();
    // The pie rule, which only a table of two has.
    if record.moves.iter().filter(|m| *m == "swap").count() % 2 == 1 {
        ranks.reverse();
    }
    Some(ranks)
}

/// A finished game as game `number` of an event; `participants` are the ids of who began in each seat.
///
/// # Errors
/// If the game has not ended or cannot be written down.
pub fn stored(number: u64, record: &GameRecord, participants: &[String]) -> Result<StoredGame, LabError> {
    let unfinished = || LabError::Unfinished(record.id.clone());
    let result = record.result.as_ref().ok_or_else(unfinished)?;
    let ranks = ranks_by_beginning(record).ok_or_else(unfinished)?;
    let seats = (1..).zip(participants).zip(ranks).map(|((seat, participant), rank)| {
        let seat: usize = seat;
        let engines = record.tags.get(&format!("engines-{seat}")).map_or("", String::as_str);
        StoredSeat {
            participant: participant.clone(),
            rank,
            engines: engines.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            cost: seat_cost(record, seat),
        }
    });
    Ok(StoredGame {
        number,
        seats: seats.collect(),
        plies: result.plies,
        reason: result.reason.clone(),
        seed: record.seed.unwrap_or(0),
        opening: record.tags.get("opening").and_then(|text| text.parse().ok()).unwrap_or(0),
        fingerprint: content_id("riftlab moves", &[&record.moves.join(" ")]),
        record: Some(record.to_line()?),
    })
}

/// What a seat spent, if its record says so; seats count from 1.
pub fn seat_cost(record: &GameRecord, seat: usize) -> Option<Cost> {
    parse_cost(record.tags.get(&format!("cost-{seat}"))?)
}

/// What a seat spent, as the tag of a record: decisions, nodes, microseconds.
fn cost_text(cost: &Cost) -> String {
    format!("{} {} {}", cost.decisions, cost.nodes, cost.time.as_micros())
}

fn parse_cost(text: &str) -> Option<Cost> {
    let numbers: Vec<u64> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [decisions, nodes, micros] = numbers[..] else { return None };
    Some(Cost { decisions, nodes, time: Duration::from_micros(micros) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read_back_as_written() {
        let cost = Cost { decisions: 3, nodes: 600, time: Duration::from_micros(1234) };
        assert_eq!(parse_cost(&cost_text(&cost)), Some(cost));
        for text in ["", "1 2", "1 2 x", "1 2 3 4", "-1 2 3"] {
            assert_eq!(parse_cost(text), None, "{text:?}");
        }
    }
}
