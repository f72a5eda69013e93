// A puzzle: find the one move, or the few, that solve it. The server knows the solution and judges.

import { get, post } from '../api.js';
import { button, h, put, say } from '../dom.js';
import { keep, kept } from '../settings.js';
import { complain } from '../speak.js';
import { go } from '../main.js';
import { colour, setupWords } from '../words.js';
import { TryDesk } from './desk.js';

const SOLVED = 'riftlab-puzzles';

export class PuzzlePlayer {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.id = id;
    /** @type {string[]} */
    this.tried = [];
    this.desk = new TryDesk(root, { play: (move) => this.play(move).catch(complain) });
    this.again = button('Start over', () => this.begin().catch(complain), { 'data-test': 'lesson-again' });
    this.next = button('Next puzzle', () => this.onward().catch(complain), { 'data-test': 'lesson-next' });
    this.look = h('a', { class: 'button', hidden: true }, 'Analyse');
    say(this.desk.crumb, 'All puzzles');
    this.desk.crumb.href = '/learn#puzzles';
  }

  async start() {
    this.puzzle = await get(`/api/puzzles/${encodeURIComponent(this.id)}`);
    this.look.href = `/analyse?start=${encodeURIComponent(this.puzzle.start)}`;
    put(this.desk.foot, this.again, this.look, this.next);
    await this.begin();
  }

  leave() {
    this.desk.leave();
  }

  async begin() {
    this.tried = [];
    const { puzzle } = this;
    const { view } = puzzle;
    say(this.desk.title, puzzle.title);
    this.desk.tell(`${setupWords(puzzle.setup)}.`);
    say(this.desk.goal, `${colour(view.setup.game, view.to_move)} to move. ${puzzle.goal.words}`);
    say(this.desk.count, `· difficulty ${puzzle.difficulty} of 5`);
    this.desk.judge('', '');
    this.next.classList.remove('main');
    this.look.hidden = true;
    delete document.body.dataset.solved;
    await this.desk.show(view, { open: true });
  }

  /** @param {any} move */
  async play(move) {
    const moves = [...this.tried, move.text];
    const verdict = await post(`/api/puzzles/${encodeURIComponent(this.id)}/try`, { moves });
    if (verdict.solved) {
      keep(SOLVED, { ...kept(SOLVED, {}), [this.id]: true });
      document.body.dataset.solved = 'true';
      this.next.classList.add('main');
      this.look.hidden = false;
      await this.desk.show(verdict.view, { open: false, animate: true });
      this.desk.judge(verdict.words, 'right');
    } else if (verdict.right) {
      this.tried = moves;
      await this.desk.show(verdict.view, { open: true, animate: true });
      this.desk.judge(verdict.words, 'right');
    } else {
      this.desk.judge(verdict.words, 'wrong');
      await this.desk.show(this.desk.view, { open: true });
    }
  }

  async onward() {
    const told = await get('/api/puzzles');
    const solved = kept(SOLVED, {});
    const here = told.puzzles.findIndex((/** @type {any} */ puzzle) => puzzle.id === this.id);
    const onward = [...told.puzzles.slice(here + 1), ...told.puzzles.slice(0, here)];
    const other = onward.find((/** @type {any} */ puzzle) => !solved[puzzle.id]);
    await go(other ? `/learn?puzzle=${encodeURIComponent(other.id)}` : '/learn#puzzles');
  }

  /** @param {string} key */
  key(key) {
    return this.desk.key(key);
  }
}
