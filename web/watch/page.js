// The watch page: starts a game between agents and follows it.

import { go } from '../main.js';
import { beginAgain, beginWatched, orDefault } from '../play/begin.js';
import { openSetup } from '../play/setup.js';
import { Table } from '../play/table.js';
import { showError } from '../messages.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  let id = route.query.get('game') ?? '';
  if (id === '') {
    id = await orDefault(beginWatched);
    history.replaceState(null, '', `/watch?game=${id}`);
  }
  const table = new Table(root, id, {
    again: (game) =>
      beginAgain(game)
        .then((next) => go(`/watch?game=${next}`))
        .catch(showError),
    setup: () => openSetup('watch', async () => `/watch?game=${await beginWatched()}`),
  });
  await table.open();
  return { leave: () => table.leave(), key: (key) => table.key(key) };
}
