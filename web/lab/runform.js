// The form that starts a run: game, kind of event, number of games and agents.

import { agentField } from '../agentpicker.js';
import { post } from '../api.js';
import { button, h, put } from '../dom.js';
import { showError } from '../messages.js';
import { venuePicker } from './venues.js';

export class RunForm {
  /** @param {(run: any) => void} begun */
  constructor(begun) {
    this.begun = begun;
    this.venue = venuePicker({ 'data-test': 'run-where', on: { change: () => this.drawAgents() } });
    this.where = this.venue.el;
    this.kind = h(
      'select',
      { 'data-test': 'run-kind', on: { change: () => this.drawAgents() } },
      h('option', { value: 'tournament' }, 'Round robin'),
      h('option', { value: 'gauntlet' }, 'Gauntlet: the first against the others'),
    );
    this.games = h('input', {
      type: 'number',
      min: '2',
      max: '10000',
      step: '2',
      value: '100',
      class: 'narrow',
      'data-test': 'run-games',
    });
    this.openings = h(
      'select',
      { 'data-test': 'run-openings' },
      h('option', { value: 'balanced' }, 'Balanced'),
      h('option', { value: 'random' }, 'Random'),
    );
    /** @type {string[]} */
    this.specs = ['d2', 'd3'];
    /** @type {{ input: HTMLInputElement, spec: () => string }[]} */
    this.fields = [];
    this.agents = h('div', { class: 'row' });
    this.el = h(
      'form',
      {
        class: 'begin-run',
        'aria-label': 'Start a run',
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.start();
          },
        },
      },
      h(
        'div',
        { class: 'row' },
        h('label', { class: 'field' }, h('span', null, 'Game'), this.where),
        h('label', { class: 'field' }, h('span', null, 'Pairings'), this.kind),
        h('label', { class: 'field' }, h('span', null, 'Games per pairing'), this.games),
        h('label', { class: 'field' }, h('span', null, 'Openings'), this.openings),
      ),
      h('fieldset', { class: 'agents' }, h('legend', null, 'Agents'), this.agents),
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'main', type: 'submit', 'data-test': 'run-start' }, 'Start'),
      ),
    );
    this.drawAgents();
  }

  setup() {
    return this.venue.setup();
  }

  /** @param {string[]} [specs] */
  drawAgents(specs = this.fields.length === 0 ? this.specs : this.fields.map((field) => field.spec())) {
    const candidate = this.kind.value === 'gauntlet';
    const field = (/** @type {string} */ spec, /** @type {number} */ place) => {
      const label = candidate && place === 0 ? 'Agent to rate' : `Agent ${place + 1}`;
      return agentField(this.setup(), spec, { label, test: `run-agent-${place + 1}` });
    };
    const fields = specs.map(field);
    this.fields = fields;
    const without = (/** @type {number} */ place) =>
      this.drawAgents(fields.map((one) => one.spec()).filter((_, other) => other !== place));
    const more = () => {
      const taken = new Set(fields.map((one) => one.spec()));
      const free = ['d1', 'd2', 'd3', 'heuristic', 'mcts', 'minimax'].find((spec) => !taken.has(spec));
      this.drawAgents([...fields.map((one) => one.spec()), free ?? 'random']);
      this.fields.at(-1)?.input.focus();
    };
    put(
      this.agents,
      fields.map((one, place) =>
        h(
          'span',
          { class: 'agent-place' },
          one.el,
          fields.length > 2
            ? button('×', () => without(place), {
                class: 'plain',
                'aria-label': `Remove agent ${place + 1}`,
              })
            : null,
        ),
      ),
      fields.length < 16 ? button('Add agent', more, { 'data-test': 'run-more' }) : null,
    );
  }

  /** Starts a small tournament of the first levels, for a laboratory without results. */
  startFirst() {
    this.where.value = 'square8/2';
    this.kind.value = 'tournament';
    this.games.value = '20';
    this.drawAgents(['d1', 'd2', 'd3']);
    return this.start();
  }

  start() {
    return post('/api/lab/runs', {
      kind: this.kind.value,
      setup: this.setup(),
      agents: this.fields.map((field) => field.spec()),
      games: Number(this.games.value),
      openings: this.openings.value,
      seed: Math.floor(Math.random() * 1e6),
    })
      .then(this.begun)
      .catch(showError);
  }
}
