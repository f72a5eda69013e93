// The pages of riftlab: which address shows which page. Each page is a module with `open(root, route)`, which draws itself into
// `root` and returns what to do when it is left.
//
// Hooks for browser tests, kept stable:
//   body        data-page="play|watch|analyse|learn|lab|help|api", data-ready="true" once the page has drawn what it was asked for;
//               on pages with a board also data-ply, data-to-move (a seat, or empty), data-status ("playing", "scoring", "over"),
//               data-game (its id) and data-busy="true" while a request for a move is on its way
//   [data-cell] the face of a cell, named as in moves: data-cell="d4"; it has the class `can` when a click does something
//   [data-test] new-game, undo, resign, confirm-yes, hint, analyse, settings, keys, prompt, aside (what a hover means), status, result,
//               move-buttons, chooser, choice, seat-1 … seat-4, thinking, move-now, accept-score, pause, step, speed, moves, swap-offer, board;
//               analyse: step-first, step-back, step-on, step-last, position, position-text, run, candidates, plot, review, continue, share,
//               open-dialog, open-text, open, export, back-to-game, agent; [data-candidate] rows, [data-line] moves of the expected line;
//               body data-analysed (the ply) and data-reviewed when done; settings: game, board, players, seat-N-who, size, komi, handicap, start;
//               learn: lesson, lesson-text, lesson-goal, lesson-next, lesson-words, puzzle; lab: ladder, runs, run-start, games
//   [data-move] a button that plays the move of that text, in the panel (move-buttons) or in the chooser

import { keepToken } from './api.js';
import { dialogOpen } from './dialog.js';
import { put, h } from './dom.js';
import { showKeys } from './help/keys.js';
import { applyTheme } from './settings.js';
import { complain, hideNotice } from './speak.js';

/**
 * @typedef {{ path: string, query: URLSearchParams, part: string }} Route `part` is what the address names: a game, a lesson
 * @typedef {{ leave?: () => void, key?: (key: string) => boolean }} Page `key` tells whether it took a shortcut
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

/** @type {Page} */
let current = {};
let visit = 0;

/** Shows the page of the present address. */
async function show() {
  visit += 1;
  const mine = visit;
  current.leave?.();
  current = {};
  hideNotice();
  const root = /** @type {HTMLElement} */ (document.getElementById('page'));
  const { body } = document;
  for (const name of Object.keys(body.dataset)) delete body.dataset[name];
  const found = PAGES.find(([pattern]) => pattern.test(location.pathname)) ?? PAGES[0];
  const [pattern, name, load] = found;
  body.dataset.page = name;
  document.title = name === 'play' ? 'riftlab' : `${name[0].toUpperCase()}${name.slice(1)} · riftlab`;
  body.dataset.ready = 'false';
  for (const link of document.querySelectorAll('[data-nav]')) {
    if (link.getAttribute('data-nav') === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  // A page that was left while it opened draws into a box that nobody sees.
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
  } catch (error) {
    if (mine !== visit) return;
    complain(error);
    put(
      root,
      h(
        'div',
        { class: 'sheet' },
        h('h1', null, 'This page could not be opened'),
        h('p', null, error instanceof Error ? error.message : String(error)),
        h('p', null, h('a', { href: '/' }, 'Start a game')),
      ),
    );
    body.dataset.ready = 'true';
  }
}

/** Goes to an address of ours without loading anything anew. @param {string} address @param {{ replace?: boolean }} [options] */
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
  if (event.key === '?') showKeys();
  else if (!current.key?.(event.key)) return;
  event.preventDefault();
});

addEventListener('popstate', show);
keepToken();
applyTheme();
show();
