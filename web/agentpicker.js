// A field for choosing an agent: a level, a kind of agent, or any spec.

import { h } from './dom.js';
import { agentsFor } from './play/hint.js';
import { levelName } from './words.js';

/**
 * A text field for an agent's spec, with suggestions for the setup.
 * @param {any} setup @param {string} value @param {{ label: string, test?: string, change?: (spec: string) => void }} options
 */
export function agentField(setup, value, options) {
  const id = `agents-${Math.random().toString(36).slice(2)}`;
  const list = h('datalist', { id });
  const input = h('input', {
    type: 'text',
    list: id,
    value,
    'aria-label': options.label,
    'data-test': options.test,
    spellcheck: 'false',
    autocomplete: 'off',
    on: { change: () => options.change?.(input.value.trim()) },
  });
  const ready = agentsFor(setup)
    .then((agents) => {
      if (input.value === '') input.value = agents.hint ?? 'd5';
      list.append(
        ...agents.levels.map((/** @type {any} */ level) =>
          h('option', { value: level.spec }, `${levelName(level.spec)} ${level.plays ?? ''}`),
        ),
        ...agents.kinds.map((/** @type {any} */ kind) => h('option', { value: kind.spec }, kind.about ?? '')),
      );
    })
    .catch(() => {});
  return {
    el: h('span', { class: 'agent-field' }, input, list),
    input,
    ready,
    spec: () => input.value.trim() || 'd5',
  };
}
