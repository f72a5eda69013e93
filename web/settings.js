// What a person chose, kept in the browser: the next game and how things look. Unknown or broken entries fall back to the defaults.

const KEY = 'riftlab-settings';

/**
 * @typedef {{ game: 'ringrift', board: string, players: number, [option: string]: any }
 *   | { game: 'go', size: number, [option: string]: any }} Setup
 * @typedef {Object} Settings
 * @property {'ringrift' | 'go'} game
 * @property {Record<'ringrift' | 'go', Record<string, any>>} rules the options that are chosen for each game; the server has the defaults of the others
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
  rules: { ringrift: { board: 'square8', players: 2 }, go: { size: 9 } },
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
export const settings = structuredClone(DEFAULTS);

try {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
  for (const key of Object.keys(DEFAULTS)) {
    const name = /** @type {keyof Settings} */ (key);
    if (typeof kept[name] === typeof DEFAULTS[name]) /** @type {any} */ (settings)[name] = kept[name];
  }
  // Whatever was kept, a game has a place.
  for (const game of /** @type {const} */ (['ringrift', 'go'])) {
    settings.rules[game] = { ...DEFAULTS.rules[game], ...settings.rules[game] };
  }
} catch {
  // A broken entry is as good as none.
}

/** What belongs to the next game. @param {Settings} from @returns {Partial<Settings>} */
export function gameOf(from) {
  const { game, rules, seats, goSeats, watchers } = from;
  return structuredClone({ game, rules, seats, goSeats, watchers });
}

/** Forgets what the next game was to be, when it turned out that there is no such game. */
export function forgetGame() {
  change(gameOf(DEFAULTS));
}

/** The options that say where a game is played, which are always chosen. @param {'ringrift' | 'go'} game @returns {string[]} */
export function places(game) {
  return Object.keys(DEFAULTS.rules[game]);
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
  return /** @type {Setup} */ ({ game: from.game, ...from.rules[from.game] });
}

/** How many players a setup is for. @param {any} setup @returns {number} */
export function playersOf(setup) {
  return setup.game === 'go' ? 2 : setup.players;
}

/** Who sits where, as the server wants it. @param {Settings} from @returns {string[]} */
export function seatsOf(from) {
  return (from.game === 'go' ? from.goSeats : from.seats).slice(0, playersOf(setupOf(from)));
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
