// The paginated list of recorded games; each opens on the analysis page.

import { get } from '../api.js';
import { button, h, put, setText } from '../dom.js';
import { colour, fieldWords, levelName, setupWords, when } from '../words.js';

const PAGE = 20;

export class RecordedGames {
  constructor() {
    this.offset = 0;
    /** The run whose games are shown, or null for all. @type {{ id: string, title: string } | null} */
    this.run = null;
    this.of = h('span', { class: 'soft' });
    this.all = button('Show all', () => this.only(null));
    this.body = h('div', { class: 'scroll-x' });
    this.back = button('Newer', () => this.turn(-PAGE));
    this.on = button('Older', () => this.turn(PAGE));
    this.place = h('span', { class: 'soft small num' });
    this.el = h(
      'section',
      { 'data-test': 'games', 'aria-labelledby': 'games-title' },
      h('div', { class: 'row' }, h('h2', { id: 'games-title' }, 'Recorded games'), this.of, this.all),
      this.body,
      h('div', { class: 'row' }, this.back, this.on, this.place),
    );
  }

  /** Shows the games of one run, or all. @param {{ id: string, title: string } | null} run */
  async only(run) {
    this.run = run;
    this.offset = 0;
    await this.load();
    this.el.scrollIntoView({ block: 'start' });
  }

  /** @param {number} by */
  turn(by) {
    this.offset = Math.max(0, this.offset + by);
    return this.load();
  }

  async load() {
    const run = this.run ? `&run=${encodeURIComponent(this.run.id)}` : '';
    const response = await get(`/api/lab/games?offset=${this.offset}&limit=${PAGE}${run}`);
    setText(this.of, this.run ? `of ${this.run.title}` : '');
    this.all.hidden = this.run === null;
    const { games } = response;
    this.back.disabled = this.offset === 0;
    this.on.disabled = games.length < PAGE || (response.total !== undefined && this.offset + PAGE >= response.total);
    setText(
      this.place,
      games.length === 0
        ? ''
        : `${this.offset + 1}–${this.offset + games.length}${response.total ? ` of ${response.total}` : ''}`,
    );
    if (games.length === 0) {
      put(this.body, h('p', { class: 'soft' }, 'There are no recorded games yet.'));
      return;
    }
    put(
      this.body,
      h(
        'table',
        { class: 'recorded' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            ['When', 'Game', 'Players', 'Result'].map((name) => h('th', null, name)),
            h('th', { class: 'r' }, 'Moves'),
            h('th'),
          ),
        ),
        h(
          'tbody',
          null,
          games.map((/** @type {any} */ game) => row(game)),
        ),
      ),
    );
  }
}

/** @param {any} game */
function row(game) {
  const { game: kind } = game.setup;
  const won = game.winner ? `${colour(kind, game.winner)} wins` : 'Draw';
  return h(
    'tr',
    null,
    h('td', { class: 'small' }, when(game.created)),
    h('td', { class: 'small' }, setupWords(game.setup)),
    h(
      'td',
      { class: 'small players' },
      game.players.map((/** @type {string} */ player, /** @type {number} */ seat) =>
        h(
          'div',
          { title: player },
          h('span', { class: 'soft' }, `${colour(kind, seat + 1)} `),
          h(seat + 1 === game.winner ? 'strong' : 'span', null, levelName(player)),
        ),
      ),
    ),
    h('td', { class: 'small' }, game.reason ? `${won}: ${fieldWords(game.reason)}` : ''),
    h('td', { class: 'r' }, String(game.ply)),
    h(
      'td',
      { class: 'r' },
      h('a', { href: `/analyse?recorded=${encodeURIComponent(game.id)}&ply=0` }, 'Replay'),
    ),
  );
}
