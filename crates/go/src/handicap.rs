//! The points of fixed handicap stones.

use crate::Point;

/// The largest fixed handicap on a board of this size; 0 if there is none.
pub fn most_fixed(size: usize) -> usize {
    match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The points of `stones` fixed handicap stones, as in the Go Text Protocol: on the third line up to 12×12 and on the
/// fourth on larger boards. Side points and the centre are used only on boards of odd size from 9×9 on.
///
/// Returns `None` if there is no fixed handicap of this many stones.
pub fn fixed(size: usize, stones: usize) -> Option<Vec<Point>> {
    if stones < 2 || stones > most_fixed(size) {
        return None;
    }
    let low = if size < 13 { 2 } else { 3 };
    let (high, middle) = (size - 1 - low, size / 2);
    // The corners, then pairs of sides: left and right, bottom and top. Odd handicaps from five on include the centre.
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let mut places: Vec<(usize, usize)> = corners.into_iter().take(stones).collect();
    if stones > 4 {
        places.extend(sides.into_iter().take((stones - 4) & !1));
        if stones % 2 == 1 {
            places.push((middle, middle));
        }
    }
    Some(places.into_iter().map(|(column, row)| Point::new(column, row)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(size: usize, stones: usize) -> Vec<String> {
        fixed(size, stones).unwrap().iter().map(Point::to_string).collect()
    }

    #[test]
    fn points_are_those_of_the_protocol() {
        assert_eq!(names(19, 2), ["D4", "Q16"]);
        assert_eq!(names(19, 3), ["D4", "Q16", "D16"]);
        assert_eq!(names(19, 5), ["D4", "Q16", "D16", "Q4", "K10"]);
        assert_eq!(names(19, 6), ["D4", "Q16", "D16", "Q4", "D10", "Q10"]);
        assert_eq!(names(19, 7).last().unwrap(), "K10");
        assert_eq!(names(19, 8)[6..], ["K4", "K16"]);
        assert_eq!(names(19, 9).len(), 9);
        assert_eq!(names(9, 4), ["C3", "G7", "C7", "G3"]);
        assert_eq!(names(8, 4), ["C3", "F6", "C6", "F3"]);
        assert_eq!(names(13, 5).last().unwrap(), "G7");
    }

    #[test]
    fn small_and_even_boards_have_smaller_handicaps() {
        assert_eq!(fixed(6, 2), None);
        assert_eq!(fixed(7, 5), None);
        assert_eq!(fixed(10, 5), None);
        assert_eq!(fixed(19, 1), None);
        assert_eq!(fixed(19, 10), None);
    }
}
