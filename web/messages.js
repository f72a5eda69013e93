// Messages to the user: announcements for screen readers, the notice at the top of the page, and errors.

import { h, setText } from './dom.js';

/** The minimum time between announcements of a game between agents, in milliseconds: agents move faster than a voice speaks. */
const MIN_INTERVAL = 2500;

/** The time for which an announcement stays in the live region, in milliseconds: screen readers may read it later. */
const LASTS = 5000;

let last = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Announces a sentence to screen readers. Sentences that follow each other quickly are all spoken, because each is added to
 * the live region. If it replaced the previous one, that one might never be read.
 * @param {string} sentence @param {{ chatter?: boolean }} [options] announcements marked as chatter are throttled, and only the latest is spoken
 */
export function announce(sentence, options = {}) {
  clearTimeout(waiting);
  const now = Date.now();
  const pause = last + MIN_INTERVAL - now;
  if (options.chatter && pause > 0) {
    waiting = setTimeout(() => announce(sentence), pause);
    return;
  }
  last = now;
  const region = /** @type {HTMLElement} */ (document.getElementById('spoken'));
  for (const old of /** @type {HTMLElement[]} */ ([...region.children]))
    if (now - Number(old.dataset.at) > LASTS) old.remove();
  region.append(h('p', { 'data-at': String(now) }, sentence));
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
