// Creates games on the server.

import { post, ApiError } from '../api.js';
import { forgetGame, playersOf, seatsOf, setupOf, settings } from '../settings.js';
import { notice } from '../messages.js';

/** Creates a game from the settings. @returns {Promise<string>} its id */
export async function begin() {
  return (await post('/api/games', { setup: setupOf(settings), seats: seatsOf(settings) })).id;
}

/** Creates a game between agents from the settings for watching. @returns {Promise<string>} its id */
export async function beginWatched() {
  const setup = setupOf(settings);
  const seats = settings.watchers.slice(0, playersOf(setup));
  return (await post('/api/games', { setup, seats, delay_ms: settings.delay })).id;
}

/**
 * Creates a game from the settings, or the default one if the server rejects them.
 * @param {() => Promise<string>} start one of the above
 */
export async function orDefault(start) {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    forgetGame();
    const id = await start();
    notice('Your last settings are not available on this server, so this game uses the defaults.');
    return id;
  }
}

/** Creates a game with the same setup and players as another one. @param {any} game @returns {Promise<string>} its id */
export async function beginAgain(game) {
  const seats = game.seats.map((/** @type {any} */ seat) => (seat.who === 'human' ? 'human' : seat.spec));
  return (await post('/api/games', { setup: game.setup, seats, delay_ms: game.delay_ms ?? 0 })).id;
}
