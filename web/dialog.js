// Modal dialogs based on the <dialog> element, which manages the focus.

import { button, h } from './dom.js';

/**
 * Opens a dialog.
 * @param {string} title @param {any[]} content @param {{ test?: string, buttons?: HTMLElement[] }} [options]
 * @returns {{ el: HTMLDialogElement, close: () => void, closed: Promise<void> }}
 */
export function dialog(title, content, options = {}) {
  const heading = h('h1', { id: 'dialog-title' }, title);
  const el = h(
    'dialog',
    { 'aria-labelledby': 'dialog-title', 'data-test': options.test },
    h(
      'div',
      { class: 'inside' },
      heading,
      content,
      h('p', { class: 'fault', role: 'alert', 'data-test': 'dialog-error', hidden: true }),
      options.buttons ? h('div', { class: 'foot' }, options.buttons) : null,
    ),
  );
  const closed = new Promise((done) => {
    el.addEventListener('close', () => {
      el.remove();
      done(undefined);
    });
  });
  el.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    if (event.target === el) el.close();
  });
  document.body.append(el);
  el.showModal();
  return { el, close: () => el.close(), closed: /** @type {Promise<void>} */ (closed) };
}

/**
 * Asks for confirmation of an irreversible action.
 * @param {string} title @param {string} sentence @param {string} yes
 * @returns {Promise<boolean>}
 */
export async function confirmed(title, sentence, yes) {
  let answer = false;
  const shown = dialog(title, [h('p', null, sentence)], {
    test: 'confirm',
    buttons: [
      button('Cancel', () => shown.close()),
      button(
        yes,
        () => {
          answer = true;
          shown.close();
        },
        { class: 'main', 'data-test': 'confirm-yes' },
      ),
    ],
  });
  await shown.closed;
  return answer;
}

/** Whether a dialog is open, in which case shortcuts of the page are disabled. */
export function dialogOpen() {
  return document.querySelector('dialog[open]') !== null;
}
