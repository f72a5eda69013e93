//! How fast positions are made.

use std::{sync::Arc, time::Duration};

use eval::{OmegaKernels, OmegaNets};
use go::on_size;

use crate::{Config, OmegaRunError, playing::generator, policy_play::policy_rows, random_play::random_rows};

/// Positions per second of processor time, each with its game and its continuations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// From random play.
    pub random: f64,
    /// From play by networks of the configured layers and channels.
    pub policy: f64,
}

/// Measures the rates of a configuration, for about `time` each. Without `nets`, those of random networks are measured,
/// whose games are longer than those of trained ones.
///
/// # Errors
/// If the options are invalid.
pub fn rates(config: &Config, nets: Option<&OmegaNets>, time: Duration) -> Result<Rate, OmegaRunError> {
    config.check()?;
    let mut rng = generator(config.seed, 0, 2);
    let random = config.random_nets(&mut rng)?;
    let kernels = Arc::new(OmegaKernels::new(nets.unwrap_or(&random), config.size.into()));
    let shard = u64::from(config.shard);
    let rate = |make: &dyn Fn(std::ops::Range<u64>) -> Vec<u8>| {
        let (begin, mut made) = (processor_time(), 0);
        let used = || processor_time().saturating_sub(begin);
        while used() < time || made == 0 {
            make(made..made + shard);
            made += shard;
        }
        made as f64 / used().as_secs_f64()
    };
    Ok(on_size!(config.size, P => Rate {
        random: rate(&|numbers| random_rows::<P>(config, numbers)),
        policy: rate(&|numbers| policy_rows::<P>(config, 1, &kernels, numbers)),
    }))
}

/// The time that this thread has had a processor, which does not depend on what else the machine does.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Where the time of a thread is unknown, the time of the day.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}
