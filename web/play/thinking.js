// An agent at work: how long, how much, what it would play now; and the button that ends it.

import { button, h, say } from '../dom.js';
import { point } from '../board/preview.js';
import { many, time } from '../words.js';

export class ThinkingRow {
  /** @param {() => void} stop */
  constructor(stop) {
    this.title = h('strong', null, '');
    this.facts = h('span', { class: 'soft num' });
    this.best = h('span', { class: 'soft cut' });
    this.el = h(
      'div',
      { class: 'thinking-row', 'data-test': 'thinking', hidden: true },
      h('div', { class: 'grow' }, h('div', { class: 'row spread' }, this.title, this.facts), this.best),
      button('Move now', stop, { 'data-test': 'move-now' }),
    );
  }

  /** @param {string} name who thinks @param {any} thinking @param {import('../board/draw.js').Board} board @param {any[]} moves legal ones */
  show(name, thinking, board, moves) {
    this.el.hidden = false;
    say(this.title, `${name} is thinking`);
    say(this.facts, thinking.nodes ? `${many(thinking.nodes)} · ${time(thinking.ms ?? 0)}` : '');
    say(
      this.best,
      thinking.best
        ? `best so far ${thinking.line?.slice(0, 4).join(' ') || thinking.best}`
        : 'looking at the position',
    );
    board.overlay(
      'arrows',
      point(
        board,
        moves.find((move) => move.text === thinking.best),
        thinking.marks ?? [],
        'thinking',
      ),
    );
  }

  /** @param {import('../board/draw.js').Board} board */
  hide(board) {
    if (this.el.hidden) return;
    this.el.hidden = true;
    board.overlay('arrows', []);
  }
}
