// The evaluation over a whole game, seat by seat, as a plot that can be walked along.

import { lines } from '../api.js';
import { button, h, put, say } from '../dom.js';
import { Plot } from '../plot.js';
import { complain } from '../speak.js';
import { badge } from '../board/glyphs.js';
import { moveWords, percent } from '../words.js';

/** How many turns of the tide are listed, and how much of the win has to be lost for one. */
const MOST = 5;
const LEAST = 0.1;

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
      label: 'Expected scores of the seats over the game, in per cent',
      ticks: [
        { at: 1, text: '100' },
        { at: 0, text: '50' },
        { at: -1, text: '0' },
      ],
      pick: goTo,
      tell: (ply) => this.tell(ply),
    });
    this.progress = h('span', { class: 'soft small num' });
    this.tide = h('ul', { class: 'tide small', 'data-test': 'tide', 'aria-label': 'Where most was lost' });
    this.start = button('Review the game', () => this.begin(), { 'data-test': 'review' });
    this.el = h(
      'section',
      { class: `review game-${game}`, 'data-test': 'plot', 'aria-label': 'Evaluation over the game' },
      this.plot.el,
      h('div', { class: 'row tight' }, this.start, this.progress, this.tide),
    );
    this.goTo = goTo;
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
    put(this.tide);
    try {
      for await (const entry of lines('/api/review', request, work.signal)) {
        this.entries[entry.ply] = entry;
        this.draw(request.moves.length);
        say(this.progress, `${entry.ply} of ${request.moves.length}`);
      }
    } catch (error) {
      complain(error);
    }
    this.work = null;
    say(this.start, 'Review again');
    say(this.progress, '');
    this.draw(request.moves.length);
    this.drawTide();
    document.body.dataset.reviewed = 'true';
  }

  /** The moves that cost their player most, by what the agent thought before and after. */
  drawTide() {
    const told = this.entries.filter((entry) => entry?.values);
    const lost = told.slice(0, -1).map((entry, index) => {
      const mover = entry.seat - 1;
      // A swap of sides costs nothing: the seats change places, and so do the numbers.
      const even = !entry.played || entry.played === entry.best || entry.played === 'swap';
      return { entry, loss: even ? 0 : entry.values[mover] - told[index + 1].values[mover] };
    });
    const worst = lost.filter(({ loss }) => loss >= LEAST).sort((a, b) => b.loss - a.loss);
    put(
      this.tide,
      worst.slice(0, MOST).map(({ entry, loss }) =>
        h(
          'li',
          null,
          button(
            [
              badge(this.game, entry.seat),
              h('span', { class: 'mono' }, moveWords(entry.played)),
              h('span', { class: 'loss-of' }, `−${Math.round(loss * 50)} %`),
            ],
            () => this.goTo(entry.ply),
            { title: `${entry.best} was better: look at the position before`, 'data-tide': entry.ply },
          ),
        ),
      ),
    );
  }

  stop() {
    this.work?.abort();
  }
}
