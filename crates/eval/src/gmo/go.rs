//! Go for gradient move optimisation, one network per size of the board.
//!
//! | features | meaning |
//! |---|---|
//! | 8 a point | a stone of an own chain with 1, 2, 3, more liberties; the same of the opponent's |
//! | 1 a point | ko: the stone just taken may not be taken back here now |
//! | 33 | own lead in area on the board, with komi, from −16 to 16 sixteenths of the board |
//! | 7 | the last move was a pass; own turn or the opponent's; ko rules; suicide; territory scoring |
//!
//! | group | words | width | meaning |
//! |---|---|---|---|
//! | 0 | 2 | 32 | a stone or a pass |
//! | 1 | points + 1 | 32 | the point; last: none |
//! | 2 | 8 | 16 | stones captured (0 to 3, more); a win, loss or draw at once |
//! | 3 | 2 × features | 64 | features that appear, and features that vanish |

use ::go::{Colour, Ko, Move, Point, Points, Position, Rules, Scoring};
use game::Seat;
use nn::{CellGraph, GmoInput, MoveGroup};

use super::{Aftermath, ENDINGS, GmoEncoder, GmoImage};

const OF_POINT: usize = 9;
const LEADS: usize = 33;
const FLAGS: usize = 7;
const CAPTURES: usize = 5;

/// The encoder of Go.
#[derive(Clone, Debug)]
pub struct GoGmo<P: Points>(Aftermath<Position<P>>);

impl<P: Points> Default for GoGmo<P> {
    fn default() -> Self {
        Self(Aftermath::default())
    }
}

fn points(rules: Rules) -> usize {
    usize::from(rules.size) * usize::from(rules.size)
}

fn count(rules: Rules) -> usize {
    points(rules) * OF_POINT + LEADS + FLAGS
}

impl<P: Points> GmoEncoder<Position<P>> for GoGmo<P> {
    fn id(rules: &Rules) -> String {
        format!("go-{}-gmo1", rules.size)
    }

    fn features(rules: &Rules) -> usize {
        count(*rules)
    }

    fn groups(rules: &Rules) -> Vec<MoveGroup> {
        let group = |words, width| MoveGroup { words, width };
        vec![
            group(2, 32),
            group(points(*rules) + 1, 32),
            group(CAPTURES + ENDINGS, 16),
            group(2 * count(*rules), 64),
        ]
    }

    fn encode(&mut self, position: &Position<P>, moves: &[Move], input: &mut GmoInput) {
        input.clear();
        let (rules, own) = (*position.rules(), position.turn());
        active(position, own.seat(), &mut input.features);
        self.0.begin(&input.features);
        let size = position.board().size();
        let mut changes = Vec::new();
        for &m in moves {
            changes.clear();
            let change = |word| changes.push(word);
            let ending = self.0.compare(position, m, count(rules), active, change);
            let place = m.point().map(|point| point.row() * size + point.column());
            input.word(usize::from(place.is_none()));
            input.end_group();
            input.word(place.unwrap_or_else(|| points(rules)));
            input.end_group();
            let captured = m.point().map_or(0, |point| position.board().captures(point, own).len() as usize);
            input.word(captured.min(CAPTURES - 1));
            if let Some(ending) = ending {
                input.word(CAPTURES + ending);
            }
            input.end_group();
            for &change in &changes {
                input.word(change);
            }
            input.end_group();
        }
    }

    fn graph(rules: &Rules) -> CellGraph {
        let (size, points) = (usize::from(rules.size), points(*rules));
        let place = |feature: usize| match feature / OF_POINT {
            point if point < points => (point as u16, (feature % OF_POINT) as u16),
            _ => (points as u16, (feature - points * OF_POINT + OF_POINT) as u16),
        };
        let near = |point: usize| {
            let (row, column) = (point / size, point % size);
            let rows = [row.wrapping_sub(1), row + 1].into_iter().filter(|&row| row < size);
            let columns = [column.wrapping_sub(1), column + 1].into_iter().filter(|&column| column < size);
            let others = rows.map(|row| row * size + column).chain(columns.map(|column| row * size + column));
            std::iter::once(point).chain(others).map(|point| point as u16).collect()
        };
        CellGraph {
            places: (0..count(*rules)).map(place).collect(),
            neighbours: (0..points).map(near).collect(),
        }
    }

    fn image(rules: &Rules, symmetry: usize) -> GmoImage {
        let (size, points) = (usize::from(rules.size), points(*rules));
        let same = |count: usize| (0..count as u16).collect::<Vec<u16>>();
        let mut of_points = same(points + 1);
        for (place, image) in of_points.iter_mut().enumerate().take(points) {
            let to = ::go::image(Point::new(place % size, place / size), size, symmetry);
            *image = (to.row() * size + to.column()) as u16;
        }
        let mut features = same(count(*rules));
        for feature in 0..points * OF_POINT {
            let to = usize::from(of_points[feature / OF_POINT]) * OF_POINT + feature % OF_POINT;
            features[feature] = to as u16;
        }
        let shift = features.len() as u16;
        let changes = features.iter().copied().chain(features.iter().map(|to| to + shift)).collect();
        GmoImage { features, groups: vec![same(2), of_points, same(CAPTURES + ENDINGS), changes] }
    }

    /// A pass.
    fn is_skip(m: Move) -> bool {
        m.point().is_none()
    }
}

/// The features of a position seen from a seat.
fn active<P: Points>(position: &Position<P>, seat: Seat, features: &mut Vec<u16>) {
    features.clear();
    let (board, rules) = (position.board(), *position.rules());
    let size = board.size();
    let mut push = |feature: usize| features.push(feature as u16);
    for colour in Colour::BOTH {
        let first = if colour.seat() == seat { 0 } else { 4 };
        for chain in board.chains(colour) {
            let liberties = board.liberties(chain).len().clamp(1, 4) as usize;
            for point in chain.iter() {
                push((point.row() * size + point.column()) * OF_POINT + first + liberties - 1);
            }
        }
    }
    if let Some(point) = position.banned_ko() {
        push((point.row() * size + point.column()) * OF_POINT + OF_POINT - 1);
    }
    let leads = points(rules) * OF_POINT;
    let sign = if Colour::Black.seat() == seat { 1.0 } else { -1.0 };
    let lead = sign * (board.area() as f32 - rules.komi.half_points() as f32 / 2.0);
    let step = (lead / points(rules) as f32 * 16.0).round().clamp(-16.0, 16.0) + 16.0;
    push(leads + step as usize);
    let flags = [
        position.passes() > 0,
        position.turn().seat() == seat,
        rules.ko == Ko::Positional,
        rules.ko == Ko::Situational,
        rules.ko == Ko::Simple,
        rules.suicide,
        rules.scoring == Scoring::Territory,
    ];
    for (flag, _) in flags.into_iter().enumerate().filter(|(_, is)| *is) {
        push(leads + LEADS + flag);
    }
}
