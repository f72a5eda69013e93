// A field for choosing a game, a board and a number of players.

import { h } from '../dom.js';
import { setupOf, settings } from '../settings.js';
import { boardWords } from '../words.js';

const BOARDS = ['square8', 'hex8', 'square19', 'hexagonal'];
const SIZES = [5, 7, 9, 13, 19];

/** @typedef {{ value: string, text: string, setup: any }} Venue */

/** @returns {{ label: string, venues: Venue[] }[]} */
function venues() {
  const ringrift = [2, 3, 4].flatMap((players) =>
    BOARDS.map((board) => ({
      value: `${board}/${players}`,
      text: `${boardWords(board)}, ${players} players`,
      setup: { game: 'ringrift', board, players },
    })),
  );
  const go = SIZES.map((size) => ({
    value: `go/${size}`,
    text: `Go ${size}×${size}`,
    setup: { game: 'go', size },
  }));
  return [
    { label: 'RingRift', venues: ringrift },
    { label: 'Go', venues: go },
  ];
}

/** The board of the next game in the settings, as the default. */
function defaultVenue() {
  const setup = /** @type {any} */ (setupOf(settings));
  return setup.game === 'go' ? `go/${setup.size}` : `${setup.board}/${setup.players}`;
}

/**
 * The field, at first with the board of the next game in the settings.
 * @param {any} attributes of the element
 */
export function venuePicker(attributes) {
  const groups = venues();
  const known = new Map(groups.flatMap((group) => group.venues.map((venue) => [venue.value, venue])));
  const el = h(
    'select',
    attributes,
    groups.map((group) =>
      h(
        'optgroup',
        { label: group.label },
        group.venues.map((venue) => h('option', { value: venue.value }, venue.text)),
      ),
    ),
  );
  el.value = known.has(defaultVenue()) ? defaultVenue() : 'square8/2';
  return { el, setup: () => known.get(el.value)?.setup };
}
