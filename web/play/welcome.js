// A welcome for new users: how to make a turn, and a link to the lessons. Hidden after the first turn.

import { button, h } from '../dom.js';
import { store, stored } from '../settings.js';

const SEEN = 'riftlab-met';

export class Welcome {
  constructor() {
    this.seen = stored(SEEN, false) === true;
    this.el = h(
      'div',
      { class: 'welcome', 'data-test': 'welcome', hidden: true },
      h(
        'p',
        null,
        h('strong', null, 'First time? '),
        'Click a cell to place rings, then click where the stack should move. That completes a turn.',
      ),
      h(
        'div',
        { class: 'row' },
        h('a', { class: 'button', href: '/learn/first-turn' }, 'Start the first lesson'),
        button('Just play', () => this.done(), { class: 'plain', 'data-test': 'welcome-close' }),
      ),
    );
  }

  /** @param {any} game @param {boolean} mine whether a person here is to move */
  show(game, mine) {
    // After a complete turn of the person and the reply to it.
    if (!this.seen && game.ply > 4) this.done();
    this.el.hidden =
      this.seen || game.setup.game !== 'ringrift' || game.status !== 'playing' || (!mine && game.ply === 0);
  }

  done() {
    this.seen = true;
    store(SEEN, true);
    this.el.hidden = true;
  }
}
