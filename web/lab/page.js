// The laboratory page: ratings, runs and recorded games.

import { h } from '../dom.js';
import { showError } from '../messages.js';
import { RecordedGames } from './games.js';
import { Ladder } from './ladder.js';
import { Levels } from './levels.js';
import { Runs } from './runs.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  const ladder = new Ladder(route.query.get('venue') ?? '', () => runs.form.startFirst());
  const levels = new Levels();
  const games = new RecordedGames();
  const ended = () => [ladder, games].forEach((part) => part.load().catch(showError));
  const runs = new Runs(ended, (run) => games.only(run).catch(showError));
  const about =
    'The Lab measures how strong agents are: they play many games against each other, and their ratings follow from the results.';
  root.append(
    h(
      'div',
      { class: 'sheet broad' },
      h('h1', null, 'Lab'),
      h('p', null, about),
      ladder.el,
      runs.el,
      levels.el,
      games.el,
    ),
  );
  await Promise.all([ladder.load(), runs.load(), levels.load(), games.load()].map((part) => part.catch(showError)));
  document.body.dataset.ready = 'true';
  return { leave: () => runs.leave() };
}
