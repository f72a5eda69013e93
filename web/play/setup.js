// The dialog of a new game: which game, on which board, who plays it. Nothing is kept before the server agreed to it.

import { dialog } from '../dialog.js';
import { button, h, put, s } from '../dom.js';
import { check, field, segments, select } from '../fields.js';
import { go } from '../main.js';
import { change, settings } from '../settings.js';
import { complain } from '../speak.js';
import { boardWords } from '../words.js';
import { earlierGames } from './earlier.js';
import { seatFields } from './seatfields.js';

/** @typedef {import('../settings.js').Settings} Settings */

/** The settings that this dialog is about. */
const GAME = /** @type {const} */ ([
  'game',
  'board',
  'players',
  'swap',
  'size',
  'komi',
  'handicap',
  'scoring',
  'ko',
  'seats',
  'goSeats',
  'watchers',
]);

/** @param {Settings} from */
function gameOf(from) {
  return /** @type {Partial<Settings>} */ (
    structuredClone(Object.fromEntries(GAME.map((name) => [name, from[name]])))
  );
}

/**
 * @param {'play' | 'watch'} kind watched games have agents only
 * @param {() => Promise<string>} start starts what the settings say and tells its address; if it cannot, everything stays as it was
 */
export function openSetup(kind, start) {
  const draft = /** @type {Settings} */ (structuredClone(settings));
  const body = h('div', { class: 'inside-list' });
  const redraw = () => put(body, gamePart(draft, redraw), seatFields(draft, kind));
  redraw();
  const begin = button(kind === 'play' ? 'Start the game' : 'Start watching', () => submit(), {
    class: 'main',
    'data-test': 'start',
  });
  const submit = async () => {
    const before = gameOf(settings);
    begin.disabled = true;
    change(gameOf(draft));
    try {
      const address = await start();
      shown.close();
      await go(address);
    } catch (error) {
      change(before);
      complain(error);
      begin.disabled = false;
    }
  };
  const shown = dialog(
    kind === 'play' ? 'A new game' : 'A game to watch',
    [body, earlierGames(() => shown.close())],
    {
      test: 'new-game-dialog',
      buttons: [button('Cancel', () => shown.close()), begin],
    },
  );
}

/** Which game, on which board. @param {Settings} draft @param {() => void} redraw */
function gamePart(draft, redraw) {
  const set = (/** @type {Partial<Settings>} */ some) => {
    Object.assign(draft, some);
    redraw();
    // What was clicked is drawn anew: the focus stays where it was.
    const [name] = Object.keys(some);
    const there = `dialog [data-test="${name}"] input:checked, dialog select[data-test="${name}"]`;
    /** @type {HTMLElement | null} */ (document.querySelector(there))?.focus();
  };
  const game = segments(
    'Game',
    'game',
    [
      ['ringrift', 'RingRift'],
      ['go', 'Go'],
    ],
    draft.game,
    (value) => set({ game: /** @type {any} */ (value) }),
  );
  return draft.game === 'go' ? [game, goPart(draft, set)] : [game, ringPart(draft, set)];
}

/** @param {Settings} draft @param {(some: Partial<Settings>) => void} set */
function ringPart(draft, set) {
  return [
    boardTiles(draft.board, (board) => set({ board })),
    h(
      'div',
      { class: 'pairs' },
      segments(
        'Players',
        'players',
        [
          ['2', '2'],
          ['3', '3'],
          ['4', '4'],
        ],
        String(draft.players),
        (value) => set({ players: Number(value) }),
      ),
      draft.players === 2
        ? check('Pie rule: after the first turn the second player may swap sides', draft.swap, (value) => {
            draft.swap = value;
          })
        : null,
    ),
  ];
}

/** What each board looks like and is like. */
const TILES = /** @type {[string, string, number][]} cells across the middle, for the picture */ ([
  ['square8', 'a quick game', 8],
  ['hex8', 'a quick game', 5],
  ['square19', 'a long game', 12],
  ['hexagonal', 'a very long game', 9],
]);

/** @param {string} value @param {(board: string) => void} choose */
function boardTiles(value, choose) {
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

/** Cells of a hexagon as dots. @param {number} across */
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

/** What White usually gets. @param {Settings} draft */
function usualKomi(draft) {
  if (draft.handicap > 0) return 0.5;
  return draft.scoring === 'territory' ? 6.5 : 7.5;
}

/** How many handicap stones have places of their own. @param {number} size */
function mostStones(size) {
  if (size < 7) return 0;
  return size === 7 || size % 2 === 0 ? 4 : 9;
}

/** @param {Settings} draft @param {(some: Partial<Settings>) => void} set */
function goPart(draft, set) {
  // Komi follows what it depends on until somebody chose it.
  const usual = draft.komi === usualKomi(draft);
  const agree = (/** @type {Partial<Settings>} */ some) => {
    const komi = usual ? usualKomi({ ...draft, ...some }) : draft.komi;
    set({ ...some, komi });
  };
  const komi = h('input', {
    type: 'number',
    step: '0.5',
    min: '-100',
    max: '100',
    value: String(draft.komi),
    'data-test': 'komi',
    on: {
      change: () => {
        draft.komi = Number(komi.value) || 0;
      },
    },
  });
  const sizes = Array.from({ length: 15 }, (_, index) => index + 5);
  const stones = [0, 2, 3, 4, 5, 6, 7, 8, 9].filter((count) => count <= mostStones(draft.size));
  return h(
    'div',
    { class: 'pairs' },
    field(
      'Board',
      select(
        sizes.map((size) => [String(size), `${size}×${size}`]),
        String(draft.size),
        (value) =>
          agree({ size: Number(value), handicap: Math.min(draft.handicap, mostStones(Number(value))) }),
        'size',
      ),
    ),
    field(
      'Counting',
      select(
        [
          ['area', 'area (Chinese)'],
          ['territory', 'territory (Japanese)'],
        ],
        draft.scoring,
        (value) => agree({ scoring: value }),
        'scoring',
      ),
    ),
    field(
      'Handicap stones',
      select(
        stones.map((count) => [String(count), count === 0 ? 'none' : String(count)]),
        String(draft.handicap),
        (value) => agree({ handicap: Number(value) }),
        'handicap',
      ),
    ),
    field('Komi', komi),
  );
}
