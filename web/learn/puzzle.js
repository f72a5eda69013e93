// A puzzle: a position with a goal and exactly one solution. The server judges the moves.

import { get, post } from '../api.js';
import { button, h, put, setText } from '../dom.js';
import { store, stored } from '../settings.js';
import { showError } from '../messages.js';
import { go } from '../main.js';
import { colour, setupWords } from '../words.js';
import { Exercise } from './exercise.js';

const SOLVED = 'riftlab-puzzles';

export class PuzzlePlayer {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.id = id;
    /** @type {string[]} */
    this.tried = [];
    this.exercise = new Exercise(root, { play: (move) => this.play(move).catch(showError) });
    this.again = button('Start over', () => this.begin().catch(showError), { 'data-test': 'lesson-again' });
    this.next = button('Next puzzle', () => this.onward().catch(showError), { 'data-test': 'lesson-next' });
    this.look = h('a', { class: 'button', hidden: true }, 'Analyse');
    setText(this.exercise.crumb, 'All puzzles');
    this.exercise.crumb.href = '/learn#puzzles';
  }

  async start() {
    this.puzzle = await get(`/api/puzzles/${encodeURIComponent(this.id)}`);
    this.look.href = `/analyse?start=${encodeURIComponent(this.puzzle.start)}`;
    put(this.exercise.foot, this.again, this.look, this.next);
    await this.begin();
  }

  leave() {
    this.exercise.leave();
  }

  async begin() {
    this.tried = [];
    const { puzzle } = this;
    const { view } = puzzle;
    setText(this.exercise.title, puzzle.title);
    this.exercise.tell(`${setupWords(puzzle.setup)}.`);
    setText(this.exercise.goal, `${colour(view.setup.game, view.to_move)} to move. ${puzzle.goal.words}`);
    setText(this.exercise.count, `· difficulty ${puzzle.difficulty} of 5`);
    this.exercise.judge('', '');
    this.next.classList.remove('main');
    this.look.hidden = true;
    delete document.body.dataset.solved;
    await this.exercise.show(view, { open: true });
  }

  /** @param {any} move */
  async play(move) {
    const moves = [...this.tried, move.text];
    const verdict = await post(`/api/puzzles/${encodeURIComponent(this.id)}/try`, { moves });
    if (verdict.solved) {
      store(SOLVED, { ...stored(SOLVED, {}), [this.id]: true });
      document.body.dataset.solved = 'true';
      this.next.classList.add('main');
      this.look.hidden = false;
      await this.exercise.show(verdict.view, { open: false, animate: true });
      this.exercise.judge(verdict.words, 'right');
    } else if (verdict.right) {
      this.tried = moves;
      await this.exercise.show(verdict.view, { open: true, animate: true });
      this.exercise.judge(verdict.words, 'right');
    } else {
      this.exercise.judge(verdict.words, 'wrong');
      await this.exercise.show(this.exercise.view, { open: true });
    }
  }

  async onward() {
    const response = await get('/api/puzzles');
    const solved = stored(SOLVED, {});
    const here = response.puzzles.findIndex((/** @type {any} */ puzzle) => puzzle.id === this.id);
    const onward = [...response.puzzles.slice(here + 1), ...response.puzzles.slice(0, here)];
    const other = onward.find((/** @type {any} */ puzzle) => !solved[puzzle.id]);
    await go(other ? `/learn?puzzle=${encodeURIComponent(other.id)}` : '/learn#puzzles');
  }

  /** @param {string} key */
  key(key) {
    return this.exercise.key(key);
  }
}
