// A small list at the board, for what cells alone cannot tell apart: how many rings, which part of a line.

import { h } from '../dom.js';

/** @typedef {import('./clicks.js').Move} Move */

export class Chooser {
  /**
   * @param {import('./draw.js').Board} board
   * @param {{ choose: (move: Move) => void, light: (move: Move | null) => void, close: () => void }} say
   */
  constructor(board, say) {
    this.board = board;
    this.say = say;
    this.el = h('div', {
      class: 'chooser',
      role: 'menu',
      'aria-label': 'Which one?',
      'data-test': 'chooser',
      hidden: true,
    });
    this.el.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.key(event));
    board.el.append(this.el);
  }

  get isOpen() {
    return !this.el.hidden;
  }

  /** @param {Move[]} moves @param {string} at the cell to stand beside @param {boolean} focus for people at the keyboard */
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
                this.say.choose(move);
              },
              pointerenter: () => this.say.light(move),
              pointerleave: () => this.say.light(null),
              focus: () => this.say.light(move),
            },
          },
          h('kbd', { 'aria-hidden': 'true' }, String(index + 1)),
          h('span', null, move.words),
        ),
      ),
    );
    this.el.hidden = false;
    this.stand(at);
    if (focus) this.el.firstElementChild?.focus({ preventScroll: true });
  }

  close() {
    this.el.hidden = true;
  }

  /** Stands above or below the cell, whichever has room, and inside the board. @param {string} at */
  stand(at) {
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
    if (event.key === 'Escape') this.say.close();
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
