// Navigation through a line: buttons for first, previous, next and last move, and a slider.

import { button, h, s, setText } from '../dom.js';

/** @param {string} path */
function icon(path) {
  return s('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: path }));
}

export class Stepper {
  /** @param {{ first: () => void, back: () => void, on: () => void, last: () => void, to: (ply: number) => void }} walk */
  constructor(walk) {
    this.count = h('span', { class: 'num small soft count', 'data-test': 'position' });
    this.slider = h('input', {
      type: 'range',
      min: '0',
      'aria-label': 'Position in the game',
      on: { input: () => walk.to(Number(this.slider.value)) },
    });
    this.buttons = {
      first: button(icon('M3 3v10M13 3L6 8l7 5z'), walk.first, {
        'aria-label': 'First position',
        'data-test': 'step-first',
      }),
      back: button(icon('M11 3L4 8l7 5z'), walk.back, {
        'aria-label': 'Previous move',
        'data-test': 'step-back',
      }),
      on: button(icon('M5 3l7 5-7 5z'), walk.on, { 'aria-label': 'Next move', 'data-test': 'step-on' }),
      last: button(icon('M13 3v10M3 3l7 5-7 5z'), walk.last, {
        'aria-label': 'Last position',
        'data-test': 'step-last',
      }),
    };
    this.el = h(
      'div',
      { class: 'row nowrap stepper' },
      Object.values(this.buttons),
      h('span', { class: 'grow' }, this.slider),
      this.count,
    );
  }

  /** @param {number} ply @param {number} length @param {string} words */
  show(ply, length, words) {
    this.slider.max = String(length);
    this.slider.value = String(ply);
    this.slider.disabled = length === 0;
    this.buttons.first.disabled = ply === 0;
    this.buttons.back.disabled = ply === 0;
    this.buttons.on.disabled = ply >= length;
    this.buttons.last.disabled = ply >= length;
    setText(this.count, words);
  }
}
