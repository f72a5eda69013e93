// The view that lessons and puzzles share: a board on which moves can be tried, with a text beside it.

import { Board } from '../board/draw.js';
import { BoardInput } from '../board/input.js';
import { lights } from '../board/preview.js';
import { loadShape } from '../board/shape.js';
import { h, put, setText } from '../dom.js';
import { drawSeats } from '../play/seats.js';
import { onChange } from '../settings.js';
import { coloured } from '../words.js';

export class Exercise {
  /** @param {HTMLElement} root @param {{ play: (move: any) => void }} callbacks */
  constructor(root, callbacks) {
    this.callbacks = callbacks;
    this.title = h('h1');
    this.crumb = h('a', { href: '/learn' }, 'All lessons');
    this.count = h('span', { class: 'soft', 'data-test': 'lesson-count' });
    this.dots = h('div', { class: 'dots', 'aria-hidden': 'true' });
    this.text = h('div', { class: 'lesson-text', 'data-test': 'lesson-text' });
    this.goal = h('p', { class: 'prompt', 'data-test': 'lesson-goal' });
    this.words = h('p', { class: 'verdict', role: 'status', 'data-test': 'lesson-words' });
    this.aside = h('p', { class: 'aside soft small' });
    this.moveButtons = h('div', { class: 'row', 'data-test': 'move-buttons' });
    this.foot = h('div', { class: 'row' });
    this.seats = h('div', { class: 'seats' });
    this.stage = h('div', { class: 'stage' });
    root.append(
      h(
        'div',
        { class: 'table' },
        this.stage,
        h(
          'aside',
          { class: 'panel' },
          h('p', { class: 'small' }, this.crumb, ' ', this.count),
          this.dots,
          this.title,
          this.text,
          h(
            'section',
            { class: 'task', 'aria-label': 'What to do' },
            this.goal,
            this.moveButtons,
            this.words,
            this.aside,
          ),
          this.foot,
          this.seats,
        ),
      ),
    );
    this.end = onChange(() => this.board?.fit());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.saying = undefined;
    /** @type {Board | null} */
    this.board = null;
    /** @type {BoardInput | null} */
    this.input = null;
    /** @type {any} */
    this.view = null;
  }

  leave() {
    clearTimeout(this.saying);
    this.end();
  }

  /** Shows a position; with `open`, moves can be tried. @param {any} view @param {{ open: boolean, animate?: boolean, marks?: string[] }} options */
  async show(view, { open, animate = false, marks = [] }) {
    const shape = await loadShape(view.setup);
    if (!this.board || this.board.shape !== shape) {
      this.board = new Board(shape, view.setup.game);
      this.input = new BoardInput(this.board, {
        play: (move) => this.callbacks.play(move),
        hover: (words) => setText(this.aside, words),
      });
      put(this.stage, this.board.el);
    }
    this.view = view;
    this.board.show(view, { animate });
    drawSeats(this.seats, view, [], null);
    this.board.overlay('marks', lights(this.board, marks));
    this.input?.offer(open ? view.moves : [], view.to_move ?? 1);
    put(
      this.moveButtons,
      open
        ? view.moves
            .filter((/** @type {any} */ move) => move.steps.length === 0)
            .map((/** @type {any} */ move) =>
              h(
                'button',
                { type: 'button', 'data-move': move.text, on: { click: () => this.callbacks.play(move) } },
                move.words,
              ),
            )
        : [],
    );
    Object.assign(document.body.dataset, {
      ply: view.ply ?? 0,
      toMove: view.to_move ?? '',
      status: view.result ? 'over' : 'playing',
    });
  }

  /** @param {string} words @param {'right' | 'wrong' | ''} kind */
  judge(words, kind) {
    clearTimeout(this.saying);
    this.words.className = 'verdict';
    setText(this.words, '');
    if (!words) return;
    // Clear the text first, so that a repeated verdict is noticed and announced.
    this.saying = setTimeout(() => {
      setText(this.words, coloured(this.view?.setup.game ?? 'ringrift', words));
      this.words.className = `verdict ${kind}`;
    }, 30);
  }

  /** Shows a text whose paragraphs are separated by blank lines. @param {string} text */
  tell(text) {
    put(
      this.text,
      (text ?? '').split(/\n\s*\n/).map((part) => h('p', null, part.trim())),
    );
  }

  /** @param {string} key */
  key(key) {
    if (key === 'Escape') this.input?.cancel();
    else if (key === 'b') this.board?.el.focus();
    else if (/^[1-9]$/.test(key)) return this.input?.chooser.chooseNumber(Number(key)) ?? false;
    else return false;
    return true;
  }
}
