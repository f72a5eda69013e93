// The list of moves so far, one entry a turn. Grows at its end; bookkeeping is not shown.

import { h, put } from '../dom.js';
import { badge } from '../board/glyphs.js';
import { colour } from '../words.js';

export class MoveList {
  /** @param {(ply: number) => string} link the address of a position */
  constructor(link) {
    this.link = link;
    this.el = h('ol', { class: 'moves', 'data-test': 'moves', 'aria-label': 'Moves', tabindex: '0' });
    /** @type {string[]} */
    this.shown = [];
    this.seat = 0;
    this.turn = 0;
  }

  /** @param {string} game @param {{ seat: number, text: string, words?: string, auto?: boolean }[]} moves */
  show(game, moves) {
    const same =
      this.shown.length <= moves.length && this.shown.every((text, index) => moves[index].text === text);
    if (!same) {
      put(this.el);
      this.shown = [];
      this.seat = 0;
      this.turn = 0;
    }
    const added = moves.length > this.shown.length;
    for (let ply = this.shown.length; ply < moves.length; ply += 1) this.add(game, moves[ply], ply + 1);
    if (added) this.el.scrollTop = this.el.scrollHeight;
  }

  /** @param {string} game @param {{ seat: number, text: string, words?: string, auto?: boolean }} move @param {number} ply */
  add(game, move, ply) {
    this.shown.push(move.text);
    if (move.auto) return;
    if (move.seat !== this.seat || !this.el.lastElementChild) {
      this.seat = move.seat;
      this.turn += 1;
      this.el.append(
        h(
          'li',
          null,
          h('span', { class: 'soft num' }, String(this.turn)),
          badge(game, move.seat),
          h('span', { class: 'turn' }),
        ),
      );
    }
    this.el.lastElementChild.lastElementChild.append(
      h(
        'a',
        {
          href: this.link(ply),
          title: move.words ? `${colour(game, move.seat)} ${move.words}` : '',
          'data-ply': ply,
        },
        move.text,
      ),
      ' ',
    );
  }
}
