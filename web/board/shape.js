// The shape of a board: positions and outlines of its cells.

import { get } from '../api.js';

/** The width of a cell in units of the drawing; smaller units would blur text and strokes. */
export const UNIT = 100;

/** The corner radius of square cells. */
const CORNER = 6;

/**
 * @typedef {{ at: string, x: number, y: number }} Cell x to the right, y down, in units of the drawing
 * @typedef {Object} Shape
 * @property {'square' | 'hex' | 'go'} kind
 * @property {Map<string, Cell>} cells
 * @property {{ text: string, x: number, y: number }[]} labels
 * @property {string[]} stars
 * @property {{ x: number, y: number, width: number, height: number }} bare the box without labels
 * @property {{ x: number, y: number, width: number, height: number }} box the box with labels
 */

/** @type {Map<string, Promise<Shape>>} */
const known = new Map();

/** The shape of a setup's board, fetched once. @param {any} setup @returns {Promise<Shape>} */
export function loadShape(setup) {
  const query = setup.game === 'go' ? `game=go&size=${setup.size}` : `game=ringrift&board=${setup.board}`;
  let shape = known.get(query);
  if (!shape) {
    shape = get(`/api/shape?${query}`).then(measured);
    shape.catch(() => known.delete(query));
    known.set(query, shape);
  }
  return shape;
}

/** @param {any} response @returns {Shape} */
function measured(response) {
  const cells = new Map();
  for (const { at, x, y } of response.cells) cells.set(at, { at, x: x * UNIT, y: y * UNIT });
  const labels = (response.labels ?? []).map((/** @type {any} */ label) => ({
    text: label.text,
    x: label.x * UNIT,
    y: label.y * UNIT,
  }));
  const edge = response.kind === 'go' ? 0.6 : response.kind === 'hex' ? 0.64 : 0.58;
  const bare = around([...cells.values()], edge * UNIT);
  const box = around([...cells.values()], edge * UNIT);
  const outer = around(labels, 0.3 * UNIT);
  if (labels.length > 0) Object.assign(box, union(box, outer));
  return { kind: response.kind, cells, labels, stars: response.stars ?? [], bare, box };
}

/** @param {{ x: number, y: number }[]} points @param {number} margin */
function around(points, margin) {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const x = Math.min(...xs) - margin;
  const y = Math.min(...ys) - margin;
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** @param {any} a @param {any} b */
function union(a, b) {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** The outline of a cell as a path. @param {Shape} shape @param {Cell} cell @param {number} [inset] */
export function outline(shape, cell, inset = 0) {
  if (shape.kind === 'hex') {
    const radius = UNIT / Math.sqrt(3) - inset;
    const corners = [];
    for (let corner = 0; corner < 6; corner += 1) {
      const angle = (Math.PI / 3) * corner - Math.PI / 2;
      corners.push(`${round(cell.x + radius * Math.cos(angle))},${round(cell.y + radius * Math.sin(angle))}`);
    }
    return `M${corners.join('L')}Z`;
  }
  const half = UNIT / 2 - inset;
  const [left, top] = [round(cell.x - half), round(cell.y - half)];
  if (inset <= 0) return `M${left},${top}h${half * 2}v${half * 2}h${-half * 2}Z`;
  const side = half * 2 - 2 * CORNER;
  const turn = (/** @type {number} */ x, /** @type {number} */ y) => `a${CORNER},${CORNER} 0 0 1 ${x},${y}`;
  return `M${left + CORNER},${top}h${side}${turn(CORNER, CORNER)}v${side}${turn(-CORNER, CORNER)}h${-side}${turn(-CORNER, -CORNER)}v${-side}${turn(CORNER, -CORNER)}Z`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * The cell that an arrow key leads to: the nearest one ahead, where sideways distance counts double. On hexagonal boards, Up and
 * Down zigzag around `column`, the x at which the vertical movement began.
 * @param {Shape} shape @param {string} from @param {string} key @param {number} column
 */
export function towards(shape, from, key, column) {
  const here = /** @type {Cell} */ (shape.cells.get(from));
  const [dx, dy] = ARROWS[key];
  let best = from;
  let least = Infinity;
  for (const cell of shape.cells.values()) {
    const ahead = (cell.x - here.x) * dx + (cell.y - here.y) * dy;
    if (ahead < UNIT * 0.4) continue;
    const aside = Math.abs((cell.x - here.x) * dy) + Math.abs((cell.y - here.y) * dx);
    const stray = dy === 0 ? 0 : Math.abs(cell.x - column) * 0.01;
    const cost = ahead + 2 * aside + stray;
    if (aside <= ahead && cost < least) {
      least = cost;
      best = cell.at;
    }
  }
  return best;
}

/** The cell in the middle of the board. @param {Shape} shape */
export function middle(shape) {
  const { x, y, width, height } = shape.bare;
  const away = (/** @type {Cell} */ cell) => Math.hypot(cell.x - x - width / 2, cell.y - y - height / 2);
  return [...shape.cells.values()].reduce((best, cell) => (away(cell) < away(best) ? cell : best)).at;
}

/** Whether a key is one of the four arrows. @param {string} key */
export function isArrow(key) {
  return key in ARROWS;
}
