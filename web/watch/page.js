// Watch: agents play each other. The game is the server's; this page starts one and follows it.

import { go } from '../main.js';
import { beginAgain, beginWatched } from '../play/begin.js';
import { openSettings } from '../play/setup.js';
import { Table } from '../play/table.js';
import { complain } from '../speak.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  let id = route.query.get('game') ?? '';
  if (id === '') {
    id = await beginWatched();
    history.replaceState(null, '', `/watch?game=${id}`);
  }
  const to = (/** @type {Promise<string>} */ started) =>
    started.then((next) => go(`/watch?game=${next}`)).catch(complain);
  const table = new Table(root, id, {
    again: (game) => to(beginAgain(game)),
    settings: () => openSettings('watch', () => to(beginWatched())),
  });
  await table.open();
  return { leave: () => table.leave(), key: (key) => table.key(key) };
}
