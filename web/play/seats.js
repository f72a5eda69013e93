// A card for each seat: its occupant, its pieces, its progress towards the goals and its expected score.

import { h, put } from '../dom.js';
import { badge } from '../board/glyphs.js';
import { colour, percent, seatName } from '../words.js';

/** Explanations of the labels. */
const WORDS = /** @type {Record<string, string>} */ ({
  credited: 'Eliminated rings credited to this player',
  territory: 'Cells of territory',
});

/** A bar with a number, towards a goal. @param {string} name @param {number} have @param {number | undefined} goal */
function towards(name, have, goal) {
  const share = goal ? Math.min(1, have / goal) : 0;
  return h(
    'div',
    { class: 'toward', title: goal ? `${WORDS[name] ?? name}: ${have} of ${goal} needed to win` : name },
    h('span', { class: 'soft' }, name),
    h('span', { class: 'num have' }, String(have), goal ? h('span', { class: 'soft' }, ` / ${goal}`) : null),
    h('span', { class: 'bar' }, h('span', { style: { width: `${share * 100}%` } })),
  );
}

/** @param {any} view @param {any} player */
function facts(view, player) {
  if (view.setup.game === 'go') {
    const area =
      player.area === null || player.area === undefined ? null : towards('area', player.area, undefined);
    return [towards('prisoners', player.prisoners ?? 0, undefined), area];
  }
  return [
    h(
      'div',
      { class: 'toward', title: 'Rings left to place' },
      h('span', { class: 'soft' }, 'in hand'),
      h('span', { class: 'num have' }, String(player.hand)),
    ),
    towards('credited', player.eliminated, view.goals?.eliminations),
    towards('territory', player.territory, view.goals?.territory),
  ];
}

/** A value between −1 and 1 as a bar in the seat's colour. @param {number} value @param {string} game @param {number} seat */
export function valueBar(value, game, seat) {
  const words = `Expected score of ${colour(game, seat)}, estimated by an agent`;
  return h(
    'div',
    { class: `value s${seat} game-${game}`, title: words },
    h(
      'span',
      { class: 'value-track' },
      h('span', { class: 'value-fill', style: { width: `${(value + 1) * 50}%` } }),
    ),
    h('span', { class: 'unseen' }, `${words}: `),
    h('span', { class: 'value-text num' }, percent(value)),
  );
}

/** The kind of a network, the first word of its id. @param {string} id */
const netName = (id) => id.split(/[-@]/)[0].toUpperCase();

/**
 * @typedef {{ who: string, seat: number, spec?: string, plays?: string, net?: string | null, fallback?: string | null, name?: string }} Sitting the occupant of a seat
 *
 * @param {HTMLElement} root @param {any} view @param {Sitting[]} seats
 * @param {number[] | null} values per seat
 */
export function drawSeats(root, view, seats, values) {
  const humans = seats.filter((seat) => seat.who === 'human').length;
  put(
    root,
    view.players.map((/** @type {any} */ player) => {
      /** @type {Sitting} */
      const seat = seats.find((other) => other.seat === player.seat) ?? {
        seat: player.seat,
        who: 'human',
        name: colour(view.setup.game, player.seat),
      };
      const moves = view.to_move === player.seat;
      const won = view.result?.winner === player.seat;
      const kind = colour(view.setup.game, player.seat);
      const name =
        humans > 1 && seat.who === 'human' && (seat.name ?? 'You') === 'You' ? kind : seatName(seat);
      const value = values?.[player.seat - 1];
      return h(
        'section',
        {
          class: `seat s${player.seat} game-${view.setup.game}${moves ? ' to-move' : ''}${won ? ' won' : ''}`,
          'data-test': `seat-${player.seat}`,
          'aria-label': `${kind}: ${name}${moves ? ', to move' : ''}`,
        },
        h(
          'header',
          null,
          badge(view.setup.game, player.seat),
          h('strong', { class: 'cut', title: seat.plays ?? name }, name),
          h('span', { class: 'soft small kind' }, name === kind ? '' : kind),
          seat.net ? h('span', { class: 'tag quiet', title: `Plays with the network ${seat.net}` }, netName(seat.net)) : null,
          seat.fallback ? h('span', { class: 'tag quiet', title: seat.fallback }, 'no network') : null,
          won
            ? h('span', { class: 'tag main' }, 'won')
            : moves
              ? h('span', { class: 'tag' }, 'to move')
              : null,
        ),
        h('div', { class: 'facts' }, facts(view, player)),
        typeof value === 'number' ? valueBar(value, view.setup.game, player.seat) : null,
      );
    }),
  );
}
