// Previews while a move is being chosen: targets, the path of a stack with its effects, and the cells of a choice.

import { s } from '../dom.js';
import { marker, pile, platform, territory } from './pieces.js';
import { outline } from './shape.js';

/** @typedef {import('./draw.js').Board} Board */
/** @typedef {import('./clicks.js').Move} Move */

/**
 * Marks the cells that the next click can choose, unobtrusively if these are nearly all cells.
 * @param {Board} board @param {Map<string, Move[]>} targets @param {string[]} picked
 * @param {Map<string, string>} risks the dangers of moves, by their texts
 */
export function showTargets(board, targets, picked, risks) {
  const nodes = [];
  const bases = [];
  const quiet = picked.length === 0;
  for (const at of picked) {
    bases.push(s('path', { class: 'picked', d: outline(board.shape, cell(board, at), 3) }));
  }
  for (const [at, moves] of targets) {
    const content = board.contents.get(at);
    if (moves.some((move) => move.steps[picked.length].length > 1)) {
      bases.push(s('path', { class: 'zone', d: outline(board.shape, cell(board, at), 2) }));
    } else if (content?.stack) {
      bases.push(s('g', { transform: board.place(at) }, platform(content.stack.length)));
    } else if (board.shape.kind !== 'go') {
      const captures = moves.some((move) => move.captures);
      const risky = moves.every((move) => risks.has(move.text)) ? ' risky' : '';
      const kind =
        quiet && !content ? 'hint-dot' : `dot${captures ? ' capture' : ''}${content ? ' around' : ''}${risky}`;
      nodes.push(
        s('circle', { class: kind, r: content ? 26 : quiet ? 4.5 : 13, transform: board.place(at) }),
      );
    }
  }
  board.overlay('bases', bases);
  board.overlay('targets', nodes);
}

/** @param {Board} board @param {string} at */
function cell(board, at) {
  return /** @type {import('./shape.js').Cell} */ (board.shape.cells.get(at));
}

/**
 * Previews a move or capture: the mover's markers on the path collapse and others flip, the origin gets a marker, and a ring is
 * lost where the stack lands on a marker.
 * @param {Board} board @param {Move} move @param {number} seat who moves
 */
export function showWay(board, move, seat) {
  const trail = [];
  const ghost = [];
  const [from] = move.steps[0];
  const to = move.steps[1]?.[0];
  for (const at of move.trail ?? []) {
    const content = board.contents.get(at);
    if (content?.marker === seat)
      trail.push(dim(territory(board.prefix, board.shape, cell(board, at), seat)));
    else if (content?.marker)
      ghost.push(
        s(
          'g',
          { transform: board.place(at) },
          s('circle', { class: 'wiped', r: 23.5 }),
          marker(seat, 'turning'),
        ),
      );
  }
  if (to && from && to !== from) {
    trail.push(wayLine(board, from, to));
    const rings = board.contents.get(from)?.stack;
    if (rings && move.kind !== 'recovery_slide') {
      const taken = move.captures ? board.contents.get(move.captures)?.stack?.[0] : undefined;
      const landing = taken ? [...rings, taken] : [...rings];
      const loses = Boolean(board.contents.get(to)?.marker);
      if (loses) landing.shift();
      if (landing.length > 0)
        ghost.push(s('g', { transform: board.place(to), class: 'ghost' }, pile(landing)));
      if (loses) ghost.push(s('text', { class: 'loss', transform: board.place(to), x: 30, y: -24 }, '−1'));
    }
  }
  if (move.captures)
    ghost.push(s('path', { class: 'taken', d: outline(board.shape, cell(board, move.captures), 4) }));
  board.overlay('trail', trail);
  board.overlay('ghost', ghost);
}

/** @param {number} count @param {string} one @param {string} more */
function counted(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}

/**
 * The description of a move with the effects that `showWay` draws.
 * @param {Board} board @param {Move} move @param {number} seat who moves
 */
export function wayWords(board, move, seat) {
  const passed = (move.trail ?? []).map((at) => board.contents.get(at)?.marker).filter(Boolean);
  const own = passed.filter((marker) => marker === seat).length;
  const to = move.steps[1]?.[0];
  const effects = [
    passed.length > own ? `flips ${counted(passed.length - own, 'marker', 'markers')}` : '',
    own > 0 ? `collapses ${counted(own, 'marker', 'markers')} into territory` : '',
    move.captures ? `captures a ring from ${move.captures}` : '',
    to && board.contents.get(to)?.marker ? 'loses the top ring' : '',
  ].filter(Boolean);
  return effects.length > 0 ? `${move.words}: ${effects.join(', ')}` : move.words;
}

/** Removes what `showWay` drew. @param {Board} board */
export function hideWay(board) {
  board.overlay('trail', []);
  board.overlay('ghost', []);
}

/** @param {Board} board @param {string} from @param {string} to */
function wayLine(board, from, to) {
  return s('line', { class: 'way', ...ends(board, from, to) });
}

/** @param {any} node */
function dim(node) {
  node.classList.add('coming');
  return node;
}

/** Highlights cells. @param {Board} board @param {string[]} cells @param {string} [kind] */
export function lights(board, cells, kind = 'light') {
  const there = cells.filter((at) => board.shape.cells.has(at));
  return there.map((at) =>
    s('path', {
      class: there.length > 4 ? `${kind} many` : kind,
      d: outline(board.shape, cell(board, at), 2),
    }),
  );
}

/** The origin and destination of a move, if it has both. @param {Move | undefined} move @returns {[string, string] | null} */
export function way(move) {
  if (!move || move.steps.length < 2 || move.steps[0].length !== 1 || move.steps[1].length !== 1) return null;
  return [move.steps[0][0], move.steps[1][0]];
}

/** The paths of a turn in the colour of its seat. @param {Board} board @param {[string, string][]} ways @param {number} seat */
export function trails(board, ways, seat) {
  return ways.flatMap(([from, to]) => [
    s('circle', { class: `trail-start s${seat}`, r: 12, transform: board.place(from) }),
    s('line', { class: `trail-line s${seat}`, ...ends(board, from, to) }),
    s('path', { class: `trail-end s${seat}`, d: outline(board.shape, cell(board, to), 3) }),
  ]);
}

/** The end points of a line between two cells. @param {Board} board @param {string} from @param {string} to */
function ends(board, from, to) {
  const [a, b] = [cell(board, from), cell(board, to)];
  return { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
}

/**
 * Indicates a move: by an arrow from origin to destination, or by highlighting its cells.
 * @param {Board} board @param {Move | undefined} move a legal one @param {string[]} marks for moves that are not known
 * @param {string} kind a class: hint, best, thinking, danger
 */
export function point(board, move, marks, kind) {
  const found = way(move);
  if (!found) {
    const cells = (move?.marks ?? marks).filter((at) => board.shape.cells.has(at));
    if (cells.length !== 1) return lights(board, cells, `light ${kind}`);
    return [s('circle', { class: `ring ${kind}`, r: 44, transform: board.place(cells[0]) })];
  }
  const [a, b] = found.map((at) => cell(board, at));
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const [sx, sy] = [a.x + ux * 22, a.y + uy * 22];
  const [ex, ey] = [b.x - ux * 22, b.y - uy * 22];
  const head = `M${b.x},${b.y}L${ex - uy * 16},${ey + ux * 16}L${ex + uy * 16},${ey - ux * 16}Z`;
  return [
    s('g', { class: `arrow ${kind}` }, s('line', { x1: sx, y1: sy, x2: ex, y2: ey }), s('path', { d: head })),
  ];
}
