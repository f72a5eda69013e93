// The dialog of appearance, the same on every page. What is chosen shows at once.

import { dialog } from './dialog.js';
import { button, h } from './dom.js';
import { check, segments } from './fields.js';
import { change, settings } from './settings.js';

/** Asks how things should look. */
export function openLook() {
  const shown = dialog(
    'Appearance',
    [
      segments(
        'Theme',
        'theme',
        [
          ['auto', 'As the system'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ],
        settings.theme,
        (value) => change({ theme: /** @type {any} */ (value) }),
      ),
      h(
        'div',
        null,
        check(
          'Coordinates beside the board',
          settings.coordinates,
          (value) => change({ coordinates: value }),
          'coordinates',
        ),
        check('Animations', settings.animations, (value) => change({ animations: value }), 'animations'),
        check(
          'Keys without Ctrl, such as h for a hint',
          settings.keys,
          (value) => change({ keys: value }),
          'single-keys',
        ),
      ),
    ],
    {
      test: 'look-dialog',
      buttons: [button('Close', () => shown.close(), { class: 'main' })],
    },
  );
}
