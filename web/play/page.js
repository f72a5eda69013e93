// Play: the front door. Without a game in the address the last one goes on, or a new one starts at once.

import { get } from '../api.js';
import { go } from '../main.js';
import { keep, kept } from '../settings.js';
import { complain } from '../speak.js';
import { begin, beginAgain, orUsual } from './begin.js';
import { openSetup } from './setup.js';
import { Table } from './table.js';

const LAST = 'riftlab-game';

/** The game of the last visit if it is still going on. */
async function unfinished() {
  const id = kept(LAST, null);
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
    id = (await unfinished()) ?? (await orUsual(begin));
    history.replaceState(null, '', `/game/${id}`);
  }
  const table = new Table(root, id, {
    again: (game) =>
      beginAgain(game)
        .then((next) => go(`/game/${next}`))
        .catch(complain),
    setup: () => openSetup('play', async () => `/game/${await begin()}`),
  });
  await table.open();
  keep(LAST, id);
  return { leave: () => table.leave(), key: (key) => table.key(key) };
}
