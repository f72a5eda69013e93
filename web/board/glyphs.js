// The symbol of each seat, which distinguishes seats without relying on colour.

import { h, s } from '../dom.js';

/**
 * The symbol of a seat as a path around the origin: disc, diamond, triangle or square.
 * @param {number} seat counted from 1 @param {number} r
 */
export function glyphPath(seat, r) {
  switch (seat) {
    case 1:
      return `M${-r},0a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
    case 2: {
      const d = r * 1.2;
      return `M0,${-d}L${d},0L0,${d}L${-d},0Z`;
    }
    case 3: {
      const d = r * 1.25;
      return `M0,${-d}L${d * 1.04},${d * 0.78}H${-d * 1.04}Z`;
    }
    default: {
      const d = r * 0.92;
      return `M${-d},${-d}h${2 * d}v${2 * d}h${-2 * d}Z`;
    }
  }
}

/** The symbol of a seat for text and panels. @param {string} game @param {number} seat */
export function badge(game, seat) {
  const path = game === 'go' ? glyphPath(1, 8) : glyphPath(seat, seat === 1 ? 8 : 7.2);
  return h(
    'span',
    { class: `badge game-${game}`, 'aria-hidden': 'true' },
    s('svg', { viewBox: '-10 -10 20 20' }, s('path', { d: path, class: `sign s${seat}` })),
  );
}
