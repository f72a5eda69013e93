// The dialog for a new game: game, options and players. Settings are stored only once the server has accepted them.

import { dialog } from '../dialog.js';
import { button, h, put } from '../dom.js';
import { segments } from '../fields.js';
import { go } from '../main.js';
import { change, gameOf, boardOptions, settings } from '../settings.js';
import { showError } from '../messages.js';
import { earlierGames } from './earlier.js';
import { optionFields, optionsFor } from './optionfields.js';
import { seatFields } from './seatfields.js';

/** @typedef {import('../settings.js').Settings} Settings */

/**
 * @param {'play' | 'watch'} kind watched games have agents only
 * @param {() => Promise<string>} start creates the game and returns its address; if it fails, the settings stay unchanged
 */
export function openSetup(kind, start) {
  const draft = /** @type {Settings} */ (structuredClone(settings));
  const body = h('div', { class: 'inside-list' });
  const rules = new Rules(draft, () => put(body, rules.fields(), seatFields(draft, kind)));
  const begin = button(kind === 'play' ? 'Start game' : 'Start watching', () => submit(), {
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
      showError(error);
      begin.disabled = false;
    }
  };
  const shown = dialog(
    kind === 'play' ? 'New game' : 'New game to watch',
    [body, earlierGames(() => shown.close())],
    {
      test: 'new-game-dialog',
      buttons: [button('Cancel', () => shown.close()), begin],
    },
  );
  rules.ask();
}

/** The game and its options. The server determines what follows from a choice. */
class Rules {
  /** @param {Settings} draft changed as options are chosen @param {() => void} redraw */
  constructor(draft, redraw) {
    this.draft = draft;
    this.redraw = redraw;
    this.more = { open: false };
    /** @type {import('./optionfields.js').Options | null} */
    this.response = null;
    /** Resolves when the server has answered the latest choice. @type {Promise<void>} */
    this.settled = Promise.resolve();
  }

  /** Requests the options that follow from the choices. @param {string} [first] the most recently chosen option */
  ask(first) {
    const { game } = this.draft;
    const answer = optionsFor(game, this.draft.rules[game], first).then((response) => {
      // Ignore late responses to earlier requests.
      if (this.settled !== answer) return;
      this.response = response;
      const { game: _, ...chosen } = response.chosen;
      this.draft.rules[game] = chosen;
      this.redraw();
      this.focus(first ?? null);
    });
    this.settled = answer;
    answer.catch(showError);
  }

  /** @param {string} name @param {any} value */
  choose(name, value) {
    const chosen = this.draft.rules[this.draft.game];
    const usual = this.response?.options.find((option) => option.name === name)?.default;
    // Choosing the default unsets the option, so that it keeps following the others.
    if (value === usual && !boardOptions(this.draft.game).includes(name)) delete chosen[name];
    else chosen[name] = value;
    this.ask(name);
  }

  /** Restores the focus after redrawing. @param {string | null} name */
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
    const options = this.response
      ? optionFields(this.response, (name, value) => this.choose(name, value), this.more)
      : [];
    return [game, options];
  }
}
