// The evaluation over a whole game, seat by seat, as a plot that can be walked along.

import { lines } from '../api.js';
import { button, h, put, say } from '../dom.js';
import { Plot } from '../plot.js';
import { complain } from '../speak.js';
import { percent } from '../words.js';

export class Review {
  /** @param {string} game @param {(ply: number) => void} goTo */
  constructor(game, goTo) {
    this.game = game;
    /** @type {any[]} by ply */
    this.entries = [];
    /** @type {AbortController | null} */
    this.work = null;
    this.plot = new Plot({
      x: [0, 1],
      y: [-1, 1],
      label: 'Chances of the seats over the game',
      ticks: [
        { at: 1, text: '100' },
        { at: 0, text: '50' },
        { at: -1, text: '0' },
      ],
      pick: goTo,
      tell: (ply) => this.tell(ply),
    });
    this.start = button('Review the game', () => this.begin(), { 'data-test': 'review' });
    this.el = h(
      'section',
      { class: `review game-${game}`, 'data-test': 'plot', 'aria-label': 'Evaluation over the game' },
      this.plot.el,
      h('div', { class: 'row' }, this.start),
    );
    /** @type {() => ({ setup: any, start: string | null, moves: string[], agent: string, nodes?: number }) | null} */
    this.ask = () => null;
  }

  /** @param {number} ply */
  tell(ply) {
    const entry = this.entries[ply];
    if (!entry) return `move ${ply}`;
    const values = entry.values ? entry.values.map(percent).join(' : ') : '';
    const better =
      entry.played && entry.best && entry.played !== entry.best
        ? `, played ${entry.played}, better ${entry.best}`
        : '';
    return `move ${ply}: ${values}${better}`;
  }

  /** Values known from the game itself, before any review. @param {{ values?: number[] }[]} moves @param {number} length */
  known(moves, length) {
    this.entries = [];
    moves.forEach((move, ply) => {
      if (move.values) this.entries[ply] = { ply, values: move.values };
    });
    this.draw(length);
  }

  /** @param {number} length */
  draw(length) {
    const told = this.entries.filter((entry) => entry?.values);
    const seats = told[0]?.values.length ?? 0;
    this.plot.show(
      Array.from({ length: seats }, (_, seat) => ({
        kind: `s${seat + 1}`,
        points: told.map((entry) => /** @type {[number, number]} */ ([entry.ply, entry.values[seat]])),
      })),
      [0, Math.max(1, length)],
    );
    this.plot.el.hidden = told.length === 0 && !this.work;
  }

  /** Lets an agent judge every position; a second click ends it. */
  async begin() {
    if (this.work) {
      this.work.abort();
      return;
    }
    const request = this.ask();
    if (!request) return;
    const work = new AbortController();
    this.work = work;
    say(this.start, 'Stop the review');
    this.entries = [];
    try {
      for await (const entry of lines('/api/review', request, work.signal)) {
        this.entries[entry.ply] = entry;
        this.draw(request.moves.length);
      }
    } catch (error) {
      complain(error);
    }
    this.work = null;
    say(this.start, 'Review again');
    this.draw(request.moves.length);
    document.body.dataset.reviewed = 'true';
  }

  stop() {
    this.work?.abort();
  }

  clear() {
    this.stop();
    put(this.plot.body);
    this.entries = [];
  }
}
