// A hint: an agent analyses the position, and its best move is drawn on the board.

import { get, lines } from '../api.js';
import { point } from '../board/preview.js';
import { announce } from '../messages.js';
import { colour } from '../words.js';

/** The agents available for a setup, and the one that gives hints. @param {any} setup */
export function agentsFor(setup) {
  const query =
    setup.game === 'go'
      ? `game=go&size=${setup.size}`
      : `game=ringrift&board=${setup.board}&players=${setup.players}`;
  return get(`/api/agents?${query}`);
}

export class Hint {
  /** @param {import('../board/draw.js').Board} board @param {(words: string) => void} tell */
  constructor(board, tell) {
    this.board = board;
    this.tell = tell;
    /** @type {AbortController | null} */
    this.work = null;
  }

  /** @param {any} view */
  async ask(view) {
    this.stop();
    const work = new AbortController();
    this.work = work;
    this.tell('Looking for a good move …');
    const { hint } = await agentsFor(view.setup);
    let words = '';
    for await (const report of lines(
      '/api/analyse',
      { setup: view.setup, start: view.text, moves: [], agent: hint, top: 1 },
      work.signal,
    )) {
      const [first] = report.candidates ?? [];
      const move = view.moves.find((/** @type {any} */ legal) => legal.text === report.best);
      this.board.overlay('arrows', point(this.board, move, first?.marks ?? [], 'hint'));
      words = first?.words
        ? `${colour(view.setup.game, view.to_move)} ${first.words}`
        : (move?.words ?? report.best);
      this.tell(`Hint: ${words}`);
    }
    announce(`Hint: ${words}`);
  }

  /** Stops the search and removes its arrow. */
  stop() {
    if (!this.work) return;
    this.work.abort();
    this.work = null;
    this.board.overlay('arrows', []);
    this.tell('');
  }
}
