// The result of a game: the winner, the reason and the final standings.

import { badge } from '../board/glyphs.js';
import { button, h } from '../dom.js';
import { colour, coloured, seatName } from '../words.js';

/**
 * @param {any} view @param {import('./seats.js').Sitting[]} seats
 * @param {(level: string) => void} against starts the same game against another level
 */
export function ending(view, seats, against) {
  const { game } = view.setup;
  const words = coloured(game, view.result?.words ?? 'The game is over.');
  const winner = view.result?.winner;
  const sitting = winner ? seats.find((seat) => seat.seat === winner) : null;
  const alone = seats.filter((seat) => seat.who === 'human').length === 1;
  const yours = sitting?.who === 'human' && alone;
  const verdict = yours ? `You win! ${words}` : alone && winner ? `You lost. ${words}` : words;
  const explanation = coloured(game, view.result?.explanation ?? '');
  return [
    h(
      'p',
      { class: 'verdict-line' },
      winner ? badge(game, winner) : null,
      h('strong', null, verdict),
    ),
    explanation ? h('p', { class: 'explanation', 'data-test': 'explanation' }, explanation) : null,
    view.players.length > 2 ? standings(view, seats) : null,
    winner ? onward(seats, yours, against) : null,
  ];
}

/**
 * After a game of one person against one level: offers the next level after a win, or the previous one after a loss.
 * @param {import('./seats.js').Sitting[]} seats @param {boolean} won @param {(level: string) => void} against
 */
function onward(seats, won, against) {
  const agents = seats.filter((seat) => seat.who !== 'human');
  const level = Number(/^d(\d+)$/.exec(agents[0]?.spec ?? '')?.[1]);
  const other = level + (won ? 1 : -1);
  if (seats.length !== 2 || agents.length !== 1 || !(other >= 1 && other <= 10)) return null;
  return h(
    'div',
    { class: 'row' },
    button(won ? `Next level: D${other}` : `Try D${other}`, () => against(`d${other}`), {
      'data-test': 'other-level',
    }),
  );
}

/** The final standings of a game with more than two players. @param {any} view @param {import('./seats.js').Sitting[]} seats */
function standings(view, seats) {
  const ranking = view.result?.ranking ?? [];
  const placed = view.players.map((/** @type {any} */ player) => ({
    player,
    rank: ranking[player.seat - 1] ?? 0,
  }));
  placed.sort((/** @type {any} */ a, /** @type {any} */ b) => a.rank - b.rank);
  return h(
    'ol',
    { class: 'standings small' },
    placed.map((/** @type {any} */ { player, rank }) => {
      const seat = seats.find((other) => other.seat === player.seat);
      const name = colour(view.setup.game, player.seat);
      return h(
        'li',
        null,
        h('span', { class: 'num soft' }, rank ? `${rank}.` : ''),
        badge(view.setup.game, player.seat),
        h('span', { class: 'cut' }, seat && seat.who !== 'human' ? `${name} · ${seatName(seat)}` : name),
        h('span', { class: 'soft num' }, `${player.eliminated} eliminated, ${player.territory} cells`),
      );
    }),
  );
}
