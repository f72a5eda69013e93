// Warnings: what the opponents can do in their next turns, and which moves allow it. The server searches for both.

import { post } from '../api.js';
import { lights, point } from '../board/preview.js';
import { badge } from '../board/glyphs.js';
import { button, h, put } from '../dom.js';
import { change, settings } from '../settings.js';
import { coloured } from '../words.js';

export class Danger {
  constructor() {
    /** @type {AbortController | null} */
    this.work = null;
    this.el = h('div', { class: 'warning', role: 'status', 'data-test': 'threats', hidden: true });
  }

  /**
   * Asks for the warnings about a position and shows them.
   * @param {any} view @param {import('../board/draw.js').Board} board @param {import('../board/input.js').BoardInput} input
   */
  async ask(view, board, input) {
    this.clear(board, input);
    if (view.setup.game === 'go' || !settings.warnings) return;
    const work = new AbortController();
    this.work = work;
    try {
      const found = await post('/api/threats', { setup: view.setup, start: view.text, moves: [] }, work.signal);
      if (work.signal.aborted) return;
      this.show(view.setup.game, found, board, input);
      document.body.dataset.warned = String(view.ply);
    } catch {
      // A game without warnings is better than one that is interrupted by their absence.
    }
  }

  /**
   * @param {string} game @param {any} found
   * @param {import('../board/draw.js').Board} board @param {import('../board/input.js').BoardInput} input
   */
  show(game, { threats, risks }, board, input) {
    input.warn(new Map(risks.map((/** @type {any} */ risk) => [risk.move, coloured(game, risk.words)])));
    put(
      this.el,
      threats.map((/** @type {any} */ threat) =>
        h('p', { 'data-threat': threat.seat }, badge(game, threat.seat), h('span', null, coloured(game, threat.words))),
      ),
      button('Turn warnings off', () => this.turnOff(board, input), { class: 'plain small', 'data-test': 'warnings-off' }),
    );
    this.el.hidden = threats.length === 0;
    board.overlay(
      'threat',
      threats.flatMap((/** @type {any} */ threat) => lights(board, threat.cells, `threat s${threat.seat}`)),
    );
    board.overlay(
      'danger',
      threats.flatMap((/** @type {any} */ threat) => (threat.by ? point(board, threat.by, [], 'danger') : [])),
    );
  }

  /** @param {import('../board/draw.js').Board} board @param {import('../board/input.js').BoardInput} input */
  turnOff(board, input) {
    change({ warnings: false });
    this.clear(board, input);
  }

  /** @param {import('../board/draw.js').Board | undefined} board @param {import('../board/input.js').BoardInput | undefined} input */
  clear(board, input) {
    this.work?.abort();
    this.work = null;
    this.el.hidden = true;
    input?.warn(new Map());
    board?.overlay('threat', []);
    board?.overlay('danger', []);
    delete document.body.dataset.warned;
  }
}
