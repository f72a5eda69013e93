// The review of a whole game: a plot of the expected scores, and the costliest mistakes.

import { lines } from '../api.js';
import { button, h, put, setText } from '../dom.js';
import { Plot } from '../plot.js';
import { showError } from '../messages.js';
import { badge } from '../board/glyphs.js';
import { moveWords, percent } from '../words.js';

/** The maximum number of mistakes listed, and the minimum loss of value of a mistake. */
const MAX_MISTAKES = 5;
const MIN_LOSS = 0.1;

export class Review {
  /** @param {string} game @param {(ply: number) => void} goTo @param {(ply: number) => number} turnAt the turn of the last move before a ply */
  constructor(game, goTo, turnAt) {
    this.game = game;
    this.turnAt = turnAt;
    /** @type {any[]} by ply */
    this.entries = [];
    /** @type {AbortController | null} */
    this.work = null;
    this.plot = new Plot({
      x: [0, 1],
      y: [-1, 1],
      label: 'Expected scores over the game, in percent',
      ticks: [
        { at: 1, text: '100' },
        { at: 0, text: '50' },
        { at: -1, text: '0' },
      ],
      pick: goTo,
      name: (ply) => `turn ${turnAt(ply)}`,
      tell: (ply) => this.tell(ply),
    });
    this.progress = h('span', { class: 'soft small num' });
    this.mistakes = h('ul', { class: 'tide small', 'data-test': 'tide', 'aria-label': 'Costliest mistakes' });
    this.start = button('Review game', () => this.begin(), { 'data-test': 'review' });
    this.el = h(
      'section',
      { class: `review game-${game}`, 'data-test': 'plot', 'aria-label': 'Evaluation over the game' },
      this.plot.el,
      h('div', { class: 'row tight' }, this.start, this.progress, this.mistakes),
    );
    this.goTo = goTo;
    /** @type {() => ({ setup: any, start: string | null, moves: string[], agent: string, nodes?: number }) | null} */
    this.ask = () => null;
  }

  /** @param {number} ply */
  tell(ply) {
    const entry = this.entries[ply];
    const turn = `turn ${this.turnAt(ply)}`;
    if (!entry) return turn;
    const values = entry.values ? entry.values.map(percent).join(' : ') : '';
    const better =
      entry.played && entry.best && entry.played !== entry.best
        ? `, played ${entry.played}, better was ${entry.best}`
        : '';
    return `${turn}: ${values}${better}`;
  }

  /** Shows the values recorded with the game, before any review. @param {{ values?: number[] }[]} moves @param {number} length */
  known(moves, length) {
    this.entries = [];
    moves.forEach((move, ply) => {
      if (move.values) this.entries[ply] = { ply, values: move.values };
    });
    this.draw(length);
  }

  /** @param {number} length */
  draw(length) {
    const evaluated = this.entries.filter((entry) => entry?.values);
    const seats = evaluated[0]?.values.length ?? 0;
    this.plot.show(
      Array.from({ length: seats }, (_, seat) => ({
        kind: `s${seat + 1}`,
        points: evaluated.map((entry) => /** @type {[number, number]} */ ([entry.ply, entry.values[seat]])),
      })),
      [0, Math.max(1, length)],
    );
    this.plot.el.hidden = evaluated.length === 0 && !this.work;
  }

  /** Starts a review by the agent, or stops it if it is running. */
  async begin() {
    if (this.work) {
      this.work.abort();
      return;
    }
    const request = this.ask();
    if (!request) return;
    const work = new AbortController();
    this.work = work;
    setText(this.start, 'Stop review');
    this.entries = [];
    put(this.mistakes);
    try {
      for await (const entry of lines('/api/review', request, work.signal)) {
        this.entries[entry.ply] = entry;
        this.draw(request.moves.length);
        setText(this.progress, `turn ${this.turnAt(entry.ply)} of ${this.turnAt(request.moves.length)}`);
      }
    } catch (error) {
      showError(error);
    }
    this.work = null;
    setText(this.start, 'Review again');
    setText(this.progress, '');
    this.draw(request.moves.length);
    this.drawMistakes();
    document.body.dataset.reviewed = 'true';
  }

  /** Lists the moves with the largest loss of expected score. */
  drawMistakes() {
    const evaluated = this.entries.filter((entry) => entry?.values);
    const lost = evaluated.slice(0, -1).map((entry, index) => {
      const mover = entry.seat - 1;
      // A swap of sides is no loss: the values change sides, too.
      const even = !entry.played || entry.played === entry.best || entry.played === 'swap';
      return { entry, loss: even ? 0 : entry.values[mover] - evaluated[index + 1].values[mover] };
    });
    const worst = lost.filter(({ loss }) => loss >= MIN_LOSS).sort((a, b) => b.loss - a.loss);
    put(
      this.mistakes,
      worst.slice(0, MAX_MISTAKES).map(({ entry, loss }) =>
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
            { title: `${entry.best} was better. Click to see the position before this move.`, 'data-tide': entry.ply },
          ),
        ),
      ),
    );
  }

  stop() {
    this.work?.abort();
  }
}
