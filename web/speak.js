// What is told to everybody, also without eyes: the live region, and the notice across the top of the page.

import { say } from './dom.js';

/** Announces a sentence to screen readers. @param {string} sentence */
export function speak(sentence) {
  say(/** @type {HTMLElement} */ (document.getElementById('spoken')), sentence);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Shows a sentence at the top of the page.
 * @param {string} sentence @param {{ lasting?: boolean }} [options] a lasting notice stays until `hideNotice`
 */
export function notice(sentence, options = {}) {
  const node = /** @type {HTMLElement} */ (document.getElementById('notice'));
  clearTimeout(timer);
  say(node, sentence);
  node.hidden = false;
  node.dataset.lasting = options.lasting ? 'true' : 'false';
  if (!options.lasting) timer = setTimeout(hideNotice, 6000);
}

/** Takes the notice away. */
export function hideNotice() {
  const node = /** @type {HTMLElement} */ (document.getElementById('notice'));
  clearTimeout(timer);
  node.hidden = true;
}

/** Says that something went wrong in the words it came with. @param {unknown} error */
export function complain(error) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  notice(error instanceof Error ? error.message : String(error));
}
