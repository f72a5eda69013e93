// Matches and other runs on the server: start one, see it go, stop it.

import { agentField } from '../agentpicker.js';
import { get, listen, post } from '../api.js';
import { button, h, put } from '../dom.js';
import { Plot } from '../plot.js';
import { setupOf, settings } from '../settings.js';
import { complain } from '../speak.js';
import { fieldWords, number, setupWords } from '../words.js';

const STATES = /** @type {Record<string, string>} */ ({
  running: 'running',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
});

export class Runs {
  constructor() {
    /** @type {Map<string, any>} */
    this.runs = new Map();
    /** @type {Map<string, any>} */
    this.cards = new Map();
    /** @type {ReturnType<typeof listen> | null} */
    this.stream = null;
    this.list = h('div', { class: 'runs' });
    this.empty = h('p', { class: 'soft' }, 'Nothing is running.');
    this.el = h(
      'section',
      { 'data-test': 'runs' },
      h('h2', null, 'Runs'),
      this.form(),
      this.empty,
      this.list,
    );
  }

  form() {
    const setup = setupOf(settings);
    const a = agentField(setup, 'd2', { label: 'First agent', test: 'run-a' });
    const b = agentField(setup, 'd3', { label: 'Second agent', test: 'run-b' });
    const games = h('input', {
      type: 'number',
      min: '2',
      max: '10000',
      step: '2',
      value: '100',
      'aria-label': 'Games',
      class: 'narrow',
    });
    const start = () =>
      post('/api/lab/runs', {
        kind: 'match',
        setup: { ...setup, ...(setup.game === 'ringrift' ? { players: 2, swap: false } : {}) },
        a: a.spec(),
        b: b.spec(),
        games: Number(games.value),
        seed: Math.floor(Math.random() * 1e6),
      })
        .then((run) => {
          if (run?.id) this.take(run);
          else return this.load();
        })
        .catch(complain);
    return h(
      'div',
      { class: 'row' },
      a.el,
      h('span', { class: 'soft' }, 'against'),
      b.el,
      games,
      h('span', { class: 'soft' }, 'games'),
      button('Start a match', start, { class: 'main', 'data-test': 'run-start' }),
      h('span', { class: 'soft small' }, `on ${setupWords(setup)}, as in the settings`),
    );
  }

  async load() {
    const { runs } = await get('/api/lab/runs');
    for (const run of runs) this.take(run);
    this.stream ??= listen('/api/lab/events', { run: (run) => this.take(run) }, () => {});
  }

  leave() {
    this.stream?.close();
  }

  /** @param {any} run */
  take(run) {
    this.runs.set(run.id, run);
    this.empty.hidden = true;
    let card = this.cards.get(run.id);
    if (!card) {
      card = this.card(run);
      this.cards.set(run.id, card);
      this.list.prepend(card.el);
    }
    card.show(run);
  }

  /** @param {any} first */
  card(first) {
    const plot = new Plot({
      x: [0, first.planned ?? 1],
      y: [0, 1],
      label: 'Score of the first agent over the games',
      ticks: [
        { at: 1, text: '100' },
        { at: 0.5, text: '50' },
        { at: 0, text: '0' },
      ],
    });
    const title = h('strong', null, first.title);
    const state = h('span', { class: 'tag' });
    const bar = h('span');
    const facts = h('dl', { class: 'details small' });
    const stop = button('Stop', () => post(`/api/lab/runs/${first.id}/stop`, {}).catch(complain));
    const el = h(
      'article',
      { class: 'run', 'data-test': 'run', 'data-run': first.id },
      h('div', { class: 'row' }, title, state, h('span', { class: 'grow' }), stop),
      h('div', { class: 'toward' }, h('span', { class: 'bar thick' }, bar)),
      facts,
      plot.el,
    );
    return {
      el,
      show: (/** @type {any} */ run) => {
        title.textContent = run.title;
        state.textContent = `${STATES[run.state] ?? run.state}, ${run.played} of ${run.planned}`;
        el.dataset.state = run.state;
        stop.hidden = run.state !== 'running';
        bar.style.width = `${Math.min(100, (run.played / Math.max(1, run.planned)) * 100)}%`;
        put(
          facts,
          Object.entries(run.lines ?? {}).map(([name, value]) =>
            h(
              'div',
              null,
              h('dt', { class: 'soft' }, fieldWords(name)),
              h('dd', { class: 'num' }, typeof value === 'number' ? number(value) : String(value)),
            ),
          ),
        );
        plot.el.hidden = (run.curve ?? []).length < 2;
        plot.show([{ kind: '', points: run.curve ?? [] }], [0, Math.max(1, run.planned ?? 1)]);
      },
    };
  }
}
