//! Lists of legal moves as text, and the matching of abbreviated moves.

use game::Notation;
use ringrift::{Cell, Geometry, Kind, Move, Position, cell_name};

/// The maximum width of a line.
const WIDTH: usize = 96;

/// Whether `prefix` abbreviates the move, as `d4`, `+d4` or `d4x` do. An empty prefix matches every move.
pub(super) fn matches<B: Geometry>(position: &Position<B>, m: Move, prefix: &str) -> bool {
    let fits = |text: &str| {
        let rest = text.strip_prefix(prefix);
        // d1 is not the beginning of d10.
        let cut_number = prefix.ends_with(|last: char| last.is_ascii_digit());
        rest.is_some_and(|rest| !(cut_number && rest.starts_with(|next: char| next.is_ascii_digit())))
    };
    let text = position.move_text(m);
    fits(&text) || fits(text.trim_start_matches(['+', '-', '#', '=']))
}

/// The destination cells of a move: where rings land, the stack that pays, or the cells that collapse.
pub(super) fn targets<B: Geometry>(position: &Position<B>, m: Move) -> Vec<Cell> {
    match m.kind() {
        Kind::MoveStack | Kind::Capture | Kind::ChainCapture => vec![Position::<B>::landing(m)],
        Kind::RecoverFallback | Kind::RecoverStrike => vec![B::ahead(m.cell(), m.recovery_direction(), 1)],
        Kind::PlaceRing
        | Kind::PayLine
        | Kind::PayRegion
        | Kind::PayRegionBuried
        | Kind::ForcedElimination => vec![m.cell()],
        _ => position.collapsing(m),
    }
}

/// The list as lines: many moves are grouped by kind and origin, few are described one by one.
pub(super) fn lines<B: Geometry>(position: &Position<B>, moves: &[Move]) -> Vec<String> {
    if moves.len() <= 12 {
        let texts: Vec<String> = moves.iter().map(|&m| position.move_text(m)).collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        let descriptions = moves.iter().map(|&m| position.describe_move(m));
        return texts
            .iter()
            .zip(descriptions)
            .map(|(text, description)| format!("{text:width$}   {description}"))
            .collect();
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut moves = moves.to_vec();
    moves.sort_by_key(|&m| {
        let target = targets(position, m).first().map(|cell| cell.index());
        // Moves without cells come last.
        (target.is_none(), m.cell(), m.kind(), target)
    });
    for m in moves {
        let (heading, item) = grouped(position, m);
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            // Placements of different counts name the same cell.
            Some((_, items)) if items.last() == Some(&item) => {}
            Some((_, items)) => items.push(item),
            None => groups.push((heading, vec![item])),
        }
    }
    groups.iter().flat_map(|(heading, items)| wrapped(heading, items)).collect()
}

fn grouped<B: Geometry>(position: &Position<B>, m: Move) -> (String, String) {
    let cell = cell_name::<B>(m.cell());
    let text = position.move_text(m);
    let rest = |from: usize| text.get(from..).unwrap_or_default().to_owned();
    match m.kind() {
        Kind::PlaceRing if position.stack(m.cell()).is_empty() => {
            let hand = position.hand(game::Game::to_move(position)).min(3);
            let plus = ["+", "+ or ++", "+, ++ or +++"][hand.max(1) as usize - 1];
            (format!("place on an empty cell with {plus}"), cell)
        }
        Kind::PlaceRing => ("place on a stack with +".to_owned(), cell),
        Kind::MoveStack => (format!("move {cell}-"), rest(cell.len() + 1)),
        Kind::Capture | Kind::ChainCapture => (format!("capture {cell}x"), rest(cell.len() + 1)),
        Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
            (format!("recover {cell}~"), rest(cell.len() + 1))
        }
        Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried | Kind::ForcedElimination => {
            ("pay".to_owned(), text)
        }
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => ("collapse a line".to_owned(), text),
        Kind::ClaimRegion => ("claim".to_owned(), text),
        _ => ("or".to_owned(), text),
    }
}

fn wrapped(heading: &str, items: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = format!("{heading}:");
    for item in items {
        if line.len() + 1 + item.len() > WIDTH {
            lines.push(std::mem::replace(&mut line, "   ".to_owned()));
        }
        line.push(' ');
        line.push_str(item);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Setup};
    use ringrift::{Square8, Square19};

    fn legal<B: Geometry>(text: &str) -> (Position<B>, Vec<Move>) {
        let position = Position::<B>::from_text(text).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        (position, moves)
    }

    fn matching<B: Geometry>(position: &Position<B>, moves: &[Move], prefix: &str) -> Vec<Move> {
        moves.iter().copied().filter(|&m| matches(position, m, prefix)).collect()
    }

    #[test]
    fn a_prefix_with_a_number_means_that_cell_only() {
        let (position, moves) = legal::<Square19>("square19 2 1:ring_placement");
        assert_eq!(matching(&position, &moves, "d1").len(), 3);
        assert_eq!(matching(&position, &moves, "++d1").len(), 1);
        assert_eq!(matching(&position, &moves, "d").len(), 3 * 19);
        assert_eq!(matching(&position, &moves, "").len(), moves.len());
        assert_eq!(matching(&position, &moves, "z").len(), 0);
    }

    #[test]
    fn many_moves_are_grouped_and_few_are_explained() {
        let (position, moves) = legal::<Square8>("square8 2 1:ring_placement");
        let all = lines(&position, &moves);
        assert!(all[0].starts_with("place on an empty cell with +, ++ or +++: a1 a2"), "{all:?}");
        assert!(all.iter().all(|line| line.len() <= WIDTH));
        let few = lines(&position, &matching(&position, &moves, "d4"));
        assert_eq!(few[0], "+d4     places 1 ring on d4");
    }

    #[test]
    fn every_move_is_in_the_list_by_its_start() {
        let (position, moves) = legal::<Square8>("square8 2 1:movement cells=d4:1,d6:2,a1:11 hands=15,17");
        let all = lines(&position, &moves).join("\n");
        assert!(all.contains("move d4-:") && all.contains("capture d4x: d6-d7 d6-d8"), "{all}");
        assert!(all.contains("move a1-:"), "{all}");
    }
}
