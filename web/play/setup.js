// The dialog of a new game: which game, by which options, who plays it. Nothing is kept before the server agreed to it.

import { dialog } from '../dialog.js';
import { button, h, put } from '../dom.js';
import { segments } from '../fields.js';
import { go } from '../main.js';
import { change, gameOf, places, settings } from '../settings.js';
import { complain } from '../speak.js';
import { earlierGames } from './earlier.js';
import { optionFields, optionsFor } from './optionfields.js';
import { seatFields } from './seatfields.js';

/** @typedef {import('../settings.js').Settings} Settings */

/**
 * @param {'play' | 'watch'} kind watched games have agents only
 * @param {() => Promise<string>} start starts what the settings say and tells its address; if it cannot, everything stays as it was
 */
export function openSetup(kind, start) {
  const draft = /** @type {Settings} */ (structuredClone(settings));
  const body = h('div', { class: 'inside-list' });
  const rules = new Rules(draft, () => put(body, rules.fields(), seatFields(draft, kind)));
  const begin = button(kind === 'play' ? 'Start the game' : 'Start watching', () => submit(), {
    class: 'main',
    'data-test': 'start',
  });
  const submit = async () => {
    const before = gameOf(settings);
    begin.disabled = true;
    try {
      await rules.settled;
      change(gameOf(draft));
      const address = await start();
      shown.close();
      await go(address);
    } catch (error) {
      change(before);
      complain(error);
      begin.disabled = false;
    }
  };
  const shown = dialog(
    kind === 'play' ? 'A new game' : 'A game to watch',
    [body, earlierGames(() => shown.close())],
    {
      test: 'new-game-dialog',
      buttons: [button('Cancel', () => shown.close()), begin],
    },
  );
  rules.ask();
}

/** Which game is played and by which options. The server tells what follows from a choice. */
class Rules {
  /** @param {Settings} draft changed as options are chosen @param {() => void} redraw */
  constructor(draft, redraw) {
    this.draft = draft;
    this.redraw = redraw;
    this.more = { open: false };
    /** @type {import('./optionfields.js').Options | null} */
    this.told = null;
    /** Done when the server has answered the last choice. @type {Promise<void>} */
    this.settled = Promise.resolve();
  }

  /** Asks what follows from what is chosen. @param {string} [first] the option that was chosen last */
  ask(first) {
    const { game } = this.draft;
    const answer = optionsFor(game, this.draft.rules[game], first).then((told) => {
      // An earlier question may be answered late.
      if (this.settled !== answer) return;
      this.told = told;
      const { game: _, ...chosen } = told.chosen;
      this.draft.rules[game] = chosen;
      this.redraw();
      this.focus(first ?? null);
    });
    this.settled = answer;
    answer.catch(complain);
  }

  /** @param {string} name @param {any} value */
  choose(name, value) {
    const chosen = this.draft.rules[this.draft.game];
    const usual = this.told?.options.find((option) => option.name === name)?.default;
    // A default that is chosen goes on following what it depends on.
    if (value === usual && !places(this.draft.game).includes(name)) delete chosen[name];
    else chosen[name] = value;
    this.ask(name);
  }

  /** What was clicked is drawn anew: the focus stays where it was. @param {string | null} name */
  focus(name) {
    const hook = `dialog [data-test="${name}"]`;
    const there = `${hook} input:checked, ${hook}:is(input, select)`;
    if (name) /** @type {HTMLElement | null} */ (document.querySelector(there))?.focus();
  }

  fields() {
    const game = segments(
      'Game',
      'game',
      [
        ['ringrift', 'RingRift'],
        ['go', 'Go'],
      ],
      this.draft.game,
      (value) => {
        this.draft.game = /** @type {any} */ (value);
        this.ask('game');
      },
    );
    const options = this.told
      ? optionFields(this.told, (name, value) => this.choose(name, value), this.more)
      : [];
    return [game, options];
  }
}
