// The table of levels: which agent plays at each, and how strong it is by the games that were played before release.

import { h, put } from '../dom.js';
import { showError } from '../messages.js';
import { agentsFor } from '../play/hint.js';
import { interval, percent } from './ratings.js';
import { venuePicker } from './venues.js';

/**
 * @typedef {{ elo: number, low: number, high: number }} Standing
 * @typedef {{ games: number, score: number, low: number, high: number, ms: number }} Step
 * @typedef {{ name: string, plays: string, net: string | null, fallback: string | null, standing: Standing | null, step: Step | null }} Level
 */

export class Levels {
  constructor() {
    this.venue = venuePicker({
      'aria-label': 'Game and board of the levels',
      'data-test': 'levels-where',
      on: { change: () => this.load().catch(showError) },
    });
    this.note = h('p', { class: 'soft small' });
    this.body = h('div', { class: 'scroll-x' });
    this.el = h(
      'section',
      { 'data-test': 'levels', 'aria-labelledby': 'levels-title' },
      h('div', { class: 'row spread' }, h('h2', { id: 'levels-title' }, 'Levels'), this.venue.el),
      this.note,
      this.body,
    );
  }

  async load() {
    const { levels } = await agentsFor(this.venue.setup());
    this.draw(levels);
  }

  /** @param {Level[]} levels */
  draw(levels) {
    const measured = levels.some((level) => level.step !== null);
    put(
      this.note,
      measured
        ? 'Each level played the one below from balanced openings, with seats swapped. Elo with 95 % intervals, relative to D1.'
        : 'These levels have not been measured yet.',
    );
    const known = levels.flatMap(({ standing }) => (standing === null ? [] : [standing]));
    const low = Math.min(0, ...known.map((standing) => standing.low));
    const high = Math.max(1, ...known.map((standing) => standing.high));
    const at = (/** @type {number} */ elo) => `${((elo - low) / (high - low)) * 100}%`;
    const head = (/** @type {string} */ name, right = false) =>
      h('th', { scope: 'col', class: right ? 'r' : '' }, name);
    put(
      this.body,
      h(
        'table',
        { class: 'ratings' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            head('Level'),
            head('Elo', true),
            h('th', { scope: 'col', class: 'wide-cell' }, h('span', { class: 'unseen' }, 'Interval')),
            head('Against the level below', true),
            head('Games', true),
            head('Time per move', true),
          ),
        ),
        h(
          'tbody',
          null,
          levels.map((level) => row(level, at)),
        ),
      ),
    );
  }
}

/** @param {Level} level @param {(elo: number) => string} at */
function row({ name, plays, net, fallback, standing, step }, at) {
  const half = standing === null ? 0 : Math.round((standing.high - standing.low) / 2);
  return h(
    'tr',
    null,
    h('td', { title: fallback ?? net ?? '' }, h('strong', null, name), h('span', { class: 'spec soft mono' }, plays)),
    h(
      'td',
      { class: 'r' },
      standing === null ? '' : Math.round(standing.elo),
      standing === null || half === 0 ? null : h('span', { class: 'soft small' }, ` ± ${half}`),
    ),
    h('td', { class: 'wide-cell' }, standing === null ? null : interval(standing, at)),
    h(
      'td',
      { class: 'r', title: step === null ? null : `95 %: ${percent(step.low)} to ${percent(step.high)}` },
      step === null ? '' : percent(step.score),
    ),
    h('td', { class: 'r' }, step === null ? '' : step.games),
    h('td', { class: 'r' }, step === null ? '' : duration(step.ms)),
  );
}

/** @param {number} ms */
function duration(ms) {
  if (ms < 10) return `${ms.toPrecision(2)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
