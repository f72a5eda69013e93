// A lesson, step by step: a text, a position, perhaps a goal. The server judges moves; steps may also name the moves they expect.

import { get, post } from '../api.js';
import { button, put, say } from '../dom.js';
import { keep, kept } from '../settings.js';
import { complain } from '../speak.js';
import { go } from '../main.js';
import { isBookkeeping } from '../analyse/line.js';
import { TryDesk } from './desk.js';

const PROGRESS = 'riftlab-lessons';

/** The moves a step accepts, one list a move; null if any legal move will do. @param {any} step @returns {string[][] | null} */
function expected(step) {
  const told = step.expect ?? step.moves_expected;
  if (!Array.isArray(told) || told.length === 0) return null;
  return Array.isArray(told[0]) ? told : [told];
}

export class LessonPlayer {
  /** @param {HTMLElement} root @param {string} name */
  constructor(root, name) {
    this.name = name;
    this.desk = new TryDesk(root, { play: (move) => this.play(move).catch(complain) });
    this.step = 0;
    /** @type {string[]} tried in this step */
    this.tried = [];
    /** how many of them a person chose */
    this.chosen = 0;
    this.next = button('Next', () => this.go(this.step + 1), { class: 'main', 'data-test': 'lesson-next' });
    this.back = button('Back', () => this.go(this.step - 1), { 'data-test': 'lesson-back' });
    this.again = button('Try again', () => this.go(this.step), { 'data-test': 'lesson-again' });
  }

  async start() {
    this.lesson = await get(`/api/lessons/${encodeURIComponent(this.name)}`);
    const reached = kept(PROGRESS, {})[this.name] ?? 0;
    put(this.desk.foot, this.back, this.again, this.next);
    await this.go(reached >= this.lesson.steps.length ? 0 : reached);
  }

  leave() {
    this.desk.leave();
  }

  /** @param {number} step */
  async go(step) {
    if (step >= this.lesson.steps.length) {
      this.passed();
      await go('/learn');
      return;
    }
    this.step = Math.max(0, step);
    this.tried = [];
    this.chosen = 0;
    const now = this.now();
    say(this.desk.title, this.lesson.title);
    this.desk.tell(now.text);
    say(this.desk.goal, now.goal?.words ?? '');
    this.desk.judge('', '');
    this.back.disabled = this.step === 0;
    say(this.next, this.step + 1 === this.lesson.steps.length ? 'Finish' : 'Next');
    this.done(!now.goal);
    document.body.dataset.step = String(this.step);
    if (now.setup || now.start)
      await this.desk.show(await this.viewNow(), { open: Boolean(now.goal), marks: now.marks ?? [] });
  }

  now() {
    return this.lesson.steps[this.step];
  }

  viewNow() {
    const { setup = null, start = null, moves = [] } = this.now();
    return post('/api/view', { setup, start, moves: [...moves, ...this.tried] });
  }

  /** @param {boolean} done */
  done(done) {
    this.next.disabled = !done;
    this.again.hidden = !this.now().goal;
    if (done) document.body.dataset.stepDone = 'true';
    else delete document.body.dataset.stepDone;
    if (done && this.now().goal) this.passed();
  }

  passed() {
    const progress = kept(PROGRESS, {});
    progress[this.name] = Math.max(progress[this.name] ?? 0, this.step + 1);
    keep(PROGRESS, progress);
  }

  /** @param {any} move */
  async play(move) {
    const now = this.now();
    if (now.judge) {
      await this.judged(move);
      return;
    }
    const expect = expected(now);
    if (expect && !expect[this.chosen]?.includes(move.text)) {
      await this.wrong(now.try_again);
      return;
    }
    this.tried.push(move.text);
    this.chosen += 1;
    let view = await this.viewNow();
    while (view.moves.length === 1 && isBookkeeping(view.moves[0].text)) {
      this.tried.push(view.moves[0].text);
      view = await this.viewNow();
    }
    const over = !expect || this.chosen >= expect.length;
    await this.desk.show(view, { open: !over, animate: true });
    this.desk.judge(over ? (now.reply ?? 'Right.') : 'Go on.', 'right');
    if (over) this.done(true);
  }

  /** @param {string | undefined} words */
  async wrong(words) {
    this.desk.judge(words ?? 'Not that one. Try again.', 'wrong');
    await this.desk.show(await this.viewNow(), { open: true });
  }

  /** @param {any} move */
  async judged(move) {
    const verdict = await post(`/api/lessons/${encodeURIComponent(this.name)}/try`, {
      step: this.step,
      moves: [...this.tried, move.text],
    });
    if (verdict.right === false) {
      await this.wrong(verdict.words);
      return;
    }
    this.tried.push(move.text);
    await this.desk.show(verdict.view ?? (await this.viewNow()), { open: !verdict.done, animate: true });
    this.desk.judge(verdict.words ?? 'Right.', 'right');
    if (verdict.done) this.done(true);
  }

  /** @param {string} key */
  key(key) {
    if (key === 'ArrowRight' && !this.next.disabled) this.next.click();
    else if (key === 'ArrowLeft' && !this.back.disabled) this.back.click();
    else return this.desk.key(key);
    return true;
  }
}
