//! Scores: values as integers, so that bounds are exact and null windows exist.

use game::{Game, MAX_SEATS, Seat, Values};

/// A value on the scale of the search. Proven results lie outside the range of evaluations.
pub(super) type Score = i32;

/// One score per seat.
pub(super) type Scores = [Score; MAX_SEATS];

/// The score of the value 1.
const UNIT: Score = 1_000_000;

/// The score of an immediate win. Every turn until the win costs one.
pub(super) const WIN: Score = 2 * UNIT;

/// Greater than every score.
pub(super) const INFINITY: Score = 2 * WIN;

/// Scores of at least this are proven wins, at any distance.
const PROVEN: Score = WIN - UNIT / 2;

/// Whether the score is a proven win or loss.
pub(super) const fn is_proven(score: Score) -> bool {
    score.abs() >= PROVEN
}

/// The score of a value `turns` after the root.
fn score(value: f32, over: bool, turns: i32) -> Score {
    match value {
        _ if !over => ((value * UNIT as f32).round() as Score).clamp(1 - UNIT, UNIT - 1),
        _ if value >= 1.0 => WIN - turns,
        _ if value <= -1.0 => turns - WIN,
        _ => (value * UNIT as f32).round() as Score,
    }
}

/// The score of a position for `seat`. With two seats, half the difference between its value and the opponent's, which
/// is its own value in a zero-sum evaluation; with more seats, its own value.
pub(super) fn scalar<G: Game>(position: &G, values: Values, seat: Seat, turns: i32) -> Score {
    let own = values.of(seat);
    let value =
        if position.seats() == 2 { (own - values.of(Seat::new(1 - seat.index()))) / 2.0 } else { own };
    score(value, position.is_over(), turns)
}

/// The number of turns from the root to a proven win or loss.
pub(super) fn turns_to_end(score: Score) -> Option<i32> {
    is_proven(score).then(|| WIN - score.abs())
}

/// The score of a position for every seat.
pub(super) fn vector<G: Game>(position: &G, values: Values, turns: i32) -> Scores {
    let over = position.is_over();
    let mut scores = [0; MAX_SEATS];
    for seat in Seat::all(position.seats()) {
        scores[seat.index()] = score(values.of(seat), over, turns);
    }
    scores
}

/// Converts scores back to values.
pub(super) fn values(scores: Scores) -> Values {
    Values(scores.map(|score| match score {
        PROVEN.. => 1.0,
        _ if score <= -PROVEN => -1.0,
        _ => score as f32 / UNIT as f32,
    }))
}

/// Converts a score for storage in the transposition table, where distances to proven results count from the position
/// itself.
pub(super) const fn from_here(score: Score, turns: i32) -> Score {
    if score >= PROVEN {
        score + turns
    } else if score <= -PROVEN {
        score - turns
    } else {
        score
    }
}

/// The inverse of [`from_here`].
pub(super) const fn from_root(score: Score, turns: i32) -> Score {
    from_here(score, -turns)
}
