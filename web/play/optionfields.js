// A field for every option of a game. The server determines the options, their compatible values and their defaults.

import { get } from '../api.js';
import { h } from '../dom.js';
import { check, field, segments, select } from '../fields.js';
import { optionWords } from '../words.js';
import { boardTiles } from './boardtiles.js';

/**
 * @typedef {{ name: string, title: string, about: string, kind: 'flag' | 'number' | 'points' | 'name', allowed: any[] | null,
 *   least: number | null, most: number | null, value: any, default: any, prominent: boolean }} Option
 * @typedef {{ chosen: any, setup: any, dropped: string[], options: Option[] }} Options
 */

/**
 * The options of a game, given those already chosen. Where choices contradict each other, the most recent one wins.
 * @param {string} game @param {Record<string, any>} chosen @param {string} [first] the most recently chosen option
 * @returns {Promise<Options>}
 */
export function optionsFor(game, chosen, first) {
  const query = new URLSearchParams({ game });
  const names = Object.keys(chosen).sort((one, other) => Number(other === first) - Number(one === first));
  for (const name of names) query.set(name, String(chosen[name]));
  return get(`/api/options?${query}`);
}

/**
 * The fields of all options: the prominent ones, and the others under "More options".
 * @param {Options} response @param {(name: string, value: any) => void} choose @param {{ open: boolean }} more whether the others are shown
 */
export function optionFields(response, choose, more) {
  const shown = response.options.filter((option) => option.prominent);
  const others = response.options.filter((option) => !option.prominent);
  const [wide, narrow] = [shown.filter(isWide), shown.filter((option) => !isWide(option))];
  const draw = (/** @type {Option} */ option) => optionField(option, (value) => choose(option.name, value));
  const details = h(
    'details',
    {
      'data-test': 'more-options',
      open: more.open,
      on: {
        toggle: () => {
          more.open = details.open;
        },
      },
    },
    h('summary', null, 'More options'),
    h('div', { class: 'pairs' }, others.map(draw)),
  );
  return [wide.map(draw), h('div', { class: 'pairs' }, narrow.map(draw)), details];
}

/** Whether an option is shown as pictures. @param {Option} option */
function isWide(option) {
  return option.name === 'board';
}

/** @param {Option} option @param {(value: any) => void} choose */
function optionField(option, choose) {
  const { name, title, about, allowed, value } = option;
  if (isWide(option)) return boardTiles(value, choose);
  if (option.kind === 'flag') {
    // A flag with only one allowed value, such as the pie rule with three players, is not shown.
    return (allowed ?? []).length < 2 ? null : noted(option, check(about, value, choose, name));
  }
  const words = (/** @type {any} */ one) => optionWords(name, one);
  if (allowed && allowed.length <= 3 && option.kind === 'number') {
    const texts = allowed.map((one) => /** @type {[string, string]} */ ([String(one), words(one)]));
    return segments(title, name, texts, String(value), (text) => choose(Number(text)));
  }
  const control = allowed
    ? select(
        allowed.map((one) => [String(one), words(one)]),
        String(value),
        (text) => choose(option.kind === 'name' ? text : Number(text)),
        name,
      )
    : numberInput(option, choose);
  control.title = about;
  return noted(option, field(title, control));
}

/** @param {Option} option @param {(value: number) => void} choose */
function numberInput(option, choose) {
  const input = h('input', {
    type: 'number',
    step: option.kind === 'points' ? '0.5' : '1',
    min: option.least,
    max: option.most,
    value: String(option.value),
    'data-test': option.name,
    on: { change: () => choose(input.value === '' ? option.default : Number(input.value)) },
  });
  return input;
}

/** Adds the default to a field with another value. @param {Option} option @param {any} el */
function noted(option, el) {
  if (option.value === option.default) return el;
  const words = optionWords(option.name, option.default);
  el.append(h('span', { class: 'soft small', 'data-test': `${option.name}-default` }, `Default: ${words}`));
  return el;
}
