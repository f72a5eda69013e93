// A lesson, step by step: a text, a position, perhaps a goal. The server judges the moves.

import { get, post } from '../api.js';
import { button, h, put, say } from '../dom.js';
import { keep, kept } from '../settings.js';
import { complain } from '../speak.js';
import { go } from '../main.js';
import { TryDesk } from './desk.js';

const PROGRESS = 'riftlab-lessons';

export class LessonPlayer {
  /** @param {HTMLElement} root @param {string} name */
  constructor(root, name) {
    this.name = name;
    this.desk = new TryDesk(root, { play: (move) => this.play(move).catch(complain) });
    this.step = 0;
    /** @type {string[]} moves of this step that were right */
    this.tried = [];
    this.next = button('Next', () => this.go(this.step + 1), { class: 'main', 'data-test': 'lesson-next' });
    this.back = button('Back', () => this.go(this.step - 1), { 'data-test': 'lesson-back' });
    this.again = button('Try again', () => this.go(this.step), { 'data-test': 'lesson-again' });
    this.onward = h('a', { class: 'button main', 'data-test': 'next-lesson', hidden: true });
  }

  async start() {
    this.lesson = await get(`/api/lessons/${encodeURIComponent(this.name)}`);
    const reached = kept(PROGRESS, {})[this.name] ?? 0;
    put(this.desk.foot, this.back, this.again, this.next, this.onward);
    get('/api/lessons').then(
      (told) => this.leadOn(told.lessons),
      () => {},
    );
    await this.go(reached >= this.lesson.steps.length ? 0 : reached);
  }

  leave() {
    this.desk.leave();
  }

  /** Where to go after this lesson. @param {any[]} lessons */
  leadOn(lessons) {
    const following = lessons[lessons.findIndex((lesson) => lesson.name === this.name) + 1];
    if (!following) return;
    this.onward.href = `/learn/${encodeURIComponent(following.name)}`;
    say(this.onward, `Next: ${following.title}`);
    this.showOnward();
  }

  /** The way to the next lesson is offered once this one is done. */
  showOnward() {
    const last = this.step + 1 === this.lesson.steps.length;
    this.onward.hidden = !last || this.next.disabled || !this.onward.hasAttribute('href');
    this.next.classList.toggle('main', this.onward.hidden);
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
    const now = this.now();
    say(this.desk.title, this.lesson.title);
    say(this.desk.count, `· step ${this.step + 1} of ${this.lesson.steps.length}`);
    put(
      this.desk.dots,
      this.lesson.steps.map((/** @type {any} */ _, /** @type {number} */ index) =>
        h('span', { class: index < this.step ? 'past' : index === this.step ? 'here' : '' }),
      ),
    );
    this.desk.tell(now.text);
    say(this.desk.goal, now.goal?.words ?? '');
    this.desk.judge('', '');
    this.back.disabled = this.step === 0;
    say(this.next, this.step + 1 === this.lesson.steps.length ? 'Finish' : 'Next');
    this.done(!now.goal);
    document.body.dataset.step = String(this.step);
    await this.desk.show(now.view, { open: Boolean(now.goal), marks: now.marks });
  }

  now() {
    return this.lesson.steps[this.step];
  }

  /** @param {boolean} done */
  done(done) {
    this.next.disabled = !done;
    this.again.hidden = !this.now().goal;
    if (done) document.body.dataset.stepDone = 'true';
    else delete document.body.dataset.stepDone;
    if (done && (this.now().goal || this.step + 1 === this.lesson.steps.length)) this.passed();
    this.showOnward();
  }

  passed() {
    const progress = kept(PROGRESS, {});
    progress[this.name] = Math.max(progress[this.name] ?? 0, this.step + 1);
    keep(PROGRESS, progress);
  }

  /** @param {any} move */
  async play(move) {
    const verdict = await post(`/api/lessons/${encodeURIComponent(this.name)}/try`, {
      step: this.step,
      moves: [...this.tried, move.text],
    });
    if (verdict.right) this.tried.push(move.text);
    const marks = this.tried.length === 0 ? this.now().marks : [];
    await this.desk.show(verdict.view, { open: !verdict.done, animate: verdict.right, marks });
    this.desk.judge(verdict.words, verdict.right ? 'right' : 'wrong');
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
