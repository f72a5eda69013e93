// The story of the opponents' turns since the last turn of a person: one line of text and one trail on the board for each.

import { badge } from '../board/glyphs.js';
import { trails } from '../board/preview.js';
import { h, put } from '../dom.js';
import { colour } from '../words.js';

/** The kind of move that claims a region. */
const CLAIM = 'choose_territory_option';

/** @typedef {{ words: string, claims: boolean }} Told a move, and whether it claims a region */

export class Story {
  /** @param {() => void} skip shows the latest position at once */
  constructor(skip) {
    /** @type {{ turn: number, seat: number, moves: Told[], ways: [string, string][] }[]} */
    this.turns = [];
    this.list = h('ol', { class: 'story-lines' });
    this.claim = h(
      'p',
      { class: 'small soft', 'data-test': 'claim', hidden: true },
      'A region can be claimed once markers of one colour, territory and the edge enclose it and some player has no stack inside. ',
      h('a', { href: '/learn/territory' }, 'Lesson on territory'),
    );
    this.skip = h(
      'button',
      { type: 'button', class: 'plain', 'data-test': 'skip', title: 'Show the latest position (Space)', hidden: true, on: { click: skip } },
      'Skip',
    );
    this.el = h('div', { class: 'story', 'data-test': 'story', hidden: true }, this.list, this.claim, this.skip);
  }

  /** Adds what has changed. @param {any} before the previous state, if any @param {any} game */
  add(before, game) {
    if (!before || game.ply < before.ply || before.id !== game.id) this.turns = [];
    const isHuman = (/** @type {number} */ seat) =>
      game.seats.some((/** @type {any} */ one) => one.seat === seat && one.who === 'human');
    const fresh = before ? game.moves.slice(before.ply) : [];
    for (const move of fresh) {
      if (move.auto) continue;
      if (isHuman(move.seat)) {
        this.turns = [];
        continue;
      }
      let turn = this.turns.at(-1);
      if (!turn || turn.turn !== move.turn) {
        turn = { turn: move.turn, seat: move.seat, moves: [], ways: [] };
        this.turns.push(turn);
      }
      const played = game.played?.text === move.text ? game.played : null;
      turn.moves.push({ words: move.words, claims: played?.kind === CLAIM });
      const steps = played?.steps ?? [];
      if (steps.length > 1 && steps[0].length === 1 && steps[1].length === 1) turn.ways.push([steps[0][0], steps[1][0]]);
    }
    // After the first round of agents alone, only the latest turns matter.
    this.turns = this.turns.slice(-3);
  }

  /** Offers to skip the turns that follow, if there are any. @param {boolean} pending */
  waits(pending) {
    this.skip.hidden = !pending;
    if (pending) this.el.hidden = false;
  }

  /** @param {any} game @param {boolean} pending whether more turns follow @param {import('../board/draw.js').Board} board */
  show(game, pending, board) {
    const kind = game.setup.game;
    put(
      this.list,
      this.turns.map((turn) =>
        h('li', { 'data-turn': turn.turn }, badge(kind, turn.seat), h('span', null, sentence(colour(kind, turn.seat), turn.moves))),
      ),
    );
    this.waits(pending);
    this.claim.hidden = !this.turns.some((turn) => turn.moves.some((move) => move.claims));
    const people = game.seats.some((/** @type {any} */ seat) => seat.who === 'human');
    this.el.hidden = (this.turns.length === 0 && !pending) || !people;
    const drawn = this.el.hidden || kind === 'go' ? [] : this.turns;
    board.overlay('story', drawn.flatMap((turn) => trails(board, turn.ways, turn.seat)));
  }
}

/** The maximum number of moves of a turn that are told in full. */
const MAX_TOLD = 4;

/** A turn as a sentence. Of a long turn, the beginning and the claims are told. @param {string} name @param {Told[]} moves */
function sentence(name, moves) {
  const words = moves.map((move) => move.words);
  if (words.length > MAX_TOLD) {
    const claims = moves.slice(2).filter((move) => move.claims).map((move) => move.words);
    words.splice(2, words.length - 2, `makes ${words.length - 2 - claims.length} more moves`, ...claims);
  }
  const last = words.at(-1);
  return words.length < 2 ? `${name} ${last}.` : `${name} ${words.slice(0, -1).join(', ')} and ${last}.`;
}
