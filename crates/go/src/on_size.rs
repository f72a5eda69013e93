//! Picking the type of point set for a board size that is known only at run time.

/// Evaluates an expression with a type alias for the smallest kind of [`Points`](crate::Points) that holds a board of
/// this size.
///
/// ```
/// use game::Game;
/// use go::{Points, Position, Rules, on_size};
/// let largest = on_size!(9, P => {
///     assert!(Position::<P>::new(&Rules::new(9)).board().empty().len() == 81);
///     P::LARGEST
/// });
/// assert_eq!(largest, 10);
/// ```
#[macro_export]
macro_rules! on_size {
    ($size:expr, $points:ident => $body:expr) => {
        match $size {
            0..=7 => {
                type $points = $crate::Small;
                $body
            }
            8..=10 => {
                type $points = $crate::Medium;
                $body
            }
            _ => {
                type $points = $crate::Large;
                $body
            }
        }
    };
}
