// What is told to everybody, also without eyes: the live region, and the notice across the top of the page.

import { say } from './dom.js';

/** Where games run by themselves no more than one sentence is spoken in this time: a voice takes longer than an agent. */
const BREATH = 2500;

let last = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Announces a sentence to screen readers.
 * @param {string} sentence @param {{ chatter?: boolean }} [options] of chatter only the latest counts, and not too often
 */
export function speak(sentence, options = {}) {
  clearTimeout(waiting);
  const pause = last + BREATH - Date.now();
  if (options.chatter && pause > 0) {
    waiting = setTimeout(() => speak(sentence), pause);
    return;
  }
  last = Date.now();
  const node = /** @type {HTMLElement} */ (document.getElementById('spoken'));
  // The same words once more are news as well, but only a changed text is read out.
  node.textContent = node.textContent === sentence ? `${sentence}\u00a0` : sentence;
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
  // A live region has to be there before its words: the notice is only for eyes, and ears get the same from theirs.
  if (node.hidden || node.textContent !== sentence) speak(sentence);
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
  const words = sentence(error);
  // Nothing outside an open dialog is seen well or heard at all, so the dialog says it.
  const place = document.querySelector('dialog[open] [data-test="dialog-error"]');
  if (place) {
    place.textContent = words;
    /** @type {HTMLElement} */ (place).hidden = false;
  } else {
    notice(words);
  }
}

/** What went wrong, as a sentence. @param {unknown} error */
export function sentence(error) {
  const words = error instanceof Error ? error.message : String(error);
  const whole = /[.!?…]$/.test(words) ? words : `${words}.`;
  return whole[0].toUpperCase() + whole.slice(1);
}
