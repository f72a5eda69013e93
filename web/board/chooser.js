// A menu beside a cell, for moves that clicks on cells cannot distinguish, such as the number of rings to place.

import { h } from '../dom.js';

/** @typedef {import('./clicks.js').Move} Move */

export class Chooser {
  /**
   * @param {import('./draw.js').Board} board
   * @param {{ choose: (move: Move) => void, light: (move: Move | null) => void, close: () => void }} callbacks
   */
  constructor(board, callbacks) {
    this.board = board;
    this.callbacks = callbacks;
    this.el = h('div', {
      class: 'chooser',
      role: 'menu',
      'aria-label': 'Choose a move',
      'data-test': 'chooser',
      hidden: true,
    });
    this.el.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.key(event));
    board.el.append(this.el);
  }

  get isOpen() {
    return !this.el.hidden;
  }

  /** @param {Move[]} moves @param {string} at the cell to open beside @param {boolean} focus whether to focus the menu, for keyboard users */
  open(moves, at, focus) {
    this.el.replaceChildren(
      ...moves.map((move, index) =>
        h(
          'button',
          {
            type: 'button',
            role: 'menuitem',
            'data-move': move.text,
            'data-test': 'choice',
            on: {
              click: (/** @type {Event} */ event) => {
                event.stopPropagation();
                this.callbacks.choose(move);
              },
              pointerenter: () => this.callbacks.light(move),
              pointerleave: () => this.callbacks.light(null),
              focus: () => this.callbacks.light(move),
            },
          },
          h('kbd', { 'aria-hidden': 'true' }, String(index + 1)),
          h('span', null, move.words),
        ),
      ),
    );
    this.el.hidden = false;
    this.place(at);
    if (focus) this.el.firstElementChild?.focus({ preventScroll: true });
  }

  close() {
    this.el.hidden = true;
  }

  /** Positions the menu above or below the cell, within the board. @param {string} at */
  place(at) {
    const cell = this.board.hits.get(at).getBoundingClientRect();
    const board = this.board.el.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.el;
    const middle = cell.left + cell.width / 2 - board.left - width / 2;
    const below = cell.bottom - board.top + 6;
    const top = below + height > board.height ? cell.top - board.top - height - 6 : below;
    this.el.style.left = `${Math.max(0, Math.min(middle, board.width - width))}px`;
    this.el.style.top = `${Math.max(0, top)}px`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const items = [...this.el.children];
    const index = items.indexOf(/** @type {Element} */ (document.activeElement));
    if (event.key === 'Escape') this.callbacks.close();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowRight')
      items[(index + 1) % items.length].focus();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowLeft')
      items[(index + items.length - 1) % items.length].focus();
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== ' ') event.preventDefault();
  }

  /** Chooses by number. @param {number} number from 1 @returns {boolean} whether there is such an entry */
  chooseNumber(number) {
    const item = this.isOpen ? this.el.children[number - 1] : null;
    item?.click();
    return Boolean(item);
  }
}
