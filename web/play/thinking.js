// The progress of an agent's search: time, nodes and best move so far, with a button to stop it.

import { button, h, setText } from '../dom.js';
import { point } from '../board/preview.js';
import { many } from '../words.js';

export class ThinkingRow {
  /** @param {() => void} stop */
  constructor(stop) {
    this.title = h('strong', { class: 'cut' }, '');
    this.facts = h('span', { class: 'soft small num' });
    this.best = h('span', { class: 'soft small cut' });
    /** @type {ReturnType<typeof setInterval> | undefined} updates the time between progress reports */
    this.clock = undefined;
    this.report = {};
    this.received = 0;
    this.el = h(
      'div',
      { class: 'thinking-row', 'data-test': 'thinking', hidden: true },
      h('span', { class: 'pulse', 'aria-hidden': 'true' }),
      h('div', { class: 'grow' }, this.title, this.facts, this.best),
      button('Move now', stop, { 'data-test': 'move-now' }),
    );
  }

  /** @param {string} name of the agent @param {any} thinking @param {import('../board/draw.js').Board} board */
  show(name, thinking, board) {
    this.el.hidden = false;
    this.report = thinking;
    this.received = performance.now();
    this.clock ??= setInterval(() => this.tick(), 100);
    this.tick();
    setText(this.title, `${name} is thinking`);
    this.title.title = name;
    setText(
      this.best,
      thinking.best
        ? `best so far: ${thinking.line?.slice(0, 4).join('  ') || thinking.best}`
        : 'starting the search',
    );
    board.overlay(
      'arrows',
      point(
        board,
        thinking.steps ? thinking : undefined,
        thinking.marks ?? [],
        'thinking',
      ),
    );
  }

  /** Updates the elapsed time. */
  tick() {
    const { nodes, ms } = /** @type {any} */ (this.report);
    const passed = `${(((ms ?? 0) + performance.now() - this.received) / 1000).toFixed(1)} s`;
    setText(this.facts, nodes ? `${many(nodes)} nodes · ${passed}` : passed);
  }

  /** @param {import('../board/draw.js').Board} [board] */
  hide(board) {
    clearInterval(this.clock);
    this.clock = undefined;
    if (this.el.hidden) return;
    this.el.hidden = true;
    board?.overlay('arrows', []);
  }
}
