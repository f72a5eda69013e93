// Texts for players: names of seats, boards and options, numbers and times. No rule is decided here.

/** @typedef {import('./settings.js').Setup} Setup */

const COLOURS = ['Blue', 'Amber', 'Crimson', 'Mint'];
const STONES = ['Black', 'White'];
const BOARDS = /** @type {Record<string, string>} */ ({
  square8: '8×8 squares',
  square19: '19×19 squares',
  hex8: 'small hexagon',
  hexagonal: 'large hexagon',
});

/** The name of a seat's colour. @param {string} game @param {number} seat counted from 1 */
export function colour(game, seat) {
  return (game === 'go' ? STONES : COLOURS)[seat - 1] ?? `Seat ${seat}`;
}

/** Replaces seat numbers by colours: "Seat 1 wins" becomes "Blue wins". @param {string} game @param {string} text */
export function coloured(game, text) {
  return text.replace(/\bseat (\d)\b/gi, (_, seat) => colour(game, Number(seat)));
}

/** A prompt that begins with the colour to move. @param {string} game @param {number} seat @param {string} text */
export function promptTo(game, seat, text) {
  const words = coloured(game, text);
  const name = colour(game, seat);
  return words.startsWith(name) ? words : `${name}: ${words}`;
}

/** @param {any} setup */
export function setupWords(setup) {
  if (setup.game === 'go') {
    const stones = setup.handicap > 0 ? ` · ${setup.handicap} handicap stones` : '';
    return `Go · ${setup.size}×${setup.size}${stones} · komi ${setup.komi}`;
  }
  const players = setup.players > 2 ? ` · ${setup.players} players` : '';
  return `RingRift · ${BOARDS[setup.board] ?? setup.board}${players}`;
}

/** What wins a game, in one sentence. @param {any} view */
export function goalWords(view) {
  const { game, players } = view.setup;
  if (game === 'go') return 'Goal: more points than your opponent. Surround empty points, and capture stones.';
  const { eliminations, territory } = view.goals;
  const others = players > 2 ? 'all others together' : 'your opponent';
  return `Goal: eliminate ${eliminations} rings, or own ${territory} cells and more than ${others}, or be the last who can act.`;
}

/** Texts for values of options; other values are shown as they are. */
const VALUES = /** @type {Record<string, Record<string, string>>} */ ({
  scoring: { area: 'area (Chinese)', territory: 'territory (Japanese)' },
  ko: { positional: 'positional superko', situational: 'situational superko', simple: 'simple ko' },
  handicap: { 0: 'none' },
  variant: { 'hex8-line3': 'three in a row', base: 'four in a row' },
  recovery: { reference: 'as in the reference engine', text: 'as in the published rules' },
});

/** The text for a value of an option. @param {string} option @param {any} value */
export function optionWords(option, value) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (option === 'size') return `${value}×${value}`;
  return VALUES[option]?.[value] ?? String(value);
}

/** @param {string} board */
export function boardWords(board) {
  return BOARDS[board] ?? board;
}

/** The name of a seat's occupant. @param {{ who: string, name?: string, spec?: string }} seat */
export function seatName(seat) {
  if (seat.who === 'human') return seat.name ?? 'You';
  return levelName(seat.spec ?? seat.name ?? 'Agent');
}

/** A level such as `d3` is shown as D3, any other spec as it is. @param {string} spec */
export function levelName(spec) {
  return /^d\d+$/.test(spec) ? spec.toUpperCase() : spec;
}

/** A score of Go as a sentence: `B+3.5` is "Black is ahead by 3.5." @param {string} text */
export function scoreWords(text) {
  const [, who, points] = /^([BW])\+([\d.]+)$/.exec(text) ?? [];
  return who ? `${who === 'B' ? 'Black' : 'White'} is ahead by ${points}.` : 'The score is even.';
}

/** A move in a list. All skipped options are shown as "skip"; the tooltip has the details. @param {string} text */
export function moveWords(text) {
  return text.startsWith('skip-') ? 'skip' : text;
}

/** @param {number} count */
export function many(count) {
  if (count >= 1e7) return `${(count / 1e6).toFixed(0)} M`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e5) return `${(count / 1e3).toFixed(0)} k`;
  if (count >= 1e4) return `${(count / 1e3).toFixed(1)} k`;
  return count.toLocaleString('en');
}

/** @param {number} ms */
export function time(ms) {
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** A value from −1 to 1 as an expected score: 100 % for a certain win, 0 % for a certain loss. @param {number} value */
export function percent(value) {
  return `${Math.round((value + 1) * 50)} %`;
}

/** A number of an agent's report, shortened for display. @param {number} value */
export function number(value) {
  if (Number.isInteger(value)) return many(value);
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 3);
}

/** Texts for the numbers that agents report and for the ways in which games end. */
const FIELDS = /** @type {Record<string, string>} */ ({
  depth: 'search depth',
  tree: 'positions in the tree',
  fill: 'average batch fill',
  threads: 'threads',
  iterations: 'iterations',
  expansions: 'positions expanded',
  transpositions: 'transpositions',
  kept: 'positions reused',
  plies: 'maximum depth in moves',
  turns_to_end: 'turns to the end',
  ring_elimination: 'rings eliminated',
  territory_control: 'territory',
  last_player_standing: 'last player standing',
  illegal_move: 'illegal move',
  sigma: 'σ',
  moved: 'paths that changed the move',
  gain: 'average gain of a path',
});

/** The text for a field of a report or a reason; unknown ones by their name: `root_value` becomes "root value". @param {string} name */
export function fieldWords(name) {
  return FIELDS[name] ?? name.replaceAll('_', ' ');
}

/** The text for a rating scale: `ringrift/square8/2p` becomes "RingRift · 8×8 squares · 2 players". @param {string} scale */
export function scaleWords(scale) {
  const [venue, ...differences] = scale.split('+');
  const [game, board, players] = venue.split('/');
  const parts =
    game === 'go'
      ? ['Go', board.replace('x', '×')]
      : ['RingRift', boardWords(board), (players ?? '').replace(/^(\d)p$/, '$1 players')];
  return [...parts, ...differences].filter((part) => part !== '').join(' · ');
}

/** @param {string} iso */
export function when(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
