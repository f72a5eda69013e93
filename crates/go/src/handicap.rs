//! Where handicap stones go.

use crate::Point;

/// The most stones that have fixed places on a board of this size; 0 if none have.
pub fn most_fixed(size: usize) -> usize {
    match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The fixed places of `stones` handicap stones, as the Go Text Protocol has them: on the third line of boards up
/// to 12, on the fourth of larger ones, side points and the centre only on odd boards of 9 lines and more.
///
/// `None` if there are no such places.
pub fn fixed(size: usize, stones: usize) -> Option<Vec<Point>> {
    if stones < 2 || stones > most_fixed(size) {
        return None;
    }
    let low = if size < 13 { 2 } else { 3 };
    let (high, middle) = (size - 1 - low, size / 2);
    // Corners, then the sides from left and right, below and above; an odd number of five or more has the centre.
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
    fn places_are_those_of_the_protocol() {
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
    fn small_and_even_boards_have_fewer() {
        assert_eq!(fixed(6, 2), None);
        assert_eq!(fixed(7, 5), None);
        assert_eq!(fixed(10, 5), None);
        assert_eq!(fixed(19, 1), None);
        assert_eq!(fixed(19, 10), None);
    }
}
