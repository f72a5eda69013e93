// A table of ratings with their intervals, for the ladder and for the standings of a run.

import { h } from '../dom.js';
import { levelName, many } from '../words.js';

/**
 * @typedef {{ name: string, spec: string, elo: number | null, low: number | null, high: number | null, games: number,
 *   score: number | null, score_low?: number | null, score_high?: number | null, anchor: boolean }} Rating
 */

/** @param {number | null} share */
export const percent = (share) => (typeof share === 'number' ? `${(share * 100).toFixed(1)} %` : '');

/**
 * @param {Rating[]} rows strongest first
 * @param {(row: Rating) => any} [sign] an element to show before the name
 */
export function ratingsTable(rows, sign = () => null) {
  const known = rows.filter((row) => row.elo !== null);
  const low = Math.min(0, ...known.map((row) => row.low ?? 0));
  const high = Math.max(1, ...known.map((row) => row.high ?? 0));
  const at = (/** @type {number} */ elo) => `${((elo - low) / (high - low)) * 100}%`;
  return h(
    'table',
    { class: 'ratings' },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        h('th', { scope: 'col' }, 'Agent'),
        h('th', { scope: 'col', class: 'r' }, 'Elo'),
        h('th', { scope: 'col', class: 'wide-cell' }, h('span', { class: 'unseen' }, 'Interval')),
        h('th', { scope: 'col', class: 'r' }, 'Score'),
        h('th', { scope: 'col', class: 'r' }, 'Games'),
      ),
    ),
    h(
      'tbody',
      null,
      rows.map((row) =>
        h(
          'tr',
          null,
          h('td', { title: row.spec }, sign(row), agentName(row)),
          h('td', { class: 'r' }, rating(row)),
          h('td', { class: 'wide-cell' }, row.elo === null ? null : interval({ elo: row.elo, low: row.low ?? row.elo, high: row.high ?? row.elo }, at)),
          h('td', { class: 'r', title: scoreBounds(row) }, percent(row.score)),
          h('td', { class: 'r' }, many(row.games)),
        ),
      ),
    ),
  );
}

/** @param {Rating} row */
function agentName(row) {
  const same = row.spec.toLowerCase() === row.name.toLowerCase();
  return [
    h('strong', null, levelName(row.name)),
    same ? null : h('span', { class: 'spec soft mono' }, row.spec),
  ];
}

/** @param {Rating} row */
function rating(row) {
  if (row.elo === null) return h('span', { class: 'soft small' }, 'unrated');
  if (row.anchor) return [Math.round(row.elo), h('span', { class: 'soft small' }, ' fixed')];
  const half = Math.round(((row.high ?? row.elo) - (row.low ?? row.elo)) / 2);
  return [Math.round(row.elo), h('span', { class: 'soft small' }, ` ± ${half}`)];
}

/** @param {{ elo: number, low: number, high: number }} rating @param {(elo: number) => string} at */
export function interval({ elo, low, high }, at) {
  return h(
    'div',
    { class: 'interval', role: 'img', 'aria-label': `from ${Math.round(low)} to ${Math.round(high)}` },
    h('span', { class: 'interval-bar', style: { left: at(low), right: `calc(100% - ${at(high)})` } }),
    h('span', { class: 'interval-dot', style: { left: at(elo) } }),
  );
}

/** @param {Rating} row */
function scoreBounds(row) {
  return typeof row.score_low === 'number' && typeof row.score_high === 'number'
    ? `95 %: ${percent(row.score_low)} to ${percent(row.score_high)}`
    : null;
}
