// The appearance dialog. Changes take effect immediately.

import { dialog } from './dialog.js';
import { button, h } from './dom.js';
import { check, segments } from './fields.js';
import { change, settings } from './settings.js';

/** Opens the dialog. */
export function openLook() {
  const shown = dialog(
    'Appearance',
    [
      segments(
        'Theme',
        'theme',
        [
          ['auto', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ],
        settings.theme,
        (value) => change({ theme: /** @type {any} */ (value) }),
      ),
      segments(
        'Turns of opponents',
        'pace',
        [
          ['0', 'At once'],
          ['300', 'Fast'],
          ['600', 'Normal'],
          ['1500', 'Slow'],
        ],
        String(settings.pace),
        (value) => change({ pace: Number(value) }),
      ),
      h(
        'div',
        null,
        check(
          'Warn of threats',
          settings.warnings,
          (value) => change({ warnings: value }),
          'warnings',
        ),
        check(
          'Show coordinates',
          settings.coordinates,
          (value) => change({ coordinates: value }),
          'coordinates',
        ),
        check('Animations', settings.animations, (value) => change({ animations: value }), 'animations'),
        check(
          'Single-key shortcuts, such as h for a hint',
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
