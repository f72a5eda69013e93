// The logic that turns clicks into a move: which legal moves match the cells chosen so far.

/**
 * @typedef {Object} Move
 * @property {string} text
 * @property {string} words
 * @property {string} kind
 * @property {string[][]} steps the cells that each click may choose
 * @property {string[]} marks
 * @property {string[]} [trail] cells crossed
 * @property {string} [captures]
 */

export class Choice {
  /** @param {Move[]} moves all legal ones */
  constructor(moves) {
    this.buttons = moves.filter((move) => move.steps.length === 0);
    this.all = moves.filter((move) => move.steps.length > 0);
    /** @type {string | null} the only possible first cell of a move with several clicks, which is chosen automatically */
    this.given = commonStart(this.all);
    /** @type {string[]} */
    this.picked = [];
    this.left = this.all;
    /** @type {Map<string, Move[]> | null} computed once per click, since every hover needs it */
    this.found = null;
    this.reset();
  }

  /** Cancels the clicks made so far. */
  reset() {
    this.picked = this.given === null ? [] : [this.given];
    this.left = this.all;
    this.found = null;
  }

  /** Whether there is a click to cancel. */
  get begun() {
    return this.picked.length > (this.given === null ? 0 : 1);
  }

  /** The moves each cell leads to at the next click. @returns {Map<string, Move[]>} */
  targets() {
    if (this.found) return this.found;
    const step = this.picked.length;
    /** @type {Map<string, Move[]>} */
    const found = new Map();
    for (const move of this.left) {
      for (const cell of move.steps[step] ?? []) {
        const moves = found.get(cell);
        if (moves) moves.push(move);
        else found.set(cell, [move]);
      }
    }
    this.found = found;
    return found;
  }

  /** The moves that need no further click. If there are several, the menu offers them. */
  finished() {
    return this.left.filter((move) => move.steps.length === this.picked.length);
  }

  /** The cells that a first click can choose. @returns {Set<string>} */
  starts() {
    return new Set(this.all.flatMap((move) => move.steps[0]));
  }

  /**
   * Handles a click. Returns the move if the click determines it, otherwise null; `targets` and `finished` then have changed.
   * A click outside the targets starts a new choice where one can start, and cancels otherwise.
   * @param {string} cell @returns {Move | null}
   */
  pick(cell) {
    const step = this.picked.length;
    const hit = this.left.filter((move) => move.steps[step]?.includes(cell));
    if (hit.length > 0) {
      this.left = hit;
      this.found = null;
      this.picked = [...this.picked, cell];
      return hit.length === 1 && hit[0].steps.length === this.picked.length ? hit[0] : null;
    }
    const again = this.picked[step - 1] === cell;
    this.reset();
    if (!again && this.given === null && step > 0 && this.starts().has(cell)) return this.pick(cell);
    return null;
  }
}

/** @param {Move[]} moves @returns {string | null} */
function commonStart(moves) {
  const [first] = moves;
  if (!first || first.steps.length < 2 || first.steps[0].length !== 1) return null;
  const [cell] = first.steps[0];
  return moves.every(
    (move) => move.steps.length > 1 && move.steps[0].length === 1 && move.steps[0][0] === cell,
  )
    ? cell
    : null;
}
