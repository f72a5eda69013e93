//! Round numbers along an axis.

/// The ticks of an axis, and the range that it shows.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ticks {
    /// The least and the greatest value on the axis.
    pub(super) range: (f64, f64),
    /// The round numbers within the range.
    pub(super) at: Vec<f64>,
    step: f64,
}

impl Ticks {
    /// About `count` ticks for finite values between `least` and `greatest`, at distances of at least `least_step`.
    pub(super) fn new((least, greatest): (f64, f64), count: usize, least_step: f64) -> Self {
        // An axis needs a length even if all values are equal, or differ by less than the precision of numbers.
        let magnitude = least.abs().max(greatest.abs());
        let (least, greatest) = if greatest - least > magnitude * 1e-9 {
            (least, greatest)
        } else if magnitude > 0.0 {
            (least - 0.1 * magnitude, greatest + 0.1 * magnitude)
        } else {
            (-1.0, 1.0)
        };
        let step = round_step((greatest - least) / count.max(1) as f64).max(least_step);
        let first = (least / step).ceil() as i64;
        let last = (greatest / step).floor() as i64;
        let at = (first..=last).map(|index| index as f64 * step).collect();
        Self { range: (least, greatest), at, step }
    }

    /// The same ticks on an axis that begins and ends at a tick.
    pub(super) fn outward(self) -> Self {
        let (least, greatest) = self.range;
        let (first, last) = ((least / self.step).floor(), (greatest / self.step).ceil());
        let at: Vec<f64> = (first as i64..=last as i64).map(|index| index as f64 * self.step).collect();
        Self { range: (first * self.step, last * self.step), at, step: self.step }
    }

    /// The text of a tick.
    pub(super) fn text(&self, value: f64) -> String {
        let greatest = self.range.0.abs().max(self.range.1.abs());
        if !(1e-3..1e9).contains(&greatest) {
            let digits = (greatest / self.step).log10().ceil().clamp(0.0, 4.0) as usize;
            return if value == 0.0 { "0".to_owned() } else { shortest(format!("{value:.digits$e}")) };
        }
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        grouped(&format!("{value:.decimals$}"))
    }
}

/// The least of 1, 2, 5, 10, … and their decimal fractions that is not below `step`.
fn round_step(step: f64) -> f64 {
    let unit = 10.0_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * unit >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * unit
}

/// A number such as `2.00e-3` without the zeros that say nothing.
fn shortest(text: String) -> String {
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => {
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// A decimal number with commas between groups of three digits.
fn grouped(text: &str) -> String {
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits = whole.trim_start_matches('-');
    let mut grouped = whole[..whole.len() - digits.len()].to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(least: f64, greatest: f64) -> Vec<String> {
        let ticks = Ticks::new((least, greatest), 4, 0.0).outward();
        ticks.at.iter().map(|&value| ticks.text(value)).collect()
    }

    #[test]
    fn ticks_are_round_numbers_that_enclose_the_values() {
        assert_eq!(texts(0.512, 0.691), ["0.50", "0.55", "0.60", "0.65", "0.70"]);
        assert_eq!(texts(0.0, 4000.0), ["0", "1,000", "2,000", "3,000", "4,000"]);
        assert_eq!(texts(-35.0, 180.0), ["-100", "0", "100", "200"]);
        assert_eq!(texts(810_000.0, 985_000.0), ["800,000", "850,000", "900,000", "950,000", "1,000,000"]);
        assert_eq!(texts(2e-6, 9e-4), ["0.0000", "0.0005", "0.0010"]);
        assert_eq!(texts(1e-5, 3.9e-5), ["1e-5", "2e-5", "3e-5", "4e-5"]);
    }

    #[test]
    fn counts_have_no_fractions() {
        assert_eq!(Ticks::new((0.0, 3.0), 6, 1.0).at, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(Ticks::new((0.0, 3.0), 6, 0.0).at.len(), 7);
    }

    #[test]
    fn an_axis_has_a_length_even_for_a_single_value() {
        for value in [0.0, 3.0, -2.5, 1e-30, 1e300] {
            let ticks = Ticks::new((value, value), 4, 0.0).outward();
            assert!(ticks.range.0 < ticks.range.1 && ticks.at.len() >= 2, "{value}: {ticks:?}");
            assert!(ticks.at.len() < 20, "{value}: {ticks:?}");
        }
    }
}
