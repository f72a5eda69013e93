// What a person chose, kept in the browser: the next game and how things look. Unknown or broken entries fall back to the defaults.

const KEY = 'riftlab-settings';

/**
 * @typedef {{ game: 'ringrift', board: string, players: number, swap?: boolean }
 *   | { game: 'go', size: number, komi: number, handicap: number, scoring: string, ko: string }} Setup
 * @typedef {Object} Settings
 * @property {'ringrift' | 'go'} game
 * @property {string} board
 * @property {number} players
 * @property {boolean} swap
 * @property {number} size
 * @property {number} komi
 * @property {number} handicap
 * @property {string} scoring
 * @property {string} ko
 * @property {string[]} seats who sits where in RingRift, four of them
 * @property {string[]} goSeats
 * @property {string[]} watchers agents for games that are only watched, four of them
 * @property {number} delay milliseconds between moves when watching
 * @property {boolean} animations
 * @property {boolean} coordinates
 * @property {boolean} keys whether single letters are shortcuts
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {string} analyst agent spec for analysis, empty for the server's choice
 * @property {number} effort nodes for analysis
 */

/** @type {Settings} */
const DEFAULTS = {
  game: 'ringrift',
  board: 'square8',
  players: 2,
  swap: true,
  size: 9,
  komi: 7.5,
  handicap: 0,
  scoring: 'area',
  ko: 'positional',
  seats: ['human', 'd3', 'd3', 'd3'],
  goSeats: ['human', 'd3'],
  watchers: ['d3', 'd4', 'd3', 'd4'],
  delay: 500,
  animations: true,
  coordinates: true,
  keys: true,
  theme: 'auto',
  analyst: '',
  effort: 2000,
};

/** @type {Settings} */
export const settings = { ...DEFAULTS };

try {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
  for (const key of Object.keys(DEFAULTS)) {
    const name = /** @type {keyof Settings} */ (key);
    if (typeof kept[name] === typeof DEFAULTS[name]) /** @type {any} */ (settings)[name] = kept[name];
  }
} catch {
  // A broken entry is as good as none.
}

/** Forgets what the next game was to be, when it turned out that there is no such game. */
export function forgetGame() {
  const { game, board, players, swap, size, komi, handicap, scoring, ko, seats, goSeats, watchers } =
    DEFAULTS;
  change({ game, board, players, swap, size, komi, handicap, scoring, ko, seats, goSeats, watchers });
}

/** @type {Set<() => void>} */
const listeners = new Set();

/** Changes some settings, keeps them and tells whoever draws by them. @param {Partial<Settings>} some */
export function change(some) {
  Object.assign(settings, some);
  keep(KEY, settings);
  applyTheme();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener @returns {() => void} ends it */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Theme and stillness are attributes of the root, which the style sheets read; `auto` leaves the theme to the system. */
export function applyTheme() {
  if (settings.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  document.documentElement.toggleAttribute('data-still', !settings.animations);
}

/** Whether pieces may move: the switch and the system both have a say. */
export function mayAnimate() {
  return settings.animations && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** What is agreed before the first move, as the server wants it. @param {Settings} from @returns {Setup} */
export function setupOf(from) {
  if (from.game === 'go') {
    const { size, komi, handicap, scoring, ko } = from;
    return { game: 'go', size, komi, handicap, scoring, ko };
  }
  const setup = /** @type {Setup} */ ({ game: 'ringrift', board: from.board, players: from.players });
  if (from.players === 2) /** @type {any} */ (setup).swap = from.swap;
  return setup;
}

/** Who sits where, as the server wants it. @param {Settings} from @returns {string[]} */
export function seatsOf(from) {
  return from.game === 'go' ? from.goSeats.slice(0, 2) : from.seats.slice(0, from.players);
}

/** Keeps something small in the browser; a full or forbidden store is no reason to stop. @param {string} key @param {any} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows may refuse.
  }
}

/** @param {string} key @param {any} otherwise */
export function kept(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise;
  } catch {
    return otherwise;
  }
}
