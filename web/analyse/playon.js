// The dialog that starts a game from a position.

import { dialog } from '../dialog.js';
import { button } from '../dom.js';
import { go } from '../main.js';
import { chosenSeats, seatFields } from '../play/seatfields.js';
import { playersOf, settings } from '../settings.js';
import { showError } from '../messages.js';

/**
 * @param {any} setup of the position @param {(seats: string[]) => Promise<string>} start returns the address of the game
 */
export function askForSeats(setup, start) {
  const { game, ...options } = setup;
  const draft = structuredClone(settings);
  draft.game = game;
  draft.rules[/** @type {'ringrift' | 'go'} */ (game)] = options;
  const submit = async () => {
    try {
      const address = await start(chosenSeats(draft, 'play').slice(0, playersOf(setup)));
      shown.close();
      await go(address);
    } catch (error) {
      showError(error);
    }
  };
  const shown = dialog('Play from here', [seatFields(draft, 'play')], {
    test: 'play-on-dialog',
    buttons: [
      button('Cancel', () => shown.close()),
      button('Start game', submit, { class: 'main', 'data-test': 'start' }),
    ],
  });
}
