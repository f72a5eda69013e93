// Steps through the turns of a game in place, without leaving it.

import { get } from '../api.js';
import { button, h, s, setText } from '../dom.js';
import { colour } from '../words.js';

/** @param {string} path @param {string} words @param {string} test @param {() => void} click */
function arrow(path, words, test, click) {
  const icon = s('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: path }));
  return button(icon, click, { 'aria-label': words, title: words, 'data-test': test });
}

/** The plies at which turns end, from 0 to the end of the game. @param {any[]} moves */
export function turnEnds(moves) {
  const ends = moves.flatMap((move, index) => (move.turn === moves[index + 1]?.turn ? [] : [index + 1]));
  return [0, ...ends];
}

export class Replay {
  /** @param {string} id of the game @param {() => void} redraw */
  constructor(id, redraw) {
    this.id = id;
    this.redraw = redraw;
    /** @type {number | null} the ply that is shown; null for the present position */
    this.ply = null;
    /** @type {any} the view of that ply */
    this.view = null;
    /** @type {any} */
    this.game = null;
    /** Arrows that explain the position. @type {any[]} */
    this.arrows = [];
    this.words = h('span', { class: 'num small grow', 'data-test': 'turn' });
    this.buttons = {
      first: arrow('M3 3v10M13 3L6 8l7 5z', 'First turn (Home)', 'turn-first', () => this.goTo(0)),
      back: arrow('M11 3L4 8l7 5z', 'Previous turn (←)', 'turn-back', () => this.step(-1)),
      on: arrow('M5 3l7 5-7 5z', 'Next turn (→)', 'turn-on', () => this.step(1)),
      last: arrow('M13 3v10M3 3l7 5-7 5z', 'Back to the game (End)', 'turn-last', () => this.live()),
    };
    const { first, back, on, last } = this.buttons;
    this.el = h('div', { class: 'row nowrap replay', role: 'group', 'aria-label': 'Turns' }, this.words, first, back, on, last);
  }

  /** @param {any} game the present state */
  show(game) {
    // Moves that were taken back can no longer be looked at.
    if (this.game && game.ply < this.game.ply) [this.ply, this.view, this.arrows] = [null, null, []];
    this.game = game;
    this.draw();
  }

  draw() {
    const { moves, setup, status, view } = this.game;
    const here = this.ply ?? moves.length;
    const last = moves.at(-1)?.turn ?? 0;
    const turn = here === 0 ? 0 : moves[here - 1].turn;
    const winner = view.result?.winner;
    const result = winner ? `${colour(setup.game, winner)} won` : 'No winner';
    const over = status === 'over' ? `${result} · ` : '';
    const where = this.ply === null ? (status === 'over' ? `${last} turns` : `Turn ${last}`) : `Turn ${turn} of ${last}`;
    setText(this.words, here === 0 ? `${over}Start` : `${over}${where}`);
    this.buttons.first.disabled = here === 0;
    this.buttons.back.disabled = here === 0;
    this.buttons.on.disabled = this.ply === null;
    this.buttons.last.disabled = this.ply === null;
  }

  /** Goes to the end of the next or the previous turn. @param {number} way */
  step(way) {
    const ends = turnEnds(this.game.moves);
    const here = this.ply ?? this.game.moves.length;
    const next = way < 0 ? ends.findLast((end) => end < here) : ends.find((end) => end > here);
    if (next === undefined) return Promise.resolve();
    return next >= this.game.moves.length ? this.live() : this.goTo(next);
  }

  /** Shows an earlier position, with arrows that explain it. @param {number} ply @param {any[]} [arrows] */
  async goTo(ply, arrows = []) {
    // Bookkeeping belongs to the turn before it.
    let end = ply;
    while (end > 0 && this.game.moves[end]?.auto && this.game.moves[end].turn === this.game.moves[end - 1].turn) end += 1;
    if (end >= this.game.moves.length && arrows.length === 0) return this.live();
    this.ply = end;
    this.arrows = arrows;
    const view = await get(`/api/games/${this.id}/view?ply=${end}`);
    if (this.ply !== end) return;
    this.view = view;
    this.draw();
    this.redraw();
  }

  /** Returns to the present position. */
  async live() {
    this.ply = null;
    this.view = null;
    this.arrows = [];
    this.draw();
    this.redraw();
  }
}
