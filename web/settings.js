// The user's settings, stored in the browser: the next game and the appearance. Unknown or invalid entries fall back to defaults.

const KEY = 'riftlab-settings';

/**
 * @typedef {{ game: 'ringrift', board: string, players: number, [option: string]: any }
 *   | { game: 'go', size: number, [option: string]: any }} Setup
 * @typedef {Object} Settings
 * @property {'ringrift' | 'go'} game
 * @property {Record<'ringrift' | 'go', Record<string, any>>} rules the chosen options of each game; the server supplies the defaults of the others
 * @property {string[]} seats the four seats of RingRift
 * @property {string[]} goSeats
 * @property {string[]} watchers the four agents of games to watch
 * @property {number} delay milliseconds between moves when watching
 * @property {number} pace milliseconds per turn of an opponent; 0 shows all turns at once
 * @property {boolean} warnings whether threats of opponents are shown
 * @property {boolean} animations
 * @property {boolean} coordinates
 * @property {boolean} keys whether single letters are shortcuts
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {string} analyst agent spec for analysis, empty for the server's choice
 * @property {number} effort nodes for analysis
 */

/** The level that newcomers play against. */
export const FIRST_LEVEL = 'd1';

/** @type {Settings} */
const DEFAULTS = {
  game: 'ringrift',
  rules: { ringrift: { board: 'square8', players: 2 }, go: { size: 9 } },
  seats: ['human', FIRST_LEVEL, FIRST_LEVEL, FIRST_LEVEL],
  goSeats: ['human', FIRST_LEVEL],
  watchers: ['d3', 'd4', 'd3', 'd4'],
  delay: 500,
  pace: 600,
  warnings: true,
  animations: true,
  coordinates: true,
  keys: true,
  theme: 'auto',
  analyst: '',
  effort: 2000,
};

/** @type {Settings} */
export const settings = structuredClone(DEFAULTS);

try {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
  for (const key of Object.keys(DEFAULTS)) {
    const name = /** @type {keyof Settings} */ (key);
    if (typeof kept[name] === typeof DEFAULTS[name]) /** @type {any} */ (settings)[name] = kept[name];
  }
  // The board or size is always set.
  for (const game of /** @type {const} */ (['ringrift', 'go'])) {
    settings.rules[game] = { ...DEFAULTS.rules[game], ...settings.rules[game] };
  }
} catch {
  // An invalid entry counts as absent.
}

/** The settings of the next game. @param {Settings} from @returns {Partial<Settings>} */
export function gameOf(from) {
  const { game, rules, seats, goSeats, watchers } = from;
  return structuredClone({ game, rules, seats, goSeats, watchers });
}

/** Resets the settings of the next game, if the server does not accept them. */
export function forgetGame() {
  change(gameOf(DEFAULTS));
}

/** The options that determine the board, which are always set. @param {'ringrift' | 'go'} game @returns {string[]} */
export function boardOptions(game) {
  return Object.keys(DEFAULTS.rules[game]);
}

/** @type {Set<() => void>} */
const listeners = new Set();

/** Changes some settings, stores them and notifies listeners. @param {Partial<Settings>} some */
export function change(some) {
  Object.assign(settings, some);
  store(KEY, settings);
  applyTheme();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener @returns {() => void} removes the listener */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets the attributes for theme and animations that the style sheets read; `auto` leaves the theme to the system. */
export function applyTheme() {
  if (settings.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  document.documentElement.toggleAttribute('data-still', !settings.animations);
}

/** Whether animations are enabled both here and in the system. */
export function mayAnimate() {
  return settings.animations && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The setup of the next game, for the API. @param {Settings} from @returns {Setup} */
export function setupOf(from) {
  return /** @type {Setup} */ ({ game: from.game, ...from.rules[from.game] });
}

/** The number of players of a setup. @param {any} setup @returns {number} */
export function playersOf(setup) {
  return setup.game === 'go' ? 2 : setup.players;
}

/** The seats of the next game, for the API. @param {Settings} from @returns {string[]} */
export function seatsOf(from) {
  return (from.game === 'go' ? from.goSeats : from.seats).slice(0, playersOf(setupOf(from)));
}

/** Stores a value in the browser. Failures are ignored. @param {string} key @param {any} value */
export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage may be full or, in private windows, disabled.
  }
}

/** @param {string} key @param {any} fallback */
export function stored(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? fallback;
  } catch {
    return fallback;
  }
}
