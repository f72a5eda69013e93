// The dialog that lists the keys, opened by "?".

import { dialog } from '../dialog.js';
import { button, h } from '../dom.js';

const KEYS = [
  ['b', 'to the board'],
  ['← ↑ → ↓', 'move over the cells (in analysis, off the board: step through the game)'],
  ['Page ↑ ↓', 'move over the cells that can be chosen'],
  ['Enter', 'choose the cell'],
  ['Esc', 'take the choice back'],
  ['1 – 9', 'choose from the list at the board'],
  ['p', 'pass or skip'],
  ['u', 'undo'],
  ['h', 'hint'],
  ['m', 'the agent moves now'],
  ['n', 'new game with the same settings'],
  ['s', 'new game with other settings'],
  ['a', 'analyse this game'],
  ['Space', 'pause and go on, when watching; start and stop, in analysis'],
  ['?', 'this list'],
];

/** The list itself, for the dialog and the help page. */
export function keyList() {
  return h(
    'dl',
    { class: 'keys' },
    KEYS.map(([key, words]) => [h('dt', null, h('kbd', null, key)), h('dd', null, words)]).flat(),
  );
}

/** Shows the keys. */
export function showKeys() {
  const shown = dialog('Keys', [keyList()], {
    test: 'keys',
    buttons: [button('Close', () => shown.close(), { class: 'main' })],
  });
}
