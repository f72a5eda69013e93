// The ladder: a table of ratings, each with its interval drawn to one scale.

import { get } from '../api.js';
import { h, put } from '../dom.js';
import { levelName, many } from '../words.js';

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
    this.el = h(
      'section',
      { 'data-test': 'ladder' },
      h('div', { class: 'row spread' }, h('h2', null, 'Ladder'), this.pick),
      this.body,
      h(
        'p',
        { class: 'soft small' },
        'Elo with its 95 % interval; the random agent is 0 on every scale of its own.',
      ),
    );
  }

  async load() {
    const told = await get(`/api/lab/ratings?venue=${encodeURIComponent(this.venue)}`);
    put(
      this.pick,
      (told.venues ?? []).map((/** @type {string} */ name) =>
        h('option', { value: name }, name.replaceAll('/', ' · ')),
      ),
    );
    this.pick.value = told.venue ?? '';
    this.pick.hidden = (told.venues ?? []).length === 0;
    this.draw(told.rows ?? []);
  }

  /** @param {any[]} rows */
  draw(rows) {
    if (rows.length === 0) {
      put(
        this.body,
        h(
          'p',
          null,
          'No rated games here yet. Start a match below, or run a tournament from the command line.',
        ),
      );
      return;
    }
    const low = Math.min(0, ...rows.map((row) => row.low ?? row.elo));
    const high = Math.max(1, ...rows.map((row) => row.high ?? row.elo));
    const at = (/** @type {number} */ elo) => `${((elo - low) / (high - low)) * 100}%`;
    put(
      this.body,
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            h('th', null, 'Agent'),
            h('th', { class: 'r' }, 'Elo'),
            h('th', { class: 'wide-cell' }, ''),
            h('th', { class: 'r' }, 'Score'),
            h('th', { class: 'r' }, 'Games'),
          ),
        ),
        h(
          'tbody',
          null,
          [...rows]
            .sort((a, b) => b.elo - a.elo)
            .map((row) =>
              h(
                'tr',
                null,
                h(
                  'td',
                  { title: row.spec ?? '' },
                  h('strong', null, row.name ?? levelName(row.spec)),
                  row.spec && row.spec.toLowerCase() !== String(row.name).toLowerCase()
                    ? h('span', { class: 'soft small mono' }, ` ${row.spec}`)
                    : null,
                ),
                h(
                  'td',
                  { class: 'r' },
                  Math.round(row.elo),
                  h(
                    'span',
                    { class: 'soft small' },
                    ` ± ${Math.round(((row.high ?? row.elo) - (row.low ?? row.elo)) / 2)}`,
                  ),
                ),
                h(
                  'td',
                  { class: 'wide-cell' },
                  h(
                    'div',
                    {
                      class: 'interval',
                      role: 'img',
                      'aria-label': `from ${Math.round(row.low)} to ${Math.round(row.high)}`,
                    },
                    h('span', {
                      class: 'interval-bar',
                      style: {
                        left: at(row.low ?? row.elo),
                        right: `calc(100% - ${at(row.high ?? row.elo)})`,
                      },
                    }),
                    h('span', { class: 'interval-dot', style: { left: at(row.elo) } }),
                  ),
                ),
                h(
                  'td',
                  { class: 'r' },
                  typeof row.score === 'number' ? `${(row.score * 100).toFixed(1)} %` : '',
                ),
                h('td', { class: 'r' }, many(row.games ?? 0)),
              ),
            ),
        ),
      ),
    );
  }
}
