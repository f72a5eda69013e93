// Analysis by an agent: the choice of agent and number of nodes, and the stream of its reports.

import { agentField } from '../agentpicker.js';
import { lines } from '../api.js';
import { button, h, setText } from '../dom.js';
import { change, settings } from '../settings.js';
import { showError } from '../messages.js';

/** Choices for the number of nodes; 0 means the agent's own limit. */
const EFFORTS = [0, 200, 1000, 2000, 5000, 20_000, 100_000, 500_000];

export class Engine {
  /** @param {any} setup @param {{ report: (report: any) => void, toggled: (on: boolean) => void }} callbacks */
  constructor(setup, callbacks) {
    this.callbacks = callbacks;
    /** @type {AbortController | null} */
    this.work = null;
    /** Whether every position shown is analysed. */
    this.on = false;
    this.agent = agentField(setup, settings.analyst, {
      label: 'Agent',
      test: 'agent',
      change: (spec) => change({ analyst: spec }),
    });
    this.effort = h(
      'select',
      { 'aria-label': 'Nodes', on: { change: () => change({ effort: Number(this.effort.value) }) } },
      EFFORTS.map((nodes) =>
        h(
          'option',
          { value: String(nodes) },
          nodes === 0 ? 'default limit' : `${nodes.toLocaleString('en')} nodes`,
        ),
      ),
    );
    this.effort.value = String(EFFORTS.includes(settings.effort) ? settings.effort : 2000);
    this.run = button('Analyse', () => this.toggle(), {
      class: 'main',
      'data-test': 'run',
    });
    this.el = h('div', { class: 'row nowrap engine' }, this.agent.el, this.effort, this.run);
  }

  toggle() {
    this.on = !this.on;
    if (!this.on) this.stop();
    this.draw();
    this.callbacks.toggled(this.on);
  }

  draw() {
    setText(this.run, this.on ? 'Stop' : 'Analyse');
  }

  /** The parameters of the analysis. */
  terms() {
    const nodes = Number(this.effort.value);
    return nodes === 0 ? { agent: this.agent.spec() } : { agent: this.agent.spec(), nodes };
  }

  stop() {
    this.work?.abort();
    this.work = null;
  }

  /** Analyses a position and passes on the reports until the search is complete or stopped. @param {{ setup: any, start: string | null, moves: string[] }} position */
  async look(position) {
    this.stop();
    const work = new AbortController();
    this.work = work;
    await this.agent.ready;
    try {
      for await (const report of lines(
        '/api/analyse',
        { ...position, ...this.terms(), top: 30 },
        work.signal,
      )) {
        if (!work.signal.aborted) this.callbacks.report(report);
      }
    } catch (error) {
      if (work.signal.aborted) return;
      showError(error);
      this.on = false;
      this.draw();
    }
  }
}
