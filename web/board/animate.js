// Pieces in motion: all under 200 milliseconds, none where animations are off.

import { mayAnimate } from '../settings.js';

/**
 * Slides a drawing along cells to where it already stands.
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

/** Lets a drawing appear. @param {any} drawing */
export function arrive(drawing) {
  if (!mayAnimate()) return;
  body(drawing).animate([{ opacity: 0 }, { opacity: 1 }], { duration: 140, easing: 'ease-out' });
}

/** The part of a drawing that may move: its place is an attribute of the group around it. @param {any} drawing */
function body(drawing) {
  return drawing.querySelector?.('.body') ?? drawing;
}
