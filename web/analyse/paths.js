// The paths of an agent that follows gradients: what a point climbed or descended step by step, from a move to a move.

import { h } from '../dom.js';
import { Plot, roundAxis } from '../plot.js';
import { moveWords } from '../words.js';

/** Paths with a line of their own; an agent may follow more. */
const MOST = 8;

/** A figure with all paths of a report, or nothing. @param {any} report */
export function drawPaths(report) {
  const paths = (report.paths ?? []).filter((/** @type {any} */ path) => path.heights.length > 0).slice(0, MOST);
  if (paths.length === 0) return null;
  const heights = paths.flatMap((/** @type {any} */ path) => path.heights);
  const steps = Math.max(...paths.map((/** @type {any} */ path) => path.heights.length));
  const isEnergy = report.engine === 'ebmo';
  const y = roundAxis(Math.min(...heights), Math.max(...heights));
  const words = isEnergy ? 'Energy along the descent' : 'Objective along the ascent';
  const plot = new Plot({
    x: [1, Math.max(2, steps)],
    y: y.range,
    ticks: y.ticks,
    label: words,
    name: (step) => `step ${step}`,
  });
  plot.show(
    paths.map((/** @type {any} */ path, /** @type {number} */ index) => ({
      kind: `s${(index % 4) + 1} path${path.from === path.to ? '' : ' moved'}`,
      points: path.heights.map((/** @type {number} */ height, /** @type {number} */ step) => [step + 1, height]),
    })),
  );
  return h(
    'figure',
    { class: 'paths', 'data-test': 'paths' },
    h('figcaption', { class: 'small soft' }, words),
    plot.el,
    h(
      'ol',
      { class: 'small mono' },
      paths.map((/** @type {any} */ path) =>
        h('li', { 'data-path': path.to }, `${path.from ? moveWords(path.from) : 'all moves'} → ${moveWords(path.to)}`),
      ),
    ),
  );
}
