// Animations of pieces, only if enabled: all under 200 milliseconds, except for claims, which are decisive and take longer.

import { mayAnimate } from '../settings.js';

/**
 * Animates a drawing along a path of cells to its present position.
 * @param {any} drawing @param {{ x: number, y: number }[]} path
 */
export function slide(drawing, path) {
  if (!drawing || !mayAnimate()) return;
  const end = path[path.length - 1];
  const frames = path.map((cell) => ({ transform: `translate(${cell.x - end.x}px, ${cell.y - end.y}px)` }));
  body(drawing).animate(frames, {
    duration: Math.min(190, 110 + 40 * (path.length - 1)),
    easing: 'cubic-bezier(.3,.1,.2,1)',
  });
}

/** How long a claim takes to spread over its cells, in milliseconds. */
const CLAIM_MS = 450;

/** Fills the cells of a claim one after another. @param {any[]} drawings */
export function claim(drawings) {
  if (!mayAnimate()) return;
  drawings.forEach((drawing, index) =>
    drawing.animate([{ opacity: 0 }, { opacity: 1, offset: 0.6 }, { opacity: 0.4, offset: 0.8 }, { opacity: 1 }], {
      duration: 360,
      delay: (CLAIM_MS * index) / drawings.length,
      fill: 'backwards',
    }),
  );
}

/** Fades a drawing in. @param {any} drawing */
export function arrive(drawing) {
  if (!mayAnimate()) return;
  body(drawing).animate([{ opacity: 0 }, { opacity: 1 }], { duration: 140, easing: 'ease-out' });
}

/** The part of a drawing that can be animated; the group around it has the position. @param {any} drawing */
function body(drawing) {
  return drawing.querySelector?.('.body') ?? drawing;
}
