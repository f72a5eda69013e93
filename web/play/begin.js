// Starting games on the server.

import { post, Refusal } from '../api.js';
import { forgetGame, playersOf, seatsOf, setupOf, settings } from '../settings.js';
import { notice } from '../speak.js';

/** Starts a game as the settings say. @returns {Promise<string>} its id */
export async function begin() {
  return (await post('/api/games', { setup: setupOf(settings), seats: seatsOf(settings) })).id;
}

/** Starts a game for watching, between the agents chosen for that. @returns {Promise<string>} its id */
export async function beginWatched() {
  const setup = setupOf(settings);
  const seats = settings.watchers.slice(0, playersOf(setup));
  return (await post('/api/games', { setup, seats, delay_ms: settings.delay })).id;
}

/**
 * Starts a game as the settings say, or the usual one if the server knows no such game any more.
 * @param {() => Promise<string>} start one of the above
 */
export async function orUsual(start) {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 422) throw error;
    forgetGame();
    const id = await start();
    notice('What was chosen for the last game cannot be played here. This is the usual one.');
    return id;
  }
}

/** Starts a game like another one: the same agreement, the same players. @param {any} game @returns {Promise<string>} its id */
export async function beginAgain(game) {
  const seats = game.seats.map((/** @type {any} */ seat) => (seat.who === 'human' ? 'human' : seat.spec));
  return (await post('/api/games', { setup: game.setup, seats, delay_ms: game.delay_ms ?? 0 })).id;
}
