// Watch: agents play each other. The game is the server's; this page starts one and follows it.

import { go } from '../main.js';
import { beginAgain, beginWatched, orUsual } from '../play/begin.js';
import { openSetup } from '../play/setup.js';
import { Table } from '../play/table.js';
import { complain } from '../speak.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  let id = route.query.get('game') ?? '';
  if (id === '') {
    id = await orUsual(beginWatched);
    history.replaceState(null, '', `/watch?game=${id}`);
  }
  const table = new Table(root, id, {
    again: (game) =>
      beginAgain(game)
        .then((next) => go(`/watch?game=${next}`))
        .catch(complain),
    setup: () => openSetup('watch', async () => `/watch?game=${await beginWatched()}`),
  });
  await table.open();
  return { leave: () => table.leave(), key: (key) => table.key(key) };
}
