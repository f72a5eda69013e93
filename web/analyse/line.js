// A line of play: its start, its moves, the current ply and the main line that a variation left.

import { post } from '../api.js';

/** Whether a move is bookkeeping, which navigation skips. @param {string | undefined} text */
export function isBookkeeping(text) {
  return text !== undefined && text.startsWith('no-');
}

export class Line {
  /** @param {{ setup: any, start: string | null, moves: string[], ply?: number }} from */
  constructor({ setup, start, moves, ply }) {
    this.setup = setup;
    this.start = start;
    this.moves = moves;
    this.ply = 0;
    this.goTo(ply ?? moves.length);
    /** @type {{ moves: string[], from: number } | null} the main line and the ply where the variation left it */
    this.main = null;
    /** @type {Map<string, Promise<any>>} */
    this.views = new Map();
  }

  /** The view after some moves. @param {string[]} moves @returns {Promise<any>} */
  viewAfter(moves) {
    const key = moves.join(' ');
    let view = this.views.get(key);
    if (!view) {
      view = post('/api/view', { setup: this.setup, start: this.start, moves });
      view.catch(() => this.views.delete(key));
      this.views.set(key, view);
      if (this.views.size > 400) this.views.delete(/** @type {string} */ (this.views.keys().next().value));
    }
    return view;
  }

  /** The view at the current ply. */
  view() {
    return this.viewAfter(this.played());
  }

  /** The moves up to the current ply. */
  played() {
    return this.moves.slice(0, this.ply);
  }

  /** Goes to a ply, skipping bookkeeping moves. @param {number} ply */
  goTo(ply) {
    this.ply = Math.max(0, Math.min(ply, this.moves.length));
    while (isBookkeeping(this.moves[this.ply])) this.ply += 1;
  }

  forward() {
    this.goTo(this.ply + 1);
  }

  back() {
    let ply = this.ply - 1;
    while (ply > 0 && isBookkeeping(this.moves[ply])) ply -= 1;
    this.goTo(ply);
  }

  /** Plays a move at the current ply: along the line if it is its next move, otherwise as a variation. @param {string} text */
  async play(text) {
    if (this.moves[this.ply] === text) {
      this.forward();
      return;
    }
    if (!this.main && this.ply < this.moves.length) this.main = { moves: this.moves, from: this.ply };
    this.moves = [...this.played(), text];
    this.ply = this.moves.length;
    for (;;) {
      const { moves } = await this.view();
      if (moves.length !== 1 || !isBookkeeping(moves[0].text)) return;
      this.moves = [...this.moves, moves[0].text];
      this.ply = this.moves.length;
    }
  }

  /** Drops the variation. */
  backToMain() {
    if (!this.main) return;
    this.moves = this.main.moves;
    this.ply = this.main.from;
    this.main = null;
  }

  /** The address of this position. @param {any} view of the current position */
  address(view) {
    const query = new URLSearchParams({ setup: JSON.stringify(this.setup) });
    if (this.start) query.set('start', this.start);
    if (this.moves.length > 0) query.set('moves', this.moves.join(','));
    query.set('ply', String(this.ply));
    const address = `/analyse?${query}`;
    // A long game may exceed the length of an address; its current position never does.
    return address.length < 6000
      ? address
      : `/analyse?${new URLSearchParams({ setup: JSON.stringify(this.setup), start: view.text })}`;
  }
}
