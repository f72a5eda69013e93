// Fields for the seats of a game: a person, a level or any agent.

import { badge } from '../board/glyphs.js';
import { h, put } from '../dom.js';
import { select } from '../fields.js';
import { FIRST_LEVEL, playersOf, setupOf } from '../settings.js';
import { colour, levelName } from '../words.js';
import { agentsFor } from './hint.js';

/** @typedef {import('../settings.js').Settings} Settings */
/** @typedef {{ spec: string, about?: string, plays?: string, net?: string | null, fallback?: string | null }} Level */

/** The stored seats for a kind of game. @param {Settings} draft @param {'play' | 'watch'} kind */
export function chosenSeats(draft, kind) {
  if (kind === 'watch') return draft.watchers;
  return draft.game === 'go' ? draft.goSeats : draft.seats;
}

/** @param {Settings} draft changed as seats are chosen @param {'play' | 'watch'} kind watched games have agents only */
export function seatFields(draft, kind) {
  const chosen = chosenSeats(draft, kind);
  const kinds = h('datalist', { id: 'kinds-of-agents' });
  const list = h('div', { class: 'seat-choices' });
  const count = playersOf(setupOf(draft));
  const fill = (/** @type {Level[]} */ levels) =>
    put(
      list,
      Array.from({ length: count }, (_, index) => seatRow(draft.game, index, chosen, kind, levels)),
    );
  fill(Array.from({ length: 10 }, (_, index) => ({ spec: `d${index + 1}` })));
  agentsFor(setupOf(draft))
    .then((agents) => {
      // Do not redraw while the user is choosing.
      if (!list.contains(document.activeElement)) fill(agents.levels);
      put(
        kinds,
        agents.kinds.map((/** @type {any} */ one) => h('option', { value: one.spec }, one.about ?? '')),
      );
    })
    .catch(() => {});
  return h(
    'fieldset',
    { class: 'plain-set' },
    h('legend', { class: 'soft small' }, kind === 'play' ? 'Players' : 'Agents'),
    list,
    kinds,
  );
}

/** @param {string} game @param {number} index @param {string[]} chosen @param {'play' | 'watch'} kind @param {Level[]} levels */
function seatRow(game, index, chosen, kind, levels) {
  const name = colour(game, index + 1);
  const own = h('input', {
    type: 'text',
    list: 'kinds-of-agents',
    placeholder: 'mcts(sims=2000)',
    'aria-label': `Agent of ${name}`,
    'data-test': `seat-${index + 1}-agent`,
    spellcheck: 'false',
    autocomplete: 'off',
    class: 'mono',
    on: {
      input: () => {
        chosen[index] = own.value.trim() || FIRST_LEVEL;
      },
    },
  });
  const known =
    levels.some((level) => level.spec === chosen[index]) || (chosen[index] === 'human' && kind === 'play');
  const options = /** @type {[string, string][]} */ ([
    ...(kind === 'play' ? [['human', 'Human']] : []),
    ...levels.map((level) => [level.spec, levelName(level.spec) + (level.about ? ` · ${level.about}` : '')]),
    ['own', 'Other agent …'],
  ]);
  const note = h('span', { class: 'soft small note' });
  const tell = (/** @type {string} */ value) => {
    const level = levels.find((other) => other.spec === value);
    const without = level?.fallback ? 'Its neural network is not installed, so it plays with a heuristic.' : '';
    note.textContent = level?.net ? `Plays with the network ${level.net}.` : without;
    note.title = level?.fallback ?? '';
    note.hidden = note.textContent === '';
    own.hidden = value !== 'own';
  };
  const pick = select(
    options,
    known ? chosen[index] : 'own',
    (value) => {
      if (value !== 'own') chosen[index] = value;
      tell(value);
      if (value === 'own') own.focus();
    },
    `seat-${index + 1}-who`,
  );
  pick.setAttribute('aria-label', name);
  if (!known) own.value = chosen[index];
  tell(known ? chosen[index] : 'own');
  return h(
    'div',
    { class: 'seat-choice' },
    badge(game, index + 1),
    h('span', { class: 'name' }, name),
    pick,
    own,
    note,
  );
}
