// Form fields for dialogs.

import { h } from './dom.js';

/**
 * A segmented control.
 * @param {string} label @param {string} name @param {[string, string][]} options value and words @param {string} value
 * @param {(value: string) => void} choose
 */
export function segments(label, name, options, value, choose) {
  return h(
    'fieldset',
    { class: 'plain-set', 'data-test': name },
    h('legend', { class: 'soft small' }, label),
    h(
      'div',
      { class: 'segments' },
      options.map(([key, words]) =>
        h(
          'label',
          null,
          h('input', {
            type: 'radio',
            name,
            value: key,
            checked: key === value,
            on: { change: () => choose(key) },
          }),
          words,
        ),
      ),
    ),
  );
}

/** @param {string} label @param {any} control */
export function field(label, control) {
  return h('label', { class: 'field' }, h('span', null, label), control);
}

/** @param {string} label @param {boolean} value @param {(value: boolean) => void} choose @param {string} [test] */
export function check(label, value, choose, test) {
  const box = h('input', {
    type: 'checkbox',
    checked: value,
    'data-test': test,
    on: { change: () => choose(box.checked) },
  });
  return h('label', { class: 'check' }, box, label);
}

/** @param {[string, string][]} options @param {string} value @param {(value: string) => void} choose @param {string} test */
export function select(options, value, choose, test) {
  const el = h(
    'select',
    { 'data-test': test, on: { change: () => choose(el.value) } },
    options.map(([key, words]) => h('option', { value: key }, words)),
  );
  el.value = value;
  return el;
}
