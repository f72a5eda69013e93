// The buttons of a game: undo, hint, resign, rematch, new game and analysis.

import { button, h } from '../dom.js';
import { icon } from '../icons.js';

/** A button with an icon and a label. @param {string} picture @param {string} word @param {() => void} click @param {any} props */
function action(picture, word, click, props) {
  return button([icon(picture), word], click, props);
}

/**
 * @param {string} id of the game
 * @param {{ undo: () => void, hint: () => void, resign: () => void, again: () => void, setup: () => void }} does
 */
export function actions(id, does) {
  return {
    undo: action('undo', 'Undo', does.undo, {
      'data-test': 'undo',
      title: 'Undo your last decision (u)',
    }),
    hint: action('hint', 'Hint', does.hint, {
      'data-test': 'hint',
      title: 'Suggest a move (h)',
    }),
    resign: action('flag', 'Resign', does.resign, {
      'data-test': 'resign',
      title: 'Resign the game',
    }),
    again: action('again', 'Rematch', does.again, {
      'data-test': 'again',
      title: 'New game with the same settings (n)',
    }),
    setup: action('plus', 'New game', does.setup, {
      'data-test': 'new-game',
      title: 'Choose the game, its options and the players, or open an earlier game (s)',
    }),
    analyse: h(
      'a',
      {
        class: 'button',
        href: `/analyse?game=${id}`,
        'data-test': 'analyse',
        title: 'Analyse this game (a)',
      },
      icon('chart'),
      'Analyse',
    ),
  };
}
