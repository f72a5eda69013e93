// Letting an agent look at positions: which one, how long, and the stream of what it finds.

import { agentField } from '../agentpicker.js';
import { lines } from '../api.js';
import { button, h, say } from '../dom.js';
import { change, settings } from '../settings.js';
import { complain } from '../speak.js';

/** Nodes to spend; 0 leaves it to the agent. */
const EFFORTS = [0, 200, 1000, 2000, 5000, 20_000, 100_000, 500_000];

export class Engine {
  /** @param {any} setup @param {{ report: (report: any) => void, toggled: (on: boolean) => void }} say */
  constructor(setup, say) {
    this.say = say;
    /** @type {AbortController | null} */
    this.work = null;
    /** Whether every position that is gone to is looked at. */
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
          nodes === 0 ? 'its own budget' : `${nodes.toLocaleString('en')} nodes`,
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
    this.say.toggled(this.on);
  }

  draw() {
    say(this.run, this.on ? 'Stop' : 'Analyse');
  }

  /** What is asked for, beside the position. */
  terms() {
    const nodes = Number(this.effort.value);
    return nodes === 0 ? { agent: this.agent.spec() } : { agent: this.agent.spec(), nodes };
  }

  stop() {
    this.work?.abort();
    this.work = null;
  }

  /** Looks at a position and tells what it finds until it is done or stopped. @param {{ setup: any, start: string | null, moves: string[] }} position */
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
        if (!work.signal.aborted) this.say.report(report);
      }
    } catch (error) {
      if (work.signal.aborted) return;
      complain(error);
      this.on = false;
      this.draw();
    }
  }
}
