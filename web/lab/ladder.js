// The ladder: the ratings of all agents on a scale, and their history.

import { get } from '../api.js';
import { button, h, put } from '../dom.js';
import { Plot } from '../plot.js';
import { levelName, scaleWords } from '../words.js';
import { LINES } from './runs.js';
import { ratingsTable } from './ratings.js';

/** @typedef {{ name: string, points: [number, number, number, number][] }} Curve */

export class Ladder {
  /** @param {string} venue @param {() => void} startFirst starts a first run */
  constructor(venue, startFirst) {
    this.venue = venue;
    this.startFirst = startFirst;
    this.pick = h('select', {
      'aria-label': 'Game and board',
      on: {
        change: () => {
          this.venue = this.pick.value;
          this.load();
        },
      },
    });
    this.body = h('div', { class: 'scroll-x ladder-body' });
    this.note = h('p', { class: 'soft small' });
    this.plot = new Plot({ x: [0, 1], y: [0, 1], ticks: [], label: 'Rating history' });
    this.history = h(
      'details',
      { class: 'history' },
      h('summary', null, 'Rating history'),
      this.plot.el,
    );
    this.el = h(
      'section',
      { 'data-test': 'ladder', 'aria-labelledby': 'ladder-title' },
      h('div', { class: 'row spread' }, h('h2', { id: 'ladder-title' }, 'Ladder'), this.pick),
      this.body,
      this.note,
      this.history,
    );
  }

  async load() {
    const response = await get(`/api/lab/ratings?venue=${encodeURIComponent(this.venue)}`);
    put(
      this.pick,
      response.venues.map((/** @type {string} */ name) =>
        h('option', { value: name }, scaleWords(name)),
      ),
    );
    this.venue = response.venue ?? '';
    this.pick.value = this.venue;
    this.pick.hidden = response.venues.length === 0;
    this.draw(response);
  }

  /** @param {{ rows: import('./ratings.js').Rating[], games: number, history?: Curve[] }} response */
  draw({ rows, games, history = [] }) {
    const lines = history.filter((curve) => curve.points.length > 1).slice(0, LINES);
    this.history.hidden = lines.length === 0;
    if (lines.length > 0) this.drawHistory(lines);
    const line = (/** @type {{ name: string }} */ row) => lines.findIndex((curve) => curve.name === row.name);
    const sign = (/** @type {{ name: string }} */ row) =>
      line(row) >= 0 ? h('span', { class: `line-sign l${line(row) + 1}` }) : null;
    this.note.hidden = rows.length === 0;
    if (rows.length === 0) {
      put(
        this.body,
        h(
          'p',
          null,
          'There are no ratings yet. A small tournament of the levels D1 to D3 takes a few seconds; below you can choose other agents and boards.',
        ),
        button('Start a first tournament', this.startFirst, { class: 'main', 'data-test': 'first-run' }),
      );
      return;
    }
    const anchor = rows.find((row) => row.anchor);
    put(this.body, ratingsTable(rows, sign));
    put(
      this.note,
      `From ${games.toLocaleString('en')} games. Elo with 95 % intervals`,
      anchor ? `, relative to ${levelName(anchor.name)}.` : '.',
    );
  }

  /** @param {Curve[]} lines */
  drawHistory(lines) {
    const points = lines.flatMap((curve) => curve.points);
    const bounds = points.map((point) => point[1]);
    const low = Math.floor(Math.min(0, ...bounds) / 200) * 200;
    const high = Math.ceil(Math.max(200, ...bounds) / 200) * 200;
    const step = Math.max(200, Math.ceil((high - low) / 1000) * 200);
    const ticks = [];
    for (let at = low; at <= high; at += step) ticks.push({ at, text: String(at) });
    this.plot.show(
      lines.map((curve, place) => ({ kind: `l${place + 1}`, points: curve.points.map(([x, y]) => [x, y]) })),
      [Math.min(...points.map((point) => point[0])), Math.max(...points.map((point) => point[0]))],
      { range: [low, high], ticks },
    );
  }
}
