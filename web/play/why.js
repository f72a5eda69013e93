// The explanation of a lost game: the turn that decided it, and a better one, both found by a search on the server.

import { post } from '../api.js';
import { button, h, put } from '../dom.js';
import { announce, showError } from '../messages.js';
import { coloured, colour } from '../words.js';

export class Why {
  /** @param {(ply: number, moves: { move: any, kind: string }[]) => void} look shows a position with arrows */
  constructor(look) {
    this.look = look;
    this.el = h('div', { class: 'why' });
    /** @type {string} the game and position that are explained */
    this.about = '';
  }

  /** Offers the explanation after a loss of the only person. @param {any} game */
  show(game) {
    const people = game.seats.filter((/** @type {any} */ seat) => seat.who === 'human');
    const { result, setup } = game.view;
    const forfeited = result && result.explanation === '';
    const lost =
      game.status === 'over' && setup.game !== 'go' && people.length === 1 && result?.winner && result.winner !== people[0].seat && !forfeited;
    this.el.hidden = !lost;
    const about = lost ? `${game.id} ${game.ply}` : '';
    if (about === this.about) return;
    this.about = about;
    delete document.body.dataset.explained;
    put(
      this.el,
      lost ? button('Why did I lose?', () => this.ask(game, people[0].seat), { 'data-test': 'why' }) : null,
    );
  }

  /** @param {any} game @param {number} seat */
  async ask(game, seat) {
    put(this.el, h('p', { class: 'soft small' }, 'Looking for the turn that decided the game …'));
    try {
      const { turning_point: point } = await post('/api/loss', {
        setup: game.setup,
        start: game.start,
        moves: game.moves.map((/** @type {any} */ move) => move.text),
        seat,
      });
      put(this.el, point ? this.words(game, point) : nothing(game));
      announce(this.el.textContent ?? '');
      document.body.dataset.explained = 'true';
      if (point) this.lookAt(point);
    } catch (error) {
      showError(error);
      this.about = '';
      this.show(game);
    }
  }

  /** @param {any} point */
  lookAt(point) {
    this.look(point.ply, [
      { move: point.played_by, kind: 'danger' },
      { move: point.better_by, kind: 'best' },
    ]);
  }

  /** @param {any} game @param {any} point */
  words(game, point) {
    const kind = game.setup.game;
    const winner = colour(kind, game.view.result.winner);
    return h(
      'div',
      { class: 'why-words', 'data-test': 'why-words' },
      h('p', null, h('strong', null, `Turn ${point.turn} decided the game.`)),
      h('p', null, `${colour(kind, point.seat)} ${point.played}. `, coloured(kind, point.consequence)),
      h('p', null, h('strong', null, 'Better: '), `${point.better}. `, point.proven ? `Then ${winner} could not have won at once.` : ''),
      h(
        'div',
        { class: 'row' },
        button('Show it on the board', () => this.lookAt(point), { 'data-test': 'why-look' }),
      ),
    );
  }
}

/** The text if no turn stands out. @param {any} game */
function nothing(game) {
  const winner = colour(game.setup.game, game.view.result.winner);
  return h(
    'p',
    { class: 'why-words', 'data-test': 'why-words' },
    `No single turn decided the game: ${winner} gained a little in many turns. `,
    h('a', { href: `/analyse?game=${game.id}` }, 'Review the game'),
    ' to see where.',
  );
}
