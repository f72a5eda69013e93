// The router: maps addresses to pages. Each page is a module with `open(root, route)`, which renders the page into `root` and
// returns its handlers for leaving and for keyboard shortcuts.
//
// Hooks for browser tests, kept stable:
//   body        data-page="play|watch|analyse|learn|lab|help|api", data-ready="true" once the page is complete;
//               on pages with a board also data-ply, data-to-move (a seat, or empty), data-status ("playing", "scoring", "over"),
//               data-game (its id) and data-busy="true" while a request for a move is pending; while playing also data-pending
//               ("true" while turns of opponents are still to be shown), data-warned (the ply whose warnings are shown), data-looking (the
//               earlier ply that is shown, or empty) and data-explained="true" once a loss is explained
//   [data-cell] the clickable area of a cell, named as in moves: data-cell="d4"; it has the class `can` when a click does something
//   [data-test] again, new-game, undo, resign, confirm-yes, hint, analyse, keys, prompt, aside (what a click on the hovered cell would do), status, result, other-level, welcome,
//               goal, threats ([data-threat] seats), warnings-off, story ([data-turn] lines), claim, skip, explanation, why, why-words, why-look, back-live,
//               turn (where one is in the game), turn-first, turn-back, turn-on, turn-last, needs-1 … needs-4 (what territory still needs),
//               move-buttons, chooser, choice, seat-1 … seat-4, thinking, move-now, accept-score, pause, step, speed, moves, swap-offer, board;
//               appearance, look-dialog, pace, warnings, coordinates, animations, single-keys, dialog-error, retry (on a page that could not be opened);
//               analyse: step-first, step-back, step-on, step-last, position, position-text, run, candidates, plot, review, continue, share,
//               open-dialog, open-text, open, export, back-to-game, agent, play-on-dialog, tide ([data-tide] buttons); [data-candidate] rows, [data-line] moves of the expected line;
//               body data-analysed (the ply) and data-reviewed when done; new game: new-game-dialog, game, board, players, seat-N-who, seat-N-agent,
//               size, komi, handicap, start, earlier (with [data-earlier] entries);
//               learn: lesson, lesson-text, lesson-goal, lesson-next, lesson-words, next-lesson, puzzle, next-puzzle, difficulty; lab: ladder, runs, run-start, run, job (with data-state, data-done), games
//   [data-move] a button that plays the move of that text, in the panel (move-buttons) or in the chooser

import { keepToken } from './api.js';
import { dialogOpen } from './dialog.js';
import { button, put, h } from './dom.js';
import { showKeys } from './help/keys.js';
import { openLook } from './look.js';
import { applyTheme, settings } from './settings.js';
import { hideNotice, sentence, announce } from './messages.js';

/**
 * @typedef {{ path: string, query: URLSearchParams, part: string }} Route `part` is the id or name in the address: a game, a lesson
 * @typedef {{ leave?: () => void, key?: (key: string) => boolean }} Page `key` handles a shortcut and returns whether there is one
 */

/** @type {[RegExp, string, () => Promise<{ open: (root: HTMLElement, route: Route) => Promise<Page> }>][]} */
const PAGES = [
  [/^\/(?:game\/([\w-]+))?$/, 'play', () => import('./play/page.js')],
  [/^\/watch$/, 'watch', () => import('./watch/page.js')],
  [/^\/analyse$/, 'analyse', () => import('./analyse/page.js')],
  [/^\/learn(?:\/([\w-]+))?$/, 'learn', () => import('./learn/page.js')],
  [/^\/lab$/, 'lab', () => import('./lab/page.js')],
  [/^\/help$/, 'help', () => import('./help/page.js')],
  [/^\/api$/, 'api', () => import('./help/api.js')],
];

/** @type {typeof PAGES[number]} the page for unknown addresses; opening it throws */
const NOT_FOUND = [
  /^/,
  'not-found',
  async () => ({
    open: async () => {
      throw new Error('There is nothing at this address');
    },
  }),
];

/** @type {Page} */
let current = {};
let visit = 0;

/** Shows the page for the current address. */
async function show() {
  visit += 1;
  const mine = visit;
  current.leave?.();
  current = {};
  hideNotice();
  const root = /** @type {HTMLElement} */ (document.getElementById('page'));
  const { body } = document;
  for (const name of Object.keys(body.dataset)) delete body.dataset[name];
  const [pattern, name, load] = PAGES.find(([pattern]) => pattern.test(location.pathname)) ?? NOT_FOUND;
  body.dataset.page = name;
  const title = name === 'api' ? 'API' : `${name[0].toUpperCase()}${name.slice(1)}`;
  document.title = `${title} · riftlab`;
  body.dataset.ready = 'false';
  for (const link of document.querySelectorAll('[data-nav]')) {
    if (link.getAttribute('data-nav') === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  // A page that is left while it loads renders into a detached box.
  const box = h('div');
  put(root, box);
  try {
    const route = {
      path: location.pathname,
      query: new URLSearchParams(location.search),
      part: pattern.exec(location.pathname)?.[1] ?? '',
    };
    const page = await (await load()).open(box, route);
    if (mine === visit) current = page;
    else page.leave?.();
    // Screen readers announce the first page themselves, but not later ones.
    if (mine === visit && mine > 1 && name !== 'play') announce(title);
  } catch (error) {
    if (mine !== visit) return;
    put(root, errorPage(error));
    body.dataset.ready = 'true';
  }
}

/** The content shown instead of a page that could not be opened. @param {unknown} error */
function errorPage(error) {
  // A module that cannot be fetched means that the server is down.
  const silent = error instanceof TypeError || /** @type {any} */ (error)?.status === 0;
  return h(
    'div',
    { class: 'sheet closed', role: 'alert' },
    h('h1', null, silent ? 'The server does not answer' : 'This page could not be opened'),
    h(
      'p',
      null,
      silent
        ? 'riftlab may have been stopped. Start it again, then try again.'
        : sentence(error),
    ),
    h(
      'div',
      { class: 'row' },
      button('Try again', () => show(), { class: silent ? 'main' : '', 'data-test': 'retry' }),
      h('a', { class: `button${silent ? '' : ' main'}`, href: '/' }, 'Play a game'),
      h('a', { class: 'button', href: '/learn' }, 'Learn the rules'),
    ),
  );
}

/** Navigates to an address of this app without reloading. @param {string} address @param {{ replace?: boolean }} [options] */
export function go(address, options = {}) {
  if (options.replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  return show();
}

document.addEventListener('click', (event) => {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = /** @type {Element} */ (event.target).closest?.('a[href^="/"]');
  if (!link || link.hasAttribute('download') || link.getAttribute('target')) return;
  const address = /** @type {string} */ (link.getAttribute('href'));
  if (address.startsWith('/api/')) return;
  event.preventDefault();
  go(address);
  scrollTo(0, 0);
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialogOpen() || event.defaultPrevented) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest('input:not([type="range"], [type="checkbox"]), textarea, select')) return;
  if (event.key.length === 1 && event.key !== ' ' && !settings.keys) return;
  if (event.key === '?') showKeys();
  else if (!current.key?.(event.key)) return;
  event.preventDefault();
});

document.getElementById('look')?.addEventListener('click', openLook);
addEventListener('popstate', show);
keepToken();
applyTheme();
show();
