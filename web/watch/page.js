// Watch: agents play each other. The game is the server's; this page starts one and follows it.

import { post } from '../api.js';
import { go } from '../main.js';
import { openSettings } from '../play/setup.js';
import { Table } from '../play/table.js';
import { setupOf, settings } from '../settings.js';
import { complain } from '../speak.js';

/** Starts a game between the agents chosen last. */
async function start() {
  const seats = settings.watchers.slice(0, settings.game === 'go' ? 2 : settings.players);
  const game = await post('/api/games', { setup: setupOf(settings), seats, delay_ms: settings.delay });
  return game.id;
}

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  let id = route.query.get('game');
  if (!id) {
    id = await start();
    history.replaceState(null, '', `/watch?game=${id}`);
  }
  const again = () => start().then((next) => go(`/watch?game=${next}`)).catch(complain);
  const table = new Table(root, id, { again, settings: () => openSettings('watch', again) });
  await table.open();
  return { leave: () => table.leave(), key: (key) => table.key(key) };
}
