// The dialog that asks who shall play on from a position.

import { dialog } from '../dialog.js';
import { button } from '../dom.js';
import { go } from '../main.js';
import { chosenSeats, seatFields } from '../play/seatfields.js';
import { playersOf, settings } from '../settings.js';
import { complain } from '../speak.js';

/**
 * @param {any} setup of the position @param {(seats: string[]) => Promise<string>} start tells the game's address
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
      complain(error);
    }
  };
  const shown = dialog('Play on from here', [seatFields(draft, 'play')], {
    test: 'play-on-dialog',
    buttons: [
      button('Cancel', () => shown.close()),
      button('Start the game', submit, { class: 'main', 'data-test': 'start' }),
    ],
  });
}
