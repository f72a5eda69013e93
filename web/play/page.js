// The play page. Without a game in the address, it resumes the last game or starts a new one.

import { get } from '../api.js';
import { go } from '../main.js';
import { store, stored } from '../settings.js';
import { showError } from '../messages.js';
import { begin, beginAgain, orDefault } from './begin.js';
import { openSetup } from './setup.js';
import { Table } from './table.js';

const LAST = 'riftlab-game';

/** The game of the last visit, if it is unfinished. */
async function unfinished() {
  const id = stored(LAST, null);
  if (typeof id !== 'string') return null;
  try {
    const game = await get(`/api/games/${encodeURIComponent(id)}`);
    return game.status === 'over' ? null : id;
  } catch {
    return null;
  }
}

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  let id = route.part;
  if (!id) {
    id = (await unfinished()) ?? (await orDefault(begin));
    history.replaceState(null, '', `/game/${id}`);
  }
  const table = new Table(root, id, {
    again: (game) =>
      beginAgain(game)
        .then((next) => go(`/game/${next}`))
        .catch(showError),
    setup: () => openSetup('play', async () => `/game/${await begin()}`),
  });
  await table.open();
  store(LAST, id);
  return { leave: () => table.leave(), key: (key) => table.key(key) };
}
