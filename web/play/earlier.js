// The list of earlier games, to resume or analyse. It is loaded when it is opened.

import { get } from '../api.js';
import { h, put } from '../dom.js';
import { coloured, levelName, setupWords, when } from '../words.js';

/** The maximum number of games in the list. */
const LIMIT = 30;

/** @param {any} game */
function players(game) {
  return game.seats
    .map((/** @type {string} */ seat) => (seat === 'human' ? 'You' : levelName(seat)))
    .join(' – ');
}

/** @param {any} game */
function standing(game) {
  if (game.result) return coloured(game.setup.game, game.result.words);
  return game.status === 'scoring' ? 'Being scored.' : `In progress, ${game.ply} moves.`;
}

/** @param {() => void} leave called when a game is chosen @param {'play' | 'analyse'} [page] where it opens */
export function earlierGames(leave, page = 'play') {
  const list = h('ul', { class: 'earlier' });
  const el = h(
    'details',
    { class: 'fold', 'data-test': 'earlier' },
    h('summary', null, 'Earlier games'),
    list,
  );
  el.addEventListener('toggle', async () => {
    if (!el.open) return;
    const response = await get(`/api/games?limit=${LIMIT}`).catch(() => ({ games: [] }));
    const begun = response.games.filter((/** @type {any} */ game) => game.ply > 0);
    put(
      list,
      begun.length === 0 ? h('li', { class: 'soft' }, 'There are no earlier games yet.') : null,
      begun.map((/** @type {any} */ game) =>
        h(
          'li',
          null,
          h(
            'a',
            {
              href: page === 'play' ? `/game/${game.id}` : `/analyse?game=${game.id}`,
              'data-earlier': game.id,
              on: { click: leave },
            },
            h('strong', { class: 'cut' }, players(game)),
            h('span', { class: 'small cut' }, standing(game)),
            h('span', { class: 'soft small cut' }, `${setupWords(game.setup)} · ${when(game.created)}`),
          ),
        ),
      ),
    );
  });
  return el;
}
