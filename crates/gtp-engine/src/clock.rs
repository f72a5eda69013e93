//! Time management.
//!
//! The policy is simple: each move gets a share of the remaining time, with a margin for lag. Deliberately absent:
//! pondering, and extra time for difficult positions.

use std::time::Duration;

use go::Colour;

/// The time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// No time limit.
    Unlimited,
    /// A fixed time for the whole game.
    Absolute { main: Duration },
    /// Canadian byo-yomi: after the main time, a number of stones per period.
    Canadian { main: Duration, period: Duration, stones: u32 },
    /// Japanese byo-yomi: after the main time, one period per move, and a number of periods that can be used up.
    Japanese { main: Duration, period: Duration, periods: u32 },
}

/// The remaining time of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TimeLeft {
    /// The rest of the main time, or of the current period if `stones` is not 0.
    time: Duration,
    /// Stones to play in that time, or periods left; 0 in the main time.
    stones: u32,
}

/// The clocks of both sides.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    control: Control,
    left: [TimeLeft; 2],
}

/// A margin for communication and for searches that end late.
const LAG: Duration = Duration::from_millis(100);
/// The minimum time for a move.
const MIN_TIME: Duration = Duration::from_millis(1);
/// The minimum number of moves that a side is assumed to have left.
const MIN_MOVES_LEFT: u32 = 12;

impl Clock {
    pub(crate) fn new(control: Control) -> Self {
        let left = match control {
            Control::Unlimited => TimeLeft { time: Duration::ZERO, stones: 0 },
            Control::Absolute { main } => TimeLeft { time: main, stones: 0 },
            Control::Canadian { main, period, stones } => begun(main, period, stones),
            Control::Japanese { main, period, periods } => begun(main, period, periods),
        };
        Self { control, left: [left; 2] }
    }

    /// A new clock with the same time control.
    pub(crate) fn restarted(&self) -> Self {
        Self::new(self.control)
    }

    /// Sets the remaining time, as reported by the controller.
    pub(crate) fn set_left(&mut self, colour: Colour, time: Duration, stones: u32) {
        self.left[colour.index()] = TimeLeft { time, stones };
    }

    /// The maximum time for the next move, or `None` without a time limit. `open` is the number of empty points.
    pub(crate) fn allowance(&self, colour: Colour, open: u32) -> Option<Duration> {
        let TimeLeft { time, stones } = self.left[colour.index()];
        let expected = (open / 3).max(MIN_MOVES_LEFT);
        let share = match self.control {
            Control::Unlimited => return None,
            Control::Absolute { .. } => time / expected,
            Control::Canadian { period, stones: quota, .. } if stones == 0 => {
                // When the main time runs out during a move, the first period begins.
                let pace = period / quota.max(1);
                (time / expected).max(pace).min(time + pace)
            }
            Control::Canadian { .. } => time / stones.max(1),
            Control::Japanese { period, .. } if stones == 0 => {
                (time / expected).max(period).min(time + period)
            }
            Control::Japanese { .. } => time,
        };
        // A reserve of a tenth for long moves, and the lag for short ones.
        Some((share * 9 / 10).saturating_sub(LAG).max(share / 4).max(MIN_TIME))
    }

    /// Subtracts the time of a move. The controller's `time_left` overrides this.
    pub(crate) fn spend(&mut self, colour: Colour, spent: Duration) {
        let control = self.control;
        let TimeLeft { time, stones } = &mut self.left[colour.index()];
        match control {
            Control::Unlimited => {}
            Control::Absolute { .. } => *time = time.saturating_sub(spent),
            Control::Canadian { period, stones: quota, .. } => {
                if *stones == 0 && spent < *time {
                    *time -= spent;
                    return;
                }
                let (had, to_play) = if *stones == 0 { (*time + period, quota) } else { (*time, *stones) };
                (*time, *stones) = match to_play {
                    0 | 1 => (period, quota),
                    _ => (had.saturating_sub(spent), to_play - 1),
                };
            }
            Control::Japanese { period, periods, .. } => {
                if *stones == 0 && spent < *time {
                    *time -= spent;
                } else if *stones == 0 {
                    (*time, *stones) = (period, periods);
                } else {
                    // A period that was not used up is restored.
                    let lost = spent.as_nanos() / period.as_nanos().max(1);
                    (*time, *stones) = (period, stones.saturating_sub(lost.min(1 << 20) as u32).max(1));
                }
            }
        }
    }
}

/// The start of a time control with periods: without a main time, the first period begins at once.
fn begun(main: Duration, period: Duration, stones: u32) -> TimeLeft {
    if main.is_zero() { TimeLeft { time: period, stones } } else { TimeLeft { time: main, stones: 0 } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Colour::{Black, White};

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Plays moves that use their whole allowance, and checks that no clock runs out.
    fn play_through(control: Control, moves: u32, points: u32) -> Vec<Duration> {
        let mut clock = Clock::new(control);
        let mut taken = Vec::new();
        for number in 0..moves {
            let allowance = clock.allowance(Black, points.saturating_sub(2 * number)).unwrap();
            let TimeLeft { time, stones } = clock.left[0];
            let beyond = match control {
                Control::Canadian { period, stones: quota, .. } if stones == 0 => period / quota,
                Control::Japanese { period, .. } if stones == 0 => period,
                _ => Duration::ZERO,
            };
            let left = (time + beyond).max(MIN_TIME);
            assert!(allowance <= left, "{control:?}, move {number}: {allowance:?} of {time:?}");
            clock.spend(Black, allowance);
            taken.push(allowance);
        }
        taken
    }

    #[test]
    fn no_time_control_is_exceeded() {
        for main in [0, 1, 10, 600] {
            let main = seconds(main);
            play_through(Control::Absolute { main }, 300, 361);
            for period in [1, 5, 30] {
                let period = seconds(period);
                for stones in [1, 5, 25] {
                    play_through(Control::Canadian { main, period, stones }, 300, 361);
                    play_through(Control::Japanese { main, period, periods: stones }, 300, 361);
                }
            }
        }
    }

    #[test]
    fn an_absolute_clock_lasts_a_whole_game() {
        let taken = play_through(Control::Absolute { main: seconds(300) }, 180, 361);
        assert!(taken[0] > seconds(1) && taken[0] < seconds(10), "{:?}", taken[0]);
        let total: Duration = taken.iter().sum();
        assert!(total < seconds(300) && total > seconds(200), "{total:?}");
    }

    #[test]
    fn periods_are_used_but_not_exceeded() {
        let control = Control::Canadian { main: Duration::ZERO, period: seconds(10), stones: 5 };
        let taken = play_through(control, 20, 81);
        for period in taken.chunks(5) {
            let sum = period.iter().sum::<Duration>();
            assert!(sum < seconds(10) && sum > seconds(9), "{taken:?}");
        }
        let control = Control::Japanese { main: seconds(20), period: seconds(5), periods: 3 };
        let taken = play_through(control, 20, 81);
        assert!(taken[19] < seconds(5) && taken[19] > seconds(4), "{taken:?}");
    }

    #[test]
    fn the_controllers_time_left_takes_precedence() {
        let mut clock = Clock::new(Control::Absolute { main: seconds(600) });
        clock.set_left(White, seconds(1), 0);
        assert!(clock.allowance(White, 100).unwrap() < seconds(1));
        assert!(clock.allowance(Black, 100).unwrap() > seconds(5));
        assert!(clock.restarted().allowance(White, 100).unwrap() > seconds(5));
        assert_eq!(Clock::new(Control::Unlimited).allowance(Black, 100), None);
        clock.set_left(White, Duration::ZERO, 0);
        assert_eq!(clock.allowance(White, 100), Some(MIN_TIME));
    }
}
