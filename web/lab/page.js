// Lab: how strong the agents are, what is being measured now, what was recorded.

import { h } from '../dom.js';
import { complain } from '../speak.js';
import { RecordedGames } from './games.js';
import { Ladder } from './ladder.js';
import { Runs } from './runs.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  const ladder = new Ladder(route.query.get('venue') ?? '');
  const games = new RecordedGames();
  const ended = () => [ladder, games].forEach((part) => part.load().catch(complain));
  const runs = new Runs(ended, (run) => games.only(run).catch(complain));
  root.append(h('div', { class: 'sheet' }, h('h1', null, 'Lab'), ladder.el, runs.el, games.el));
  await Promise.all([ladder.load(), runs.load(), games.load()].map((part) => part.catch(complain)));
  document.body.dataset.ready = 'true';
  return { leave: () => runs.leave() };
}
