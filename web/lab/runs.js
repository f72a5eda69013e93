// The list of runs and jobs, started here or on the command line: their progress, and buttons to start, stop and resume runs.

import { get, listen, post } from '../api.js';
import { button, h, put, setText } from '../dom.js';
import { Plot } from '../plot.js';
import { showError } from '../messages.js';
import { levelName, scaleWords, time, when } from '../words.js';
import { JobCard } from './jobs.js';
import { RunForm } from './runform.js';
import { ratingsTable } from './ratings.js';

const STATES = /** @type {Record<string, string>} */ ({
  running: 'running',
  complete: 'complete',
  stopped: 'stopped',
  failed: 'failed',
  lost: 'interrupted',
});

/** The maximum number of distinguishable lines in a plot. */
export const LINES = 8;

export class Runs {
  /**
   * @param {() => void} ended called when a run has ended
   * @param {(run: { id: string, title: string }) => void} look shows the games of a run
   */
  constructor(ended, look) {
    this.ended = ended;
    this.look = look;
    /** @type {Map<string, Card | JobCard>} */
    this.cards = new Map();
    /** @type {ReturnType<typeof listen> | null} */
    this.stream = null;
    this.form = new RunForm((run) => this.take(run));
    this.list = h('div', { class: 'runs' });
    this.empty = h('p', { class: 'soft' }, 'There are no runs yet.');
    this.el = h(
      'section',
      { 'data-test': 'runs', 'aria-labelledby': 'runs-title' },
      h('h2', { id: 'runs-title' }, 'Runs'),
      this.form.el,
      this.empty,
      this.list,
    );
  }

  async load() {
    const { runs, jobs } = await get('/api/lab/runs');
    const begun = [...runs.reverse(), ...jobs.reverse()].sort((a, b) => a.begun.localeCompare(b.begun));
    for (const one of begun) this.take(one, 'standings' in one ? Card : JobCard);
    const take = { run: (/** @type {any} */ run) => this.take(run), job: (/** @type {any} */ job) => this.take(job, JobCard) };
    this.stream ??= listen('/api/lab/events', take, () => {});
  }

  leave() {
    this.stream?.close();
  }

  /** @param {any} run a run or a job @param {typeof Card | typeof JobCard} kind the class of its card */
  take(run, kind = Card) {
    this.empty.hidden = true;
    let card = this.cards.get(run.id);
    if (!card) {
      card = new kind(run, this.look);
      this.cards.set(run.id, card);
    }
    // A run that starts or resumes moves to the top.
    const begins = run.state === 'running' && card.state !== 'running';
    if (begins || !card.el.isConnected) this.list.prepend(card.el);
    const ends = card.state === 'running' && run.state !== 'running';
    card.show(run, STATES[run.state] ?? run.state);
    if (ends) this.ended();
  }
}

class Card {
  /** @param {any} first @param {(run: { id: string, title: string }) => void} look */
  constructor(first, look) {
    this.state = '';
    const title = first.title.split(/\b/).map(levelName).join('');
    this.plot = new Plot({
      x: [0, first.planned],
      y: [0, 1],
      label: 'Scores over the games, in percent',
      ticks: [
        { at: 1, text: '100' },
        { at: 0.5, text: '50' },
        { at: 0, text: '0' },
      ],
    });
    const act = (/** @type {string} */ what) => () =>
      post(`/api/lab/runs/${first.id}/${what}`, {}).catch(showError);
    this.tag = h('span', { class: 'tag' });
    this.bar = h('span');
    this.pace = h('span', { class: 'soft small num' });
    this.error = h('p', { class: 'warn small' });
    this.standings = h('div', { class: 'scroll-x' });
    this.about = h('p', { class: 'soft small' });
    this.stop = button('Stop', act('stop'), { 'data-test': 'run-stop' });
    this.games = button('Games', () => look({ id: first.id, title }), { 'data-test': 'run-games-of' });
    this.resume = button('Resume', act('resume'), { 'data-test': 'run-resume' });
    this.el = h(
      'details',
      { class: 'run', 'data-test': 'run', 'data-run': first.id },
      h(
        'summary',
        null,
        h('strong', null, title),
        h('span', { class: 'soft small' }, scaleWords(first.scale)),
        this.tag,
      ),
      h('span', { class: 'bar thick' }, this.bar),
      h('div', { class: 'row' }, this.pace, h('span', { class: 'grow' }), this.games, this.stop, this.resume),
      this.error,
      this.standings,
      this.about,
      this.plot.el,
    );
    this.el.open = first.state === 'running';
    /** The start of the measurement of the pace. @type {{ at: number, played: number } | null} */
    this.since = null;
  }

  /** @param {any} run @param {string} state the state in words */
  show(run, state) {
    const going = run.state === 'running';
    if (going && this.state !== 'running') this.el.open = true;
    this.state = run.state;
    this.el.dataset.state = run.state;
    setText(this.tag, state);
    setText(this.pace, this.words(run, going));
    this.games.hidden = run.played === 0;
    this.stop.hidden = !run.can_stop;
    this.resume.hidden = !run.can_resume;
    this.error.hidden = !run.error;
    setText(this.error, run.error ?? '');
    this.bar.style.width = `${Math.min(100, (run.played / Math.max(1, run.planned)) * 100)}%`;
    const names = run.curves.slice(0, LINES).map((/** @type {any} */ curve) => curve.name);
    const line = (/** @type {any} */ row) => names.indexOf(row.name);
    const sign = (/** @type {any} */ row) =>
      names.length > 1 && line(row) >= 0 ? h('span', { class: `line-sign l${line(row) + 1}` }) : null;
    const order = [...run.standings].sort((a, b) => (b.elo ?? b.score ?? -1e9) - (a.elo ?? a.score ?? -1e9));
    put(this.standings, run.played > 0 ? ratingsTable(order, sign) : null);
    const curves = run.curves.slice(0, LINES);
    this.plot.el.hidden = !curves.some((/** @type {any} */ curve) => curve.points.length > 1);
    this.about.hidden = this.plot.el.hidden;
    setText(
      this.about,
      names.length === 1
        ? `Score of ${levelName(names[0])} over the games, in percent, with its 95 % interval`
        : 'Scores over the games, in percent',
    );
    this.plot.show(
      curves.map((/** @type {any} */ curve, /** @type {number} */ place) => ({
        kind: names.length > 1 ? `l${place + 1}` : '',
        // Bands of many lines would hide each other.
        points:
          names.length > 2 ? curve.points.map((/** @type {number[]} */ [x, y]) => [x, y]) : curve.points,
      })),
      [0, Math.max(1, run.planned)],
    );
  }

  /** The progress, the pace and the remaining time. @param {any} run @param {boolean} going */
  words(run, going) {
    const far = `${run.played.toLocaleString('en')} of ${run.planned.toLocaleString('en')} games`;
    if (!going) {
      this.since = null;
      return `${far}, started ${when(run.begun)}`;
    }
    const now = performance.now();
    this.since ??= { at: now, played: run.played };
    const played = run.played - this.since.played;
    if (played < 2) return far;
    const each = (now - this.since.at) / played;
    const pace = each < 1000 ? `${(1000 / each).toFixed(1)} per second` : `${time(each)} per game`;
    return `${far}, ${pace}, about ${time(each * Math.max(0, run.planned - run.played))} left`;
  }
}
