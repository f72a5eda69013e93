// An agent at work: how long, how much, what it would play now; and the button that ends it.

import { button, h, say } from '../dom.js';
import { point } from '../board/preview.js';
import { many } from '../words.js';

export class ThinkingRow {
  /** @param {() => void} stop */
  constructor(stop) {
    this.title = h('strong', { class: 'cut' }, '');
    this.facts = h('span', { class: 'soft small num' });
    this.best = h('span', { class: 'soft small cut' });
    /** @type {ReturnType<typeof setInterval> | undefined} runs while somebody thinks: agents tell seldom, clocks tick on */
    this.clock = undefined;
    this.told = {};
    this.heard = 0;
    this.el = h(
      'div',
      { class: 'thinking-row', 'data-test': 'thinking', hidden: true },
      h('span', { class: 'pulse', 'aria-hidden': 'true' }),
      h('div', { class: 'grow' }, this.title, this.facts, this.best),
      button('Move now', stop, { 'data-test': 'move-now' }),
    );
  }

  /** @param {string} name who thinks @param {any} thinking @param {import('../board/draw.js').Board} board */
  show(name, thinking, board) {
    this.el.hidden = false;
    this.told = thinking;
    this.heard = performance.now();
    this.clock ??= setInterval(() => this.tick(), 100);
    this.tick();
    say(this.title, `${name} is thinking`);
    this.title.title = name;
    say(
      this.best,
      thinking.best
        ? `best so far: ${thinking.line?.slice(0, 4).join('  ') || thinking.best}`
        : 'looking at the position',
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

  /** Tells how long it has taken by now. */
  tick() {
    const { nodes, ms } = /** @type {any} */ (this.told);
    const passed = `${(((ms ?? 0) + performance.now() - this.heard) / 1000).toFixed(1)} s`;
    say(this.facts, nodes ? `${many(nodes)} nodes · ${passed}` : passed);
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
