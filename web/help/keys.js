// The list of keyboard shortcuts, for the help page and for the dialog opened by "?".

import { dialog } from '../dialog.js';
import { button, h } from '../dom.js';

const KEYS = [
  ['b', 'focus the board'],
  ['← ↑ → ↓', 'move between cells of the focused board'],
  ['← →', 'when the board is not focused by the keyboard: step through the turns of the game'],
  ['Home End', 'go to the start of the game, or to its present position'],
  ['Page ↑ ↓', 'move between the cells that can be chosen'],
  ['Enter', 'choose the cell'],
  ['Esc', 'cancel the choice'],
  ['1 – 9', 'choose from the menu on the board'],
  ['p', 'pass or skip'],
  ['u', 'undo'],
  ['h', 'hint'],
  ['m', 'let the agent move now'],
  ['n', 'new game with the same settings'],
  ['s', 'new game with other settings'],
  ['a', 'analyse this game'],
  ['Space', 'skip the turns of opponents; pause or resume a watched game; start or stop the analysis'],
  ['?', 'show this list'],
];

/** The list of shortcuts. */
export function keyList() {
  return h(
    'dl',
    { class: 'keys' },
    KEYS.map(([key, words]) => [h('dt', null, h('kbd', null, key)), h('dd', null, words)]).flat(),
  );
}

/** Opens the dialog. */
export function showKeys() {
  const shown = dialog('Keyboard shortcuts', [keyList()], {
    test: 'keys',
    buttons: [button('Close', () => shown.close(), { class: 'main' })],
  });
}
