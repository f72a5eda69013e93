// Controls of a game between agents: pause, step and speed.

import { button, h, setText } from '../dom.js';
import { change, settings } from '../settings.js';

/** The delays of the slider's positions, in milliseconds. The scale is not linear: its left half covers fast play. */
const DELAYS = [0, 50, 100, 200, 300, 500, 800, 1200, 2000, 3000, 5000];

export class WatchStrip {
  /** @param {(change: object) => void} control */
  constructor(control) {
    this.control = control;
    this.paused = false;
    this.pause = button('Pause', () => this.toggle(), { 'data-test': 'pause' });
    this.step = button('Step', () => control({ step: true }), {
      'data-test': 'step',
      title: 'Let the agent to move make one decision',
    });
    this.speedText = h('span', { class: 'soft small num grow r' });
    this.speed = h('input', {
      type: 'range',
      min: '0',
      max: String(DELAYS.length - 1),
      step: '1',
      'data-test': 'speed',
      'aria-label': 'Time between moves',
      on: { input: () => this.setDelay(DELAYS[Number(this.speed.value)]) },
    });
    this.el = h(
      'section',
      { class: 'strip', hidden: true, 'aria-label': 'Watching' },
      h('div', { class: 'row' }, this.pause, this.step, this.speedText),
      this.speed,
    );
  }

  /** @param {boolean} watching @param {any} game */
  show(watching, game) {
    this.el.hidden = !watching;
    if (!watching) return;
    this.paused = Boolean(game.paused);
    setText(this.pause, this.paused ? 'Resume' : 'Pause');
    this.step.disabled = !this.paused;
    if (document.activeElement !== this.speed)
      this.speed.value = String(nearest(game.delay_ms ?? settings.delay));
    this.tell(game.delay_ms ?? settings.delay);
  }

  toggle() {
    this.control({ paused: !this.paused });
  }

  /** @param {number} delay */
  setDelay(delay) {
    change({ delay });
    this.tell(delay);
    this.control({ delay_ms: delay });
  }

  /** @param {number} delay */
  tell(delay) {
    setText(
      this.speedText,
      delay === 0 ? 'no delay' : `${(delay / 1000).toFixed(delay < 1000 ? 2 : 1).replace(/0$/, '')} s per move`,
    );
  }
}

/** @param {number} delay */
function nearest(delay) {
  let best = 0;
  DELAYS.forEach((other, index) => {
    if (Math.abs(other - delay) < Math.abs(DELAYS[best] - delay)) best = index;
  });
  return best;
}
