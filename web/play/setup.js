// The dialog of settings: what the next game is, who plays it, how things look. Appearance changes at once, the game with "Start".

import { badge } from '../board/glyphs.js';
import { dialog } from '../dialog.js';
import { button, h, put } from '../dom.js';
import { change, settings, setupOf } from '../settings.js';
import { boardWords, colour, levelName } from '../words.js';
import { agentsFor } from './hint.js';

/** @typedef {import('../settings.js').Settings} Settings */

/**
 * Choices in one strip.
 * @param {string} label @param {string} name @param {[string, string][]} options value and words @param {string} value
 * @param {(value: string) => void} choose
 */
export function segments(label, name, options, value, choose) {
  return h(
    'fieldset',
    { class: 'plain-set', 'data-test': name },
    h('legend', { class: 'soft small' }, label),
    h(
      'div',
      { class: 'segments' },
      options.map(([key, words]) =>
        h(
          'label',
          null,
          h('input', {
            type: 'radio',
            name,
            value: key,
            checked: key === value,
            on: { change: () => choose(key) },
          }),
          words,
        ),
      ),
    ),
  );
}

/** @param {string} label @param {any} control */
function field(label, control) {
  return h('label', { class: 'field' }, h('span', null, label), control);
}

/** @param {string} label @param {boolean} value @param {(value: boolean) => void} choose */
function check(label, value, choose) {
  const box = h('input', { type: 'checkbox', checked: value, on: { change: () => choose(box.checked) } });
  return h('label', { class: 'check' }, box, label);
}

/** @param {[string, string][]} options @param {string} value @param {(value: string) => void} choose @param {string} test */
function select(options, value, choose, test) {
  const el = h(
    'select',
    { 'data-test': test, on: { change: () => choose(el.value) } },
    options.map(([key, words]) => h('option', { value: key }, words)),
  );
  el.value = value;
  return el;
}

/**
 * @param {'play' | 'watch'} kind watched games have agents only
 * @param {() => void} start
 */
export function openSettings(kind, start) {
  const draft = /** @type {Settings} */ (structuredClone(settings));
  const body = h('div', { class: 'inside-list' });
  const redraw = () => put(body, gamePart(draft, redraw), seatPart(draft, kind));
  redraw();
  const shown = dialog(kind === 'play' ? 'A new game' : 'A game to watch', [body, h('hr'), appearance()], {
    test: 'settings-dialog',
    buttons: [
      button('Close', () => shown.close()),
      button(
        kind === 'play' ? 'Start the game' : 'Start watching',
        () => {
          change(draft);
          shown.close();
          start();
        },
        { class: 'main', 'data-test': 'start' },
      ),
    ],
  });
}

/** Which game, on which board. @param {Settings} draft @param {() => void} redraw */
function gamePart(draft, redraw) {
  const set = (/** @type {Partial<Settings>} */ some) => {
    Object.assign(draft, some);
    redraw();
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
  if (draft.game === 'go') {
    const sizes = [5, 7, 9, 11, 13, 15, 17, 19].map(
      (size) => /** @type {[string, string]} */ ([String(size), `${size}×${size}`]),
    );
    const most = draft.size < 7 ? 0 : draft.size === 7 ? 4 : 9;
    const stones = ['0', '2', '3', '4', '5', '6', '7', '8', '9'].filter((text) => Number(text) <= most);
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
    return [
      game,
      h(
        'div',
        { class: 'pairs' },
        field(
          'Board',
          select(sizes, String(draft.size), (value) => set({ size: Number(value), handicap: 0 }), 'size'),
        ),
        field('Komi', komi),
        field(
          'Handicap stones',
          select(
            stones.map((text) => [text, text === '0' ? 'none' : text]),
            String(draft.handicap),
            (value) => {
              draft.handicap = Number(value);
            },
            'handicap',
          ),
        ),
        field(
          'Counting',
          select(
            [
              ['area', 'area'],
              ['territory', 'territory'],
            ],
            draft.scoring,
            (value) => {
              draft.scoring = value;
            },
            'scoring',
          ),
        ),
      ),
    ];
  }
  const boards = ['square8', 'hex8', 'square19', 'hexagonal'].map(
    (board) => /** @type {[string, string]} */ ([board, boardWords(board)]),
  );
  return [
    game,
    h(
      'div',
      { class: 'pairs' },
      field(
        'Board',
        select(boards, draft.board, (value) => set({ board: value }), 'board'),
      ),
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
    ),
    draft.players === 2
      ? check('Pie rule: the second player may take over the first move', draft.swap, (value) => {
          draft.swap = value;
        })
      : null,
  ];
}

/** Who sits where. @param {Settings} draft @param {'play' | 'watch'} kind */
function seatPart(draft, kind) {
  const list = h('div', { class: 'seat-choices' });
  const chosen = kind === 'watch' ? draft.watchers : draft.game === 'go' ? draft.goSeats : draft.seats;
  const count = draft.game === 'go' ? 2 : draft.players;
  const fill = (/** @type {{ spec: string, name: string, about?: string, plays?: string }[]} */ levels) => {
    put(
      list,
      Array.from({ length: count }, (_, index) => seatRow(draft.game, index, chosen, kind, levels)),
    );
  };
  fill(Array.from({ length: 10 }, (_, index) => ({ spec: `d${index + 1}`, name: `D${index + 1}` })));
  agentsFor(setupOf(draft))
    .then((agents) => fill(agents.levels))
    .catch(() => {});
  return list;
}

/**
 * @param {string} game @param {number} index @param {string[]} chosen @param {'play' | 'watch'} kind
 * @param {{ spec: string, name: string, about?: string, plays?: string, fallback?: string | null }[]} levels
 */
function seatRow(game, index, chosen, kind, levels) {
  const own = h('input', {
    type: 'text',
    placeholder: 'mcts(sims=2000)',
    'aria-label': 'Agent',
    on: {
      change: () => {
        chosen[index] = own.value.trim() || 'd3';
      },
    },
  });
  const about = h('span', { class: 'soft small cut grow' });
  const known =
    levels.some((level) => level.spec === chosen[index]) || (chosen[index] === 'human' && kind === 'play');
  const options = /** @type {[string, string][]} */ ([
    ...(kind === 'play' ? [['human', 'A person here']] : []),
    ...levels.map((level) => [level.spec, levelName(level.spec)]),
    ['own', 'Agent …'],
  ]);
  const tell = (/** @type {string} */ value) => {
    const level = levels.find((other) => other.spec === value);
    about.textContent = value === 'own' ? '' : (level?.fallback ?? level?.about ?? level?.plays ?? '');
    about.title = level?.plays ?? '';
    own.hidden = value !== 'own';
    about.hidden = value === 'own';
  };
  const pick = select(
    options,
    known ? chosen[index] : 'own',
    (value) => {
      if (value !== 'own') chosen[index] = value;
      tell(value);
      if (value === 'own') own.focus();
    },
    `seat-${index + 1}-who`,
  );
  pick.setAttribute('aria-label', colour(game, index + 1));
  if (!known) own.value = chosen[index];
  tell(known ? chosen[index] : 'own');
  return h('div', { class: 'row nowrap' }, badge(game, index + 1), pick, own, about);
}

/** How things look: applied at once. */
function appearance() {
  return h(
    'div',
    { class: 'pairs' },
    segments(
      'Theme',
      'theme',
      [
        ['auto', 'Auto'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ],
      settings.theme,
      (value) => change({ theme: /** @type {any} */ (value) }),
    ),
    h(
      'div',
      null,
      check('Coordinates', settings.coordinates, (value) => change({ coordinates: value })),
      check('Animations', settings.animations, (value) => change({ animations: value })),
    ),
  );
}
