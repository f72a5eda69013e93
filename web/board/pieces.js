// Drawings of pieces around the origin: stacks of rings, markers, territory and stones.

import { s } from '../dom.js';
import { glyphPath } from './glyphs.js';
import { UNIT, outline } from './shape.js';

/** @typedef {{ at: string, stack?: number[], marker?: number, collapsed?: number, stone?: number }} Content rings top first */

const RX = 34;
const RY = 18.5;

/** A fingerprint of a cell's content, compared to find the cells to redraw. @param {Content | undefined} content */
export function fingerprint(content) {
  if (!content) return '';
  if (content.stack) return `s${content.stack.join('')}`;
  if (content.marker) return `m${content.marker}`;
  if (content.collapsed) return `c${content.collapsed}`;
  return content.stone ? `o${content.stone}` : '';
}

/** The upper rim of a ring, drawn from left to right. @param {number} y @param {number} rx @param {number} ry */
function rim(y, rx, ry) {
  return `M${-rx},${y}A${rx},${ry} 0 0 1 ${rx},${y}`;
}

/** A part of a stack, seen obliquely from above. @param {number} top @param {number} bottom */
function drum(top, bottom) {
  return `${rim(top, RX, RY)}V${bottom}A${RX},${RY} 0 0 1 ${-RX},${bottom}Z`;
}

/** The offset of a stack's lowest ring below the middle of its cell. @param {number} height */
export function footing(height) {
  return (height * thickness(height)) / 2;
}

/** A highlight around the foot of a stack that can be chosen. @param {number} height */
export function platform(height) {
  return s('ellipse', { class: 'platform', cx: 0, cy: footing(height), rx: RX + 10, ry: RY + 8 });
}

/** The thickness of a stack's rings, such that stacks of any height fit into a cell. @param {number} height */
function thickness(height) {
  return Math.min(12, 50 / height);
}

/**
 * A stack of rings with its cap outlined and, from four rings up, its height as a number. Lower rings are drawn first.
 * @param {number[]} rings top first
 */
export function pile(rings) {
  const height = rings.length;
  const thick = thickness(height);
  const ground = footing(height);
  const crown = ground - height * thick;
  let cap = 1;
  while (cap < height && rings[cap] === rings[0]) cap += 1;
  const group = s('g', { class: 'pile' });
  group.append(s('ellipse', { class: 'shade', cx: 3, cy: ground + 5, rx: RX + 3, ry: RY + 1 }));
  for (let index = height - 1; index >= 0; index -= 1) {
    const top = crown + index * thick;
    group.append(s('path', { class: `drum s${rings[index]}`, d: drum(top, top + thick) }));
    if (rings[index] !== 1 && thick >= 5) {
      const middle = top + thick / 2;
      group.append(
        s('path', {
          class: `band b${rings[index]} s${rings[index]}`,
          d: `M${-RX},${middle}A${RX},${RY} 0 0 0 ${RX},${middle}`,
        }),
      );
    }
  }
  group.append(
    s('ellipse', { class: `face s${rings[0]}`, cx: 0, cy: crown, rx: RX, ry: RY }),
    s('ellipse', { class: `hole s${rings[0]}`, cx: 0, cy: crown, rx: RX * 0.56, ry: RY * 0.56 }),
    s('path', {
      class: `sign s${rings[0]}`,
      d: glyphPath(rings[0], 7.5),
      transform: `translate(0 ${crown})`,
    }),
    s('path', { class: 'cap', d: drum(crown, crown + cap * thick) }),
  );
  if (height >= 4) group.append(s('text', { class: 'height', x: RX - 1, y: ground + 16 }, String(height)));
  return group;
}

/** A marker: the symbol of its seat, small and flat. @param {number} seat @param {string} [extra] */
export function marker(seat, extra = '') {
  return s('path', { class: `marker s${seat} ${extra}`, d: glyphPath(seat, 14) });
}

/** A stone of Go. @param {string} prefix of the board @param {number} seat */
export function stone(prefix, seat) {
  return s(
    'g',
    null,
    s('circle', { class: 'shade', cx: 2, cy: 4, r: UNIT * 0.47 }),
    s('circle', {
      class: `stone s${seat}`,
      cx: 0,
      cy: 0,
      r: UNIT * 0.47,
      fill: `url(#${prefix}-stone${seat})`,
    }),
  );
}

/** Gradient stops of the light on a stone. */
const STONES = [
  ['#565b65', '#17191d'],
  ['#ffffff', '#d9d3c6'],
];

/** The patterns of territory and the gradients of stones, defined once per board. @param {string} prefix */
export function patterns(prefix) {
  const lines = [
    'M-4,4L4,-4M0,16L16,0M12,20L20,12',
    'M8,4.5L11.5,8L8,11.5L4.5,8Z',
    'M0,4H16M0,12H16',
    'M-4,12L4,20M0,0L16,16M12,-4L20,4M0,16L16,0',
  ];
  return s(
    'defs',
    null,
    STONES.map(([near, far], index) =>
      s(
        'radialGradient',
        { id: `${prefix}-stone${index + 1}`, cx: 0.36, cy: 0.3, r: 0.72 },
        s('stop', { offset: 0, 'stop-color': near }),
        s('stop', { offset: 1, 'stop-color': far }),
      ),
    ),
    lines.map((path, index) =>
      s(
        'pattern',
        {
          id: `${prefix}-t${index + 1}`,
          width: 16,
          height: 16,
          patternUnits: 'userSpaceOnUse',
        },
        s('rect', { width: 16, height: 16, class: `land s${index + 1}` }),
        s('path', { d: path, class: `hatch h${index + 1} s${index + 1}` }),
      ),
    ),
  );
}

/**
 * Territory fills its cell, so it is drawn at the position of the cell rather than around the origin.
 * @param {string} prefix @param {import('./shape.js').Shape} shape @param {import('./shape.js').Cell} cell @param {number} seat
 */
export function territory(prefix, shape, cell, seat) {
  return s('path', { class: 'territory', d: outline(shape, cell, 1), fill: `url(#${prefix}-t${seat})` });
}

/** The text for a cell's content, for screen readers. @param {Content | undefined} content @param {(seat: number) => string} name */
export function contentWords(content, name) {
  if (!content) return 'empty';
  if (content.stone) return `${name(content.stone)} stone`;
  if (content.marker) return `marker of ${name(content.marker)}`;
  if (content.collapsed) return `territory of ${name(content.collapsed)}`;
  const rings = content.stack ?? [];
  if (rings.length === 0) return 'empty';
  if (rings.length === 1) return `one ring of ${name(rings[0])}`;
  if (rings.every((ring) => ring === rings[0])) return `stack of ${rings.length} of ${name(rings[0])}`;
  return `stack of ${rings.length} of ${name(rings[0])}, from the top ${rings.map(name).join(', ')}`;
}
