// Starting games on the server.

import { post } from '../api.js';
import { seatsOf, setupOf, settings } from '../settings.js';

/** Starts a game as the settings say. @returns {Promise<string>} its id */
export async function begin() {
  return (await post('/api/games', { setup: setupOf(settings), seats: seatsOf(settings) })).id;
}

/** Starts a game for watching, between the agents chosen for that. @returns {Promise<string>} its id */
export async function beginWatched() {
  const seats = settings.watchers.slice(0, settings.game === 'go' ? 2 : settings.players);
  return (await post('/api/games', { setup: setupOf(settings), seats, delay_ms: settings.delay })).id;
}

/** Starts a game like another one: the same agreement, the same players. @param {any} game @returns {Promise<string>} its id */
export async function beginAgain(game) {
  const seats = game.seats.map((/** @type {any} */ seat) => (seat.who === 'human' ? 'human' : seat.spec));
  return (await post('/api/games', { setup: game.setup, seats, delay_ms: game.delay_ms ?? 0 })).id;
}
