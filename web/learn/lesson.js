// A lesson: steps with a text, a position and optionally a goal. The server judges the moves.

import { get, post } from '../api.js';
import { button, h, put, setText } from '../dom.js';
import { store, stored } from '../settings.js';
import { showError } from '../messages.js';
import { go } from '../main.js';
import { Exercise } from './exercise.js';

const PROGRESS = 'riftlab-lessons';

export class LessonPlayer {
  /** @param {HTMLElement} root @param {string} name */
  constructor(root, name) {
    this.name = name;
    this.exercise = new Exercise(root, { play: (move) => this.play(move).catch(showError) });
    this.step = 0;
    /** @type {string[]} the correct moves of this step so far */
    this.tried = [];
    this.next = button('Next', () => this.go(this.step + 1), { class: 'main', 'data-test': 'lesson-next' });
    this.back = button('Back', () => this.go(this.step - 1), { 'data-test': 'lesson-back' });
    this.again = button('Try again', () => this.go(this.step), { 'data-test': 'lesson-again' });
    this.onward = h('a', { class: 'button main', 'data-test': 'next-lesson', hidden: true });
  }

  async start() {
    this.lesson = await get(`/api/lessons/${encodeURIComponent(this.name)}`);
    const reached = stored(PROGRESS, {})[this.name] ?? 0;
    put(this.exercise.foot, this.back, this.again, this.next, this.onward);
    get('/api/lessons').then(
      (response) => this.leadOn(response.lessons),
      () => {},
    );
    await this.go(reached >= this.lesson.steps.length ? 0 : reached);
  }

  leave() {
    this.exercise.leave();
  }

  /** Sets the link to the next lesson. @param {any[]} lessons */
  leadOn(lessons) {
    const following = lessons[lessons.findIndex((lesson) => lesson.name === this.name) + 1];
    if (!following) return;
    this.onward.href = `/learn/${encodeURIComponent(following.name)}`;
    setText(this.onward, `Next lesson: ${following.title}`);
    this.showOnward();
  }

  /** Shows the link to the next lesson once this one is done. */
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
    setText(this.exercise.title, this.lesson.title);
    setText(this.exercise.count, `· step ${this.step + 1} of ${this.lesson.steps.length}`);
    put(
      this.exercise.dots,
      this.lesson.steps.map((/** @type {any} */ _, /** @type {number} */ index) =>
        h('span', { class: index < this.step ? 'past' : index === this.step ? 'here' : '' }),
      ),
    );
    this.exercise.tell(now.text);
    setText(this.exercise.goal, now.goal?.words ?? '');
    this.exercise.judge('', '');
    this.back.disabled = this.step === 0;
    setText(this.next, this.step + 1 === this.lesson.steps.length ? 'Finish' : 'Next');
    this.done(!now.goal);
    document.body.dataset.step = String(this.step);
    await this.exercise.show(now.view, { open: Boolean(now.goal), marks: now.marks });
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
    const progress = stored(PROGRESS, {});
    progress[this.name] = Math.max(progress[this.name] ?? 0, this.step + 1);
    store(PROGRESS, progress);
  }

  /** @param {any} move */
  async play(move) {
    const verdict = await post(`/api/lessons/${encodeURIComponent(this.name)}/try`, {
      step: this.step,
      moves: [...this.tried, move.text],
    });
    if (verdict.right) this.tried.push(move.text);
    const marks = this.tried.length === 0 ? this.now().marks : [];
    await this.exercise.show(verdict.view, { open: !verdict.done, animate: verdict.right, marks });
    this.exercise.judge(verdict.words, verdict.right ? 'right' : 'wrong');
    if (verdict.done) this.done(true);
  }

  /** @param {string} key */
  key(key) {
    if (key === 'ArrowRight' && !this.next.disabled) this.next.click();
    else if (key === 'ArrowLeft' && !this.back.disabled) this.back.click();
    else return this.exercise.key(key);
    return true;
  }
}
