// A card for each seat: its occupant, its pieces, its progress towards the goals and its expected score.

import { h, put } from '../dom.js';
import { badge } from '../board/glyphs.js';
import { colour, percent, seatName } from '../words.js';

/** A count without a goal. @param {string} name @param {number} have @param {string} words */
function count(name, have, words) {
  return h(
    'div',
    { class: 'toward', title: words },
    h('span', { class: 'soft' }, name),
    h('span', { class: 'num have' }, String(have)),
  );
}

/** A count with a bar towards the number that wins. @param {string} name @param {number} have @param {number} goal @param {string} words */
function towards(name, have, goal, words) {
  const bar = h('span', { style: { width: `${Math.min(1, have / goal) * 100}%` } });
  return h(
    'div',
    { class: 'toward', title: `${words}: ${have}. To win: ${goal}` },
    h('span', { class: 'soft' }, name),
    h('span', { class: 'num have' }, String(have), h('span', { class: 'soft' }, ` / ${goal}`)),
    h('span', { class: 'bar' }, bar),
  );
}

/** @param {any} view @param {any} player */
function facts(view, player) {
  if (view.setup.game === 'go') {
    const { area } = player;
    return [
      count('prisoners', player.prisoners ?? 0, 'Stones taken from the opponent'),
      typeof area === 'number' ? count('area', area, 'Points of area') : null,
    ];
  }
  const { eliminations, territory } = view.goals;
  const needed = player.territory_to_win ?? territory;
  const short = player.territory >= territory && player.territory < needed;
  return [
    count('hand', player.hand, 'Rings left to place'),
    towards('eliminated', player.eliminated, eliminations, 'Rings eliminated, of any colour'),
    towards('territory', player.territory, needed, 'Cells of territory'),
    short
      ? h(
          'p',
          { class: 'needs small', 'data-test': `needs-${player.seat}` },
          `${territory} cells are not enough yet: the others own ${needed - 1} together, so ${needed} are needed.`,
        )
      : null,
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
