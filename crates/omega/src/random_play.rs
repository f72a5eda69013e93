//! Stage 0: one position from every random game, with the mean result of random continuations.

use go::{Playouts, Points};

use crate::{
    Config,
    playing::{Play, result_for},
    policy_play::choose_ply,
    rows::Row,
};

/// The rows of the games with these numbers.
pub(crate) fn random_rows<P: Points>(config: &Config, numbers: std::ops::Range<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut line = Vec::new();
    for number in numbers {
        let mut play = Play::<P>::begin(config, 0, number);
        line.clear();
        while play.result.is_none() {
            line.push(play.position.clone());
            play.play_at_random();
        }
        let ply = choose_ply(config, 0, line.len(), &mut play.rng);
        let position = &line[ply];
        let playouts = Playouts::new(position);
        let komi = position.rules().komi.half_points();
        let results = (0..config.continuations).map(|_| {
            let area = playouts.run(&mut play.rng).area;
            (2 * area - komi).signum() as f32
        });
        let mean = results.sum::<f32>() / config.continuations as f32;
        Row::new(position, result_for(position.turn(), mean)).write(&mut bytes);
    }
    bytes
}
