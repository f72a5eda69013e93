// The table of levels: which agent plays at each, and how strong it is by the games that were played before release.

import { get } from '../api.js';
import { h, put } from '../dom.js';
import { interval, percent } from './ratings.js';

/**
 * @typedef {{ elo: number, low: number, high: number }} Standing
 * @typedef {{ games: number, score: number, low: number, high: number, ms: number }} Step
 * @typedef {{ name: string, plays: string, net: string | null, fallback: string | null, standing: Standing | null, step: Step | null }} Level
 */

export class Levels {
  constructor() {
    this.body = h('div', { class: 'scroll-x' });
    this.note = h('p', { class: 'soft small' });
    this.el = h('details', { class: 'history', 'data-test': 'levels' }, h('summary', null, 'Levels'), this.note, this.body);
  }

  /** @param {string} venue a rating scale, such as `ringrift/square8/2p` or `go/9x9`; others have no levels */
  async load(venue) {
    const [game, board, players] = (venue.split('+')[0] || 'ringrift/square8/2p').split('/');
    const query =
      game === 'go' ? `game=go&size=${board.split('x')[0]}` : `game=ringrift&board=${board}&players=${players[0]}`;
    const { levels } = await get(`/api/agents?${query}`);
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
