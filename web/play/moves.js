// The list of moves, one entry per turn, without bookkeeping moves. It is a single tab stop: arrow keys select a move.

import { h, put } from '../dom.js';
import { badge } from '../board/glyphs.js';
import { colour, moveWords } from '../words.js';

export class MoveList {
  /** @param {(ply: number) => string} link the address of a position @param {(ply: number) => void} go shows a position */
  constructor(link, go) {
    this.link = link;
    this.el = h('ol', {
      class: 'moves',
      'data-test': 'moves',
      'aria-label': 'Moves',
      on: {
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        click: (/** @type {MouseEvent} */ event) => {
          const link = /** @type {HTMLElement} */ (event.target).closest('a');
          if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go(Number(link.dataset.ply));
        },
      },
    });
    /** @type {string[]} */
    this.shown = [];
    this.turn = 0;
    /** @type {any} the move in the tab order */
    this.stop = null;
    // A list without layout cannot be scrolled, so scroll to the end when it gets its size.
    this.follow = true;
    new ResizeObserver(() => this.toEnd()).observe(this.el);
  }

  /** @param {string} game @param {{ seat: number, turn: number, text: string, words?: string, auto?: boolean }[]} moves */
  show(game, moves) {
    const same =
      this.shown.length <= moves.length && this.shown.every((text, index) => moves[index].text === text);
    if (!same) {
      put(this.el);
      this.shown = [];
      this.turn = 0;
    }
    const added = moves.length > this.shown.length;
    for (let ply = this.shown.length; ply < moves.length; ply += 1) this.add(game, moves[ply], ply + 1);
    if (!added) return;
    const links = this.el.querySelectorAll('a');
    if (links.length > 0) this.stopAt(links[links.length - 1]);
    this.toEnd();
  }

  toEnd() {
    if (this.follow) this.el.scrollTop = this.el.scrollHeight;
  }

  /** @param {string} game @param {{ seat: number, turn: number, text: string, words?: string, auto?: boolean }} move @param {number} ply */
  add(game, move, ply) {
    this.shown.push(move.text);
    if (move.auto) return;
    if (move.turn !== this.turn) {
      this.turn = move.turn;
      this.el.append(
        h(
          'li',
          null,
          h('span', { class: 'soft num' }, String(this.turn)),
          badge(game, move.seat),
          h('span', { class: 'turn' }, h('span', { class: 'unseen' }, colour(game, move.seat))),
        ),
      );
    }
    this.el.lastElementChild.lastElementChild.append(
      h(
        'a',
        {
          href: this.link(ply),
          title: move.words ? `${colour(game, move.seat)} ${move.words}` : '',
          'data-ply': ply,
          tabindex: '-1',
        },
        moveWords(move.text),
      ),
      ' ',
    );
  }

  /** Marks the current move. @param {(ply: number) => boolean} isHere */
  mark(isHere) {
    this.follow = false;
    for (const link of this.el.querySelectorAll('a')) {
      if (isHere(Number(link.dataset.ply))) {
        link.setAttribute('aria-current', 'step');
        this.reveal(link);
        this.stopAt(link);
      } else {
        link.removeAttribute('aria-current');
      }
    }
  }

  /** Marks no move, and follows the game again. */
  unmark() {
    for (const link of this.el.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current');
    this.follow = true;
    this.toEnd();
  }

  /** Scrolls the list, but not the page, to a move. @param {Element} link */
  reveal(link) {
    const [inner, outer] = [link.getBoundingClientRect(), this.el.getBoundingClientRect()];
    if (inner.top < outer.top) this.el.scrollTop -= outer.top - inner.top + 8;
    else if (inner.bottom > outer.bottom) this.el.scrollTop += inner.bottom - outer.bottom + 8;
  }

  /** @param {any} link */
  stopAt(link) {
    this.stop?.setAttribute('tabindex', '-1');
    this.stop = link;
    link.setAttribute('tabindex', '0');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!way) return;
    const links = [...this.el.querySelectorAll('a')];
    const next = links[links.indexOf(/** @type {any} */ (document.activeElement)) + way];
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    this.stopAt(next);
    next.focus();
  }
}
