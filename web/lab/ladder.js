// The ladder: everybody who played on a scale, by rating.

import { get } from '../api.js';
import { h, put } from '../dom.js';
import { levelName } from '../words.js';
import { ratingsTable } from './ratings.js';

export class Ladder {
  /** @param {string} venue */
  constructor(venue) {
    this.venue = venue;
    this.pick = h('select', {
      'aria-label': 'Where',
      on: {
        change: () => {
          this.venue = this.pick.value;
          this.load();
        },
      },
    });
    this.body = h('div', { class: 'scroll-x' });
    this.note = h('p', { class: 'soft small' });
    this.el = h(
      'section',
      { 'data-test': 'ladder', 'aria-labelledby': 'ladder-title' },
      h('div', { class: 'row spread' }, h('h2', { id: 'ladder-title' }, 'Ladder'), this.pick),
      this.body,
      this.note,
    );
  }

  async load() {
    const told = await get(`/api/lab/ratings?venue=${encodeURIComponent(this.venue)}`);
    put(
      this.pick,
      told.venues.map((/** @type {string} */ name) =>
        h('option', { value: name }, name.replaceAll('/', ' · ')),
      ),
    );
    this.venue = told.venue ?? '';
    this.pick.value = this.venue;
    this.pick.hidden = told.venues.length === 0;
    this.draw(told);
  }

  /** @param {{ rows: import('./ratings.js').Rating[], games: number }} told */
  draw({ rows, games }) {
    this.note.hidden = rows.length === 0;
    if (rows.length === 0) {
      put(
        this.body,
        h('p', null, 'Nobody is rated yet: begin a run below, or play a tournament at the command line.'),
      );
      return;
    }
    const anchor = rows.find((row) => row.anchor);
    put(this.body, ratingsTable(rows));
    put(
      this.note,
      `From ${games.toLocaleString('en')} games. Elo with its 95 % interval`,
      anchor ? `, measured from ${levelName(anchor.name)}.` : '.',
    );
  }
}
