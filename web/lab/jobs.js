// Self-play, training and the learning loop, which run on the command line: their progress, curves and generations.

import { h, put, setText } from '../dom.js';
import { Plot, roundAxis } from '../plot.js';
import { many, number, time, when } from '../words.js';

/**
 * @typedef {{ name: string, columns: string[], rows: (number | string | null)[][] }} Table
 * @typedef {{ id: string, kind: string, title: string, state: string, begun: string, done: number, planned: number,
 *   stage: string, tables: Table[], config: any, error?: string }} Job
 */

const KINDS = /** @type {Record<string, { words: string, unit: string }>} */ ({
  selfplay: { words: 'Self-play', unit: 'games' },
  train: { words: 'Training', unit: 'steps' },
  pipeline: { words: 'Learning loop', unit: 'generations' },
});

/** The curves of each kind of table: the title, and the columns with their names in the legend. */
const CURVES = {
  training: [
    { title: 'Loss', lines: { training_loss: 'training', validation_loss: 'validation' } },
    { title: 'Loss of policy and value', lines: { policy_loss: 'policy', value_loss: 'value' } },
    { title: 'Accuracy of the policy', lines: { policy_accuracy: '' } },
    { title: 'Learning rate', lines: { learning_rate: '' } },
    { title: 'Rows per second', lines: { rows_per_s: '' } },
  ],
  selfplay: [
    { title: 'Decisions per second', lines: { decisions_per_s: '' } },
    { title: 'Evaluations per second', lines: { evaluations_per_s: '' } },
    { title: 'How full batches of evaluations are', lines: { fill: '' } },
    { title: 'Share of duplicate decisions', lines: { duplicates: '' } },
  ],
};

/** The values of a column. @param {Table} table @param {string} column */
function column(table, column) {
  const place = table.columns.indexOf(column);
  return table.rows.map((row) => (place < 0 ? null : row[place]));
}

/** The points of a column that have a value. @param {Table} table @param {string} name @returns {[number, number][]} */
function points(table, name) {
  const numbers = column(table, 'number');
  const found = column(table, name).map((value, place) => [numbers[place], value]);
  return /** @type {[number, number][]} */ (found.filter(([, value]) => typeof value === 'number'));
}

/** @param {number | string | null} share */
const percent = (share) => (typeof share === 'number' ? `${(share * 100).toFixed(1)} %` : '');

/** @param {number | string | null} value */
const short = (value) => (typeof value === 'number' ? number(value) : (value ?? ''));

export class JobCard {
  /** @param {Job} first */
  constructor(first) {
    this.state = '';
    this.kind = KINDS[first.kind] ?? { words: first.kind, unit: '' };
    this.tag = h('span', { class: 'tag' });
    this.bar = h('span');
    this.pace = h('span', { class: 'soft small num' });
    this.stage = h('p', { class: 'soft small num' });
    this.error = h('p', { class: 'warn small' });
    this.generations = h('div', { class: 'scroll-x' });
    this.plots = h('div', { class: 'job-plots' });
    /** The plots by table and title. @type {Map<string, { el: any, plot: Plot }>} */
    this.known = new Map();
    this.options = h('pre', { class: 'small mono scroll-x' });
    this.el = h(
      'details',
      { class: 'run', 'data-test': 'job', 'data-job': first.id },
      h(
        'summary',
        null,
        h('strong', null, first.title),
        h('span', { class: 'soft small' }, this.kind.words),
        this.tag,
      ),
      h('span', { class: 'bar thick' }, this.bar),
      this.pace,
      this.stage,
      this.error,
      this.generations,
      this.plots,
      h('details', { class: 'history' }, h('summary', { class: 'small' }, 'Options'), this.options),
    );
    this.el.open = first.state === 'running';
    /** The start of the measurement of the pace. @type {{ at: number, done: number } | null} */
    this.since = null;
  }

  /** @param {Job} job @param {string} state the state in words */
  show(job, state) {
    const going = job.state === 'running';
    if (going && this.state !== 'running') this.el.open = true;
    this.state = job.state;
    this.el.dataset.state = job.state;
    this.el.dataset.done = String(job.done);
    setText(this.tag, state);
    this.bar.style.width = `${Math.min(100, (job.done / Math.max(1, job.planned)) * 100)}%`;
    setText(this.pace, this.words(job, going));
    this.stage.hidden = job.stage === '';
    setText(this.stage, job.stage);
    this.error.hidden = !job.error;
    setText(this.error, job.error ?? '');
    setText(this.options, JSON.stringify(job.config, null, 1));
    const generations = job.tables.find((table) => table.name === 'generations');
    put(this.generations, generations ? generationsTable(generations) : null);
    this.drawPlots(job, generations);
  }

  /** @param {Job} job @param {Table | undefined} generations */
  drawPlots(job, generations) {
    /** @type {Set<string>} */
    const drawn = new Set();
    const draw = (/** @type {string} */ key, /** @type {any} */ picture) => {
      drawn.add(key);
      this.draw(key, picture);
    };
    if (generations && generations.rows.length > 1) {
      const lines = scores(generations).map(({ name, words }) => {
        const low = new Map(points(generations, `${name}_low`));
        const high = new Map(points(generations, `${name}_high`));
        return { words, points: points(generations, name).map(([x, y]) => [x, y, low.get(x), high.get(x)]) };
      });
      const title = generations.columns.includes('verdict') ? 'Score in the match for promotion' : 'Score in matches';
      draw('scores', { title, lines, y: [0, 1], text: percentText });
      const ratings = points(generations, 'elo');
      if (ratings.length > 1) draw('elo', { title: 'Elo', lines: [{ words: '', points: ratings }] });
    }
    // Of several trainings, the last one is shown.
    const table = job.tables.findLast((one) => one.name === 'progress' || one.name.startsWith('training-'));
    const curves = CURVES[job.kind === 'selfplay' ? 'selfplay' : 'training'];
    for (const { title, lines } of table ? curves : []) {
      const found = Object.entries(lines)
        .map(([name, words]) => ({ words, points: points(/** @type {Table} */ (table), name) }))
        .filter((line) => line.points.length > 1);
      const name = /** @type {Table} */ (table).name;
      const of = name.startsWith('training-') ? ` of generation ${Number(name.slice('training-'.length))}` : '';
      if (found.length > 0) draw(title, { title: title + of, lines: found });
    }
    for (const [key, { el }] of this.known) el.hidden = !drawn.has(key);
  }

  /**
   * @param {string} key
   * @param {{ title: string, lines: { words: string, points: any[] }[], y?: [number, number], text?: (value: number) => string }} picture
   */
  draw(key, { title, lines, y, text }) {
    let known = this.known.get(key);
    if (!known) {
      const plot = new Plot({ x: [0, 1], y: [0, 1], ticks: [], label: '' });
      known = { plot, el: h('figure', { class: 'job-plot', 'data-plot': key }, h('figcaption'), plot.el) };
      this.known.set(key, known);
      this.plots.append(known.el);
    }
    known.plot.svg.setAttribute('aria-label', title);
    const several = lines.filter((line) => line.words !== '').length > 1;
    put(
      known.el.firstElementChild,
      h('span', { class: 'small' }, title),
      several &&
        lines.map((line, place) =>
          h('span', { class: 'small soft' }, h('span', { class: `line-sign l${place + 1}` }), line.words),
        ),
    );
    const all = lines.flatMap((line) => line.points);
    const xs = all.map((point) => point[0]);
    const values = all.map((point) => point[1]);
    const [low, high] = y ?? [Math.min(...values), Math.max(...values)];
    known.plot.show(
      lines.map((line, place) => ({ kind: several ? `l${place + 1}` : '', points: line.points })),
      [Math.min(...xs), Math.max(...xs)],
      roundAxis(low, high, text),
    );
  }

  /** The progress, the pace and the remaining time. @param {Job} job @param {boolean} going */
  words(job, going) {
    const far = `${job.done.toLocaleString('en')} of ${job.planned.toLocaleString('en')} ${this.kind.unit}`;
    const table = job.tables.find((one) => one.name === 'progress');
    const last = (/** @type {string} */ name) => (table ? column(table, name).at(-1) : null);
    const facts = [];
    if (job.kind === 'train' && typeof last('validation_loss') === 'number') {
      facts.push(`validation loss ${Number(last('validation_loss')).toFixed(4)}`);
      facts.push(`${many(Math.round(Number(last('rows_per_s'))))} rows per second`);
    }
    if (job.kind === 'selfplay' && typeof last('games_per_s') === 'number') {
      facts.push(`${short(last('games_per_s') ?? null)} games per second`);
      facts.push(`${percent(last('duplicates') ?? null)} duplicates`);
    }
    const words = [far, ...facts].join(', ');
    if (!going) {
      this.since = null;
      return `${words}, started ${when(job.begun)}`;
    }
    const now = performance.now();
    this.since ??= { at: now, done: job.done };
    const done = job.done - this.since.done;
    if (done < 1) return words;
    const each = (now - this.since.at) / done;
    return `${words}, about ${time(each * Math.max(0, job.planned - job.done))} left`;
  }
}

/** @param {number} value a share from 0 to 1 */
const percentText = (value) => `${Math.round(value * 100)}`;

/** The columns of a table of generations that are scores with an interval. @param {Table} table */
function scores(table) {
  return table.columns
    .filter((name) => table.columns.includes(`${name}_low`) && table.columns.includes(`${name}_high`))
    .map((name) => ({ name, words: scoreWords(name) }));
}

/** `score_3p` becomes "3 players", `heuristic_2p` "heuristic, 2 players". @param {string} name */
function scoreWords(name) {
  const [, what, players] = /^(.*)_(\d)p$/.exec(name) ?? [null, name, ''];
  return [what === 'score' ? '' : what.replaceAll('_', ' '), players ? `${players} players` : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** @param {Table} table */
function generationsTable(table) {
  const gates = scores(table);
  const head = (/** @type {string} */ text, name = 'r') => h('th', { scope: 'col', class: name }, text);
  const cell = (/** @type {any} */ content) => h('td', { class: 'r' }, content);
  const value = (/** @type {any[]} */ row, /** @type {string} */ name) => row[table.columns.indexOf(name)] ?? null;
  const loss = (/** @type {any} */ one) => (typeof one === 'number' ? one.toFixed(4) : '');
  const count = (/** @type {any} */ one) => many(one ?? 0);
  const rating = (/** @type {any} */ one) => (typeof one === 'number' ? one.toFixed(0) : '');
  // Learning loops differ in what they know of a generation.
  const facts = [
    { name: 'games', title: 'Games', words: count },
    { name: 'rows', title: 'Rows', words: count },
    { name: 'validation_loss', title: 'Validation loss', words: loss },
    { name: 'elo', title: 'Elo', words: rating },
  ].filter(({ name }) => table.columns.includes(name));
  const decided = table.columns.includes('verdict');
  const score = (/** @type {any[]} */ row, /** @type {string} */ name) => {
    const [low, high] = [value(row, `${name}_low`), value(row, `${name}_high`)];
    const bounds = typeof low === 'number' ? ` ${percentText(low)}–${percentText(high)}` : null;
    return [percent(value(row, name)), h('span', { class: 'soft small' }, bounds)];
  };
  return h(
    'table',
    { class: 'generations' },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        head('Generation'),
        facts.map(({ title }) => head(title)),
        gates.map((gate) => head(`Score, ${gate.words}`)),
        decided && head('Verdict', ''),
      ),
    ),
    h(
      'tbody',
      null,
      table.rows.map((row) =>
        h(
          'tr',
          null,
          cell(String(value(row, 'number'))),
          facts.map(({ name, words }) => cell(words(value(row, name)))),
          gates.map((gate) => cell(score(row, gate.name))),
          decided && h('td', null, String(value(row, 'verdict') ?? '')),
        ),
      ),
    ),
  );
}
