// A picture for each RingRift board, to choose from.

import { h, s } from '../dom.js';
import { boardWords } from '../words.js';

/** The boards with their descriptions. */
const TILES = /** @type {[string, string, number][]} cells across the middle, for the picture */ ([
  ['square8', 'a quick game', 8],
  ['hex8', 'a quick game', 5],
  ['square19', 'a long game', 12],
  ['hexagonal', 'a very long game', 9],
]);

/** @param {string} value @param {(board: string) => void} choose */
export function boardTiles(value, choose) {
  return h(
    'fieldset',
    { class: 'plain-set', 'data-test': 'board' },
    h('legend', { class: 'soft small' }, 'Board'),
    h(
      'div',
      { class: 'tiles' },
      TILES.map(([board, about, across]) =>
        h(
          'label',
          { class: 'tile' },
          h('input', {
            type: 'radio',
            name: 'board',
            value: board,
            checked: board === value,
            on: { change: () => choose(board) },
          }),
          board.startsWith('square') ? squares(across) : hexagon(across),
          h('span', null, boardWords(board)),
          h('span', { class: 'soft small' }, about),
        ),
      ),
    ),
  );
}

/** @param {number} across */
function squares(across) {
  const lines = Array.from({ length: across + 1 }, (_, index) => {
    const at = 2 + (index * 44) / across;
    return `M${at},2V46M2,${at}H46`;
  });
  return s('svg', { viewBox: '0 0 48 48', 'aria-hidden': 'true' }, s('path', { d: lines.join('') }));
}

/** A hexagonal board with dots as cells. @param {number} across */
function hexagon(across) {
  const step = 44 / across;
  const half = (across - 1) / 2;
  const dots = [];
  for (let row = -half; row <= half; row += 1) {
    const count = across - Math.abs(row);
    for (let index = 0; index < count; index += 1) {
      dots.push(
        s('circle', {
          cx: 24 + (index - (count - 1) / 2) * step,
          cy: 24 + row * step * 0.87,
          r: step * 0.36,
        }),
      );
    }
  }
  return s('svg', { viewBox: '0 0 48 48', 'aria-hidden': 'true' }, dots);
}
