//! Values as integers, so that bounds are exact and a null window exists.

use game::{Game, MAX_SEATS, Seat, Values};

/// A value on the scale of the search. Certain results lie beyond every evaluation.
pub(super) type Score = i32;

/// One score per seat.
pub(super) type Scores = [Score; MAX_SEATS];

/// One unit of value.
const UNIT: Score = 1_000_000;

/// A win here and now. Every turn until then costs one.
pub(super) const WIN: Score = 2 * UNIT;

/// Beyond every score.
pub(super) const ENDLESS: Score = 2 * WIN;

/// Scores from here on are wins seen to the end of the game, whatever the distance.
const PROVEN: Score = WIN - UNIT / 2;

/// Whether the score is a win or a loss seen to the end of the game.
pub(super) const fn is_proven(score: Score) -> bool {
    score.abs() >= PROVEN
}

/// The score of a value, `turns` after the root.
fn score(value: f32, over: bool, turns: i32) -> Score {
    match value {
        _ if !over => ((value * UNIT as f32).round() as Score).clamp(1 - UNIT, UNIT - 1),
        _ if value >= 1.0 => WIN - turns,
        _ if value <= -1.0 => turns - WIN,
        _ => (value * UNIT as f32).round() as Score,
    }
}

/// What a position is worth to `seat`: of two, half its lead over the other, which is its own value whenever one's
/// gain is the other's loss; of more, its own value.
pub(super) fn scalar<G: Game>(position: &G, values: Values, seat: Seat, turns: i32) -> Score {
    let own = values.of(seat);
    let value =
        if position.seats() == 2 { (own - values.of(Seat::new(1 - seat.index()))) / 2.0 } else { own };
    score(value, position.is_over(), turns)
}

/// How many turns after the root a certain win or loss comes.
pub(super) fn turns_to_end(score: Score) -> Option<i32> {
    is_proven(score).then(|| WIN - score.abs())
}

/// What a position is worth to everybody.
pub(super) fn vector<G: Game>(position: &G, values: Values, turns: i32) -> Scores {
    let over = position.is_over();
    let mut scores = [0; MAX_SEATS];
    for seat in Seat::all(position.seats()) {
        scores[seat.index()] = score(values.of(seat), over, turns);
    }
    scores
}

/// Scores as values again.
pub(super) fn values(scores: Scores) -> Values {
    Values(scores.map(|score| match score {
        PROVEN.. => 1.0,
        _ if score <= -PROVEN => -1.0,
        _ => score as f32 / UNIT as f32,
    }))
}

/// A score of the search as it is kept in the table: distances of certain results count from the position itself.
pub(super) const fn from_here(score: Score, turns: i32) -> Score {
    if score >= PROVEN {
        score + turns
    } else if score <= -PROVEN {
        score - turns
    } else {
        score
    }
}

/// The reverse of [`from_here`].
pub(super) const fn from_root(score: Score, turns: i32) -> Score {
    from_here(score, -turns)
}
