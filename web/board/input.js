// Input on a board: turns pointer and keyboard events into moves, and previews what each step would do.

import { s } from '../dom.js';
import { announce } from '../messages.js';
import { Chooser } from './chooser.js';
import { Choice } from './clicks.js';
import { stone } from './pieces.js';
import { hideWay, lights, showTargets, showWay, way, wayWords } from './preview.js';
import { isArrow, middle, outline, towards } from './shape.js';

/** @typedef {import('./clicks.js').Move} Move */

/** Cells smaller than this many pixels are hard to hit with a finger. */
const SMALL_CELL = 32;

export class BoardInput {
  /**
   * @param {import('./draw.js').Board} board
   * @param {{ play: (move: Move) => void, hover?: (words: string) => void, cell?: (at: string) => boolean }} callbacks
   *   `cell` may handle a click before it becomes part of a move
   */
  constructor(board, callbacks) {
    this.board = board;
    this.callbacks = callbacks;
    this.choice = new Choice([]);
    this.seat = 1;
    /** @type {string | null} */
    this.hovered = null;
    /** @type {string | null} the cell of the keyboard cursor */
    this.cursor = null;
    this.column = 0;
    this.keyed = false;
    /** Whether the board has the focus because it was clicked; ← and → then step through the game. */
    this.clicked = false;
    /** @type {Map<string, string>} the dangers of moves, by their texts */
    this.risks = new Map();
    this.chooser = new Chooser(board, {
      choose: (move) => this.settle(move),
      light: (move) => this.light(move),
      close: () => this.cancel(),
    });
    const { el } = board;
    el.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      this.keyed = false;
      const at = board.cellOf(event);
      const fat = /** @type {PointerEvent} */ (event).pointerType === 'touch' && board.cellSize() < SMALL_CELL;
      if (at) this.pick(fat ? this.near(event, at) : at, fat);
      else if (!this.chooser.el.contains(/** @type {Node} */ (event.target))) this.cancel();
    });
    el.addEventListener('pointerover', (/** @type {PointerEvent} */ event) => {
      if (event.pointerType !== 'touch') this.hover(board.cellOf(event));
    });
    el.addEventListener('pointerleave', () => this.hover(null));
    el.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.key(event));
    el.addEventListener('pointerdown', () => {
      this.clicked = true;
    });
    el.addEventListener('blur', () => {
      this.clicked = false;
      this.showCursor();
    });
    el.addEventListener('focus', () => this.showCursor());
  }

  /** Sets the moves to choose from; none if no person is to move. @param {Move[]} moves @param {number} seat to move */
  offer(moves, seat) {
    this.choice = new Choice(moves);
    this.seat = seat;
    this.draw();
  }

  /** Sets the dangers of the moves to choose from. @param {Map<string, string>} risks by the texts of the moves */
  warn(risks) {
    if (risks.size === 0 && this.risks.size === 0) return;
    this.risks = risks;
    showTargets(this.board, this.choice.targets(), this.choice.picked, this.risks);
    if (!this.chooser.isOpen) this.preview();
  }

  /** Draws the targets of the next click. */
  draw() {
    const targets = this.choice.targets();
    const can = new Set(targets.keys());
    if (this.choice.picked.length > 0) {
      if (this.choice.given === null) for (const at of this.choice.starts()) can.add(at);
      can.add(this.choice.picked[this.choice.picked.length - 1]);
    }
    if (this.cursor !== null) this.board.name(this.cursor, this.purpose(this.cursor));
    this.board.clickable(can);
    showTargets(this.board, targets, this.choice.picked, this.risks);
    this.chooser.close();
    this.preview();
  }

  /**
   * The cell that a tap on a board with small cells means: the nearest one that can be chosen.
   * @param {MouseEvent} event @param {string} at the cell it hit
   */
  near(event, at) {
    const can = this.choice.targets();
    if (can.has(at)) return at;
    let best = at;
    let least = 24;
    for (const other of can.keys()) {
      const box = this.board.hits.get(other).getBoundingClientRect();
      const away = Math.hypot(
        box.left + box.width / 2 - event.clientX,
        box.top + box.height / 2 - event.clientY,
      );
      if (away < least) [best, least] = [other, away];
    }
    return best;
  }

  /** @param {string} at @param {boolean} [careful] whether to ask for confirmation before a move is played */
  pick(at, careful = false) {
    if (this.callbacks.cell?.(at)) return;
    const move = this.choice.pick(at);
    if (move && !careful) {
      this.settle(move);
      return;
    }
    this.draw();
    const finished = this.choice.finished();
    if (this.choice.picked.length > 0 && finished.length > 0) this.chooser.open(finished, at, this.keyed);
    if (move) this.light(move);
    if (this.keyed && finished.length === 0 && this.choice.picked.length > 0) {
      announce(`${at} chosen. ${this.choice.targets().size} cells can be chosen next.`);
    }
  }

  /** @param {Move} move */
  settle(move) {
    this.choice = new Choice([]);
    this.draw();
    if (this.keyed) this.board.el.focus({ preventScroll: true });
    this.callbacks.play(move);
  }

  /** Cancels the clicks made so far. */
  cancel() {
    const focus = this.chooser.isOpen && this.keyed;
    this.choice.reset();
    this.draw();
    if (focus) this.board.el.focus({ preventScroll: true });
  }

  /** @param {string | null} at */
  hover(at) {
    if (this.hovered === at) return;
    this.hovered = at;
    if (!this.chooser.isOpen) this.preview();
  }

  /** Previews a click on the hovered cell. */
  preview() {
    const at = this.hovered;
    const moves = at === null ? [] : (this.choice.targets().get(at) ?? []);
    const [move] = moves;
    const settled = moves.length === 1 && move.steps.length === this.choice.picked.length + 1;
    if (settled && way(move) && this.board.contents.get(move.steps[0][0])?.stack)
      showWay(this.board, move, this.seat);
    else hideWay(this.board);
    if (at !== null && moves.length > 0 && this.board.shape.kind === 'go') {
      this.board.overlay('ghost', [
        s('g', { class: 'ghost', transform: this.board.place(at) }, stone(this.board.prefix, this.seat)),
      ]);
    }
    const wide = moves.filter((other) => other.steps[this.choice.picked.length].length > 1);
    if (wide.length > 0)
      this.board.overlay('ghost', lights(this.board, [...new Set(wide.flatMap((other) => other.marks))]));
    this.callbacks.hover?.(settled ? this.words(move) : '');
  }

  /** The description of a move with its effects. @param {Move} move */
  words(move) {
    const moved = way(move) && this.board.contents.get(move.steps[0][0])?.stack;
    const words = moved ? wayWords(this.board, move, this.seat) : move.words;
    const risk = this.risks.get(move.text);
    return risk ? `${words}. Careful: ${risk}.` : words;
  }

  /** @param {Move | null} move */
  light(move) {
    this.board.overlay('ghost', move ? lights(this.board, move.marks) : []);
    this.callbacks.hover?.(move ? move.words : '');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.clicked && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) return;
    this.clicked = false;
    if (isArrow(event.key)) {
      this.walk(event.key);
    } else if (event.key === 'PageDown' || event.key === 'PageUp') {
      this.leap(event.key === 'PageDown' ? 1 : -1);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor && !this.chooser.isOpen) {
      this.keyed = true;
      this.pick(this.cursor);
    } else if (event.key === 'Escape' && (this.choice.begun || this.chooser.isOpen)) {
      this.cancel();
    } else if (!(/^[1-9]$/.test(event.key) && this.chooser.chooseNumber(Number(event.key)))) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key */
  walk(key) {
    const { shape } = this.board;
    if (this.cursor === null) {
      this.cursor = this.choice.given ?? middle(shape);
      this.column = /** @type {any} */ (shape.cells.get(this.cursor)).x;
    } else {
      this.cursor = towards(shape, this.cursor, key, this.column);
      const { x } = /** @type {any} */ (shape.cells.get(this.cursor));
      if (key === 'ArrowLeft' || key === 'ArrowRight') this.column = x;
    }
    this.arrived();
  }

  /** Moves the cursor to the next or previous cell that can be chosen. @param {number} way */
  leap(way) {
    const can = [...this.board.shape.cells.keys()].filter((at) => this.choice.targets().has(at));
    if (can.length === 0) return;
    const order = [...this.board.shape.cells.keys()];
    const here = this.cursor === null ? -1 : order.indexOf(this.cursor);
    const ahead = can.filter((at) => (order.indexOf(at) - here) * way > 0);
    this.cursor = (way > 0 ? ahead[0] : ahead[ahead.length - 1]) ?? (way > 0 ? can[0] : can[can.length - 1]);
    this.column = /** @type {any} */ (this.board.shape.cells.get(this.cursor)).x;
    this.arrived();
  }

  /** Updates the label of the cursor's cell, which screen readers read, with what can be done there. */
  arrived() {
    const at = /** @type {string} */ (this.cursor);
    this.board.name(at, this.purpose(at));
    this.showCursor();
    this.hover(at);
  }

  /** The text for what choosing a cell would do. @param {string} at */
  purpose(at) {
    const step = this.choice.picked.length;
    if (this.choice.picked.includes(at)) return ', chosen';
    const moves = this.choice.targets().get(at) ?? [];
    if (moves.length === 0) return '';
    const last = moves.every((move) => move.steps.length === step + 1);
    if (!last) return ', can be chosen';
    return `: ${moves.map((move) => this.words(move)).join(', or ')}`;
  }

  showCursor() {
    const seen = this.cursor !== null && document.activeElement === this.board.el;
    if (this.cursor !== null)
      this.board.el.setAttribute('aria-activedescendant', this.board.hits.get(this.cursor).id);
    const cell = seen ? this.board.shape.cells.get(/** @type {string} */ (this.cursor)) : null;
    this.board.overlay(
      'cursor',
      cell ? [s('path', { class: 'cursor', d: outline(this.board.shape, cell, 3) })] : [],
    );
  }
}
