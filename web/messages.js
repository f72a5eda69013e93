// Messages to the user: announcements for screen readers, the notice at the top of the page, and errors.

import { setText } from './dom.js';

/** The minimum time between announcements of a game between agents, in milliseconds: agents move faster than a voice speaks. */
const MIN_INTERVAL = 2500;

let last = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Announces a sentence to screen readers.
 * @param {string} sentence @param {{ chatter?: boolean }} [options] announcements marked as chatter are throttled, and only the latest is spoken
 */
export function announce(sentence, options = {}) {
  clearTimeout(waiting);
  const pause = last + MIN_INTERVAL - Date.now();
  if (options.chatter && pause > 0) {
    waiting = setTimeout(() => announce(sentence), pause);
    return;
  }
  last = Date.now();
  const node = /** @type {HTMLElement} */ (document.getElementById('spoken'));
  // A repeated message must be read out again, but screen readers read only text that changes.
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
  // A live region must exist before its text. The notice appears with its text, so the separate region announces it.
  if (node.hidden || node.textContent !== sentence) announce(sentence);
  setText(node, sentence);
  node.hidden = false;
  node.dataset.lasting = options.lasting ? 'true' : 'false';
  if (!options.lasting) timer = setTimeout(hideNotice, 6000);
}

/** Hides the notice. */
export function hideNotice() {
  const node = /** @type {HTMLElement} */ (document.getElementById('notice'));
  clearTimeout(timer);
  node.hidden = true;
}

/** Shows the message of an error. @param {unknown} error */
export function showError(error) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const words = sentence(error);
  // Content outside an open dialog is dimmed and not announced, so the dialog shows the error.
  const place = document.querySelector('dialog[open] [data-test="dialog-error"]');
  if (place) {
    place.textContent = words;
    /** @type {HTMLElement} */ (place).hidden = false;
  } else {
    notice(words);
  }
}

/** The message of an error as a sentence. @param {unknown} error */
export function sentence(error) {
  const words = error instanceof Error ? error.message : String(error);
  const whole = /[.!?…]$/.test(words) ? words : `${words}.`;
  return whole[0].toUpperCase() + whole.slice(1);
}
