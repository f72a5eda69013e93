// A few words for somebody who has never been here: how a turn is made, and where to learn more. Gone once they have played one.

import { button, h } from '../dom.js';
import { keep, kept } from '../settings.js';

const MET = 'riftlab-met';

export class Welcome {
  constructor() {
    this.met = kept(MET, false) === true;
    this.el = h(
      'div',
      { class: 'welcome', 'data-test': 'welcome', hidden: true },
      h(
        'p',
        null,
        h('strong', null, 'First time? '),
        'Click any cell to place rings, then click where the stack shall go. That is a turn.',
      ),
      h(
        'div',
        { class: 'row' },
        h('a', { class: 'button', href: '/learn/first-turn' }, 'Take a lesson'),
        button('Just play', () => this.done(), { class: 'plain', 'data-test': 'welcome-close' }),
      ),
    );
  }

  /** @param {any} game @param {boolean} mine whether a person here is to move */
  show(game, mine) {
    // A whole turn of a person: rings placed and moved, and the answer to it.
    if (!this.met && game.ply > 4) this.done();
    this.el.hidden =
      this.met || game.setup.game !== 'ringrift' || game.status !== 'playing' || (!mine && game.ply === 0);
  }

  done() {
    this.met = true;
    keep(MET, true);
    this.el.hidden = true;
  }
}
