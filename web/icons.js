// Icons for buttons: 16 units wide, drawn with lines in the text colour.

import { s } from './dom.js';

const PATHS = /** @type {Record<string, string>} */ ({
  undo: 'M6 3L2.5 6.5L6 10M3 6.5H10a3.5 3.5 0 0 1 0 7H6',
  hint: 'M5.5 10.5a4.5 4.5 0 1 1 5 0V12h-5zM6 14.3h4',
  flag: 'M3.5 14.5V2M3.5 2.5h8.5l-2 3l2 3h-8.5',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 1.8v3h-3',
  plus: 'M8 2.5v11M2.5 8h11',
  chart: 'M2 13.5h12M3.5 11L7 6.5l2.5 2.5L13 3.5',
});

/** @param {string} name */
export function icon(name) {
  return s(
    'svg',
    { class: 'icon line', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    s('path', { d: PATHS[name] }),
  );
}
