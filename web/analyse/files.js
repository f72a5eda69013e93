// Dialogs that open games and positions from text or files, and export them.

import { text } from '../api.js';
import { dialog } from '../dialog.js';
import { button, h } from '../dom.js';
import { earlierGames } from '../play/earlier.js';
import { showError, notice } from '../messages.js';

/** Opens the dialog for a record, an SGF file or a position text. @param {(content: string) => Promise<void>} open */
export function askForText(open) {
  const area = h('textarea', {
    'aria-label': 'Text',
    placeholder: 'Paste a game record, an SGF file or a position text',
    'data-test': 'open-text',
    spellcheck: 'false',
  });
  const file = h('input', {
    type: 'file',
    accept: '.json,.jsonl,.sgf,.txt',
    'aria-label': 'File',
    on: {
      change: async () => {
        if (file.files[0]) area.value = await file.files[0].text();
      },
    },
  });
  const submit = () => open(area.value.trim()).then(() => shown.close(), showError);
  const shown = dialog(
    'Open a game or a position',
    [area, file, earlierGames(() => shown.close(), 'analyse')],
    {
      buttons: [
        button('Cancel', () => shown.close()),
        button('Open', submit, { class: 'main', 'data-test': 'open' }),
      ],
    },
  );
}

/** @param {string} content @param {string} what */
export async function copy(content, what) {
  try {
    await navigator.clipboard.writeText(content);
    notice(`${what} copied.`);
  } catch {
    // Outside a secure context the clipboard is not available: show the text for manual copying.
    const area = h('textarea', { 'aria-label': what, readonly: true }, content);
    const shown = dialog(what, [area], {
      buttons: [button('Close', () => shown.close(), { class: 'main' })],
    });
    area.select();
  }
}

/** @param {string} content @param {string} name */
function save(content, name) {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  const link = h('a', { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

/** Opens the export dialog. @param {{ position: string, game: string | null, kind: string }} from `game` is the id of a game on the server */
export function exportTexts({ position, game, kind }) {
  const fetched = (/** @type {string} */ what, /** @type {string} */ name) => () =>
    text(`/api/games/${game}/${what}`)
      .then((content) => save(content, name))
      .catch(showError);
  const shown = dialog(
    'Export',
    [
      h(
        'label',
        { class: 'field' },
        h('span', null, 'This position as text'),
        h('textarea', { readonly: true, 'data-test': 'position-text' }, position),
      ),
    ],
    {
      buttons: [
        button('Copy position', () => copy(position, 'Position')),
        ...(game ? [button('Save record', fetched('record', `${game}.json`))] : []),
        ...(game && kind === 'go' ? [button('Save as SGF', fetched('sgf', `${game}.sgf`))] : []),
        button('Close', () => shown.close(), { class: 'main' }),
      ],
    },
  );
}
