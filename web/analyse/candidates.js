// The report of an agent about a position: candidates as a table and as a heat map, the expected line and further numbers.
// Unknown fields are shown by their names, so that new agents need no changes here.

import { badge } from '../board/glyphs.js';
import { lights, point, way } from '../board/preview.js';
import { outline } from '../board/shape.js';
import { h, put, s } from '../dom.js';
import { colour, fieldWords, many, moveWords, number, percent, time } from '../words.js';
import { valueBar } from '../play/seats.js';
import { isBookkeeping } from './line.js';
import { drawPaths } from './paths.js';

const KNOWN = new Set([
  'move',
  'words',
  'marks',
  'visits',
  'share',
  'prior',
  'policy',
  'values',
  'solved',
  'line',
]);

/** A share as a percentage. @param {number | null | undefined} value */
function share(value) {
  return typeof value === 'number' ? `${(value * 100).toFixed(value < 0.1 ? 1 : 0)}` : '';
}

/**
 * Draws the heat map of the candidates, with the shares of the best.
 * @param {import('../board/draw.js').Board} board @param {any} report @param {any[]} legal
 */
export function drawHeat(board, report, legal) {
  const moves = new Map(legal.map((move) => [move.text, move]));
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const candidate of report.candidates) {
    const at = goal(moves.get(candidate.move), candidate.marks ?? []);
    if (at && board.shape.cells.has(at)) sums.set(at, (sums.get(at) ?? 0) + (candidate.share ?? 0));
  }
  const most = Math.max(...sums.values(), 1e-9);
  const ranked = [...sums].sort((a, b) => b[1] - a[1]);
  board.overlay(
    'heat',
    ranked
      .filter(([, sum]) => sum / most > 0.01)
      .map(([at, sum]) =>
        s('path', {
          class: 'heat',
          d: outline(board.shape, /** @type {any} */ (board.shape.cells.get(at)), 1),
          'fill-opacity': (0.08 + 0.52 * Math.sqrt(sum / most)).toFixed(2),
        }),
      ),
  );
  board.overlay(
    'badges',
    ranked
      .slice(0, 6)
      .filter(([, sum]) => sum >= 0.01)
      .map(([at, sum], index) =>
        s(
          'g',
          { transform: board.place(at) },
          sharePill(share(sum), index === 0, Boolean(board.contents.get(at)?.stack)),
        ),
      ),
  );
  const best =
    report.candidates.find((/** @type {any} */ candidate) => candidate.move === report.best) ??
    report.candidates[0];
  const move = best ? moves.get(best.move) : undefined;
  board.overlay(
    'arrows',
    way(move) || (best?.marks?.length ?? 0) > 1 ? point(board, move, best.marks, 'best') : [],
  );
}

/** A share on a cell: in the middle, or in the upper corner of a cell with a stack. @param {string} text @param {boolean} first @param {boolean} pile */
function sharePill(text, first, pile) {
  const width = 22 + 15 * text.length;
  return s(
    'g',
    { class: `share${first ? ' first' : ''}`, 'data-share': text },
    s('rect', { x: pile ? -49 : -width / 2, y: pile ? -49 : -16, width, height: 32, rx: 16 }),
    s('text', { x: pile ? width / 2 - 49 : 0, y: pile ? -33 : 0 }, text),
  );
}

/** The cell that represents a move on the heat map: its destination. @param {any} move @param {string[]} marks */
function goal(move, marks) {
  return way(move)?.[1] ?? move?.steps[0]?.[0] ?? marks[0];
}

/** @param {import('../board/draw.js').Board} board */
export function clearHeat(board) {
  for (const name of ['heat', 'badges', 'arrows']) board.overlay(name, []);
}

export class Candidates {
  /**
   * @param {{ play: (move: string) => void, playAll: (moves: string[]) => void, look: (line: string[] | null) => void, board: () => import('../board/draw.js').Board | undefined }} callbacks
   *   `look` shows the position after some moves or, with null, the current one
   */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.el = h('section', { class: 'candidates', 'data-test': 'candidates', 'aria-label': 'Candidates' });
  }

  clear() {
    put(this.el);
  }

  /** @param {string} game @param {any} report */
  show(game, report) {
    // Every report redraws the table, so restore the focus.
    const hook = ['candidate', 'line'].find((name) => document.activeElement?.closest(`[data-${name}]`));
    const kept = hook && /** @type {any} */ (document.activeElement).closest(`[data-${hook}]`).dataset[hook];
    const table = this.el.querySelector('.scroll-x')?.scrollTop ?? 0;
    put(
      this.el,
      this.summary(game, report),
      this.line(report),
      this.table(game, report),
      drawPaths(report),
      this.details(report),
    );
    const scroll = this.el.querySelector('.scroll-x');
    if (scroll) scroll.scrollTop = table;
    if (!hook) return;
    const row = this.el.querySelector(`[data-${hook}="${CSS.escape(kept)}"]`);
    (row?.querySelector('button') ?? row)?.focus({ preventScroll: true });
  }

  /** @param {string} game @param {any} report */
  summary(game, report) {
    const rate = report.ms > 0 ? ` · ${many(Math.round((report.nodes / report.ms) * 1000))}/s` : '';
    return [
      h(
        'p',
        { class: 'small soft num wrap' },
        `${report.plays ?? report.engine} · ${many(report.nodes)} nodes · ${time(report.ms)}${rate} · ${report.legal} legal moves${report.partial ? ' …' : ''}`,
      ),
      report.net ? h('p', { class: 'small soft' }, `Evaluated by the network ${report.net}`) : null,
      report.fallback ? h('p', { class: 'small' }, report.fallback) : null,
      report.values
        ? h(
            'div',
            { class: 'values' },
            report.values.map((/** @type {number} */ value, /** @type {number} */ index) => [
              badge(game, index + 1),
              valueBar(value, game, index + 1),
            ]),
          )
        : null,
    ];
  }

  /** The line that the agent expects. Hovering over a move shows the board after it. @param {any} report */
  line(report) {
    const moves = report.line ?? [];
    if (moves.length === 0) return null;
    return h(
      'div',
      {
        class: 'pv',
        role: 'group',
        'aria-label': 'Expected line',
        on: { pointerleave: () => this.callbacks.look(null) },
      },
      moves.map(
        (/** @type {string} */ move, /** @type {number} */ index) =>
          !isBookkeeping(move) &&
          h(
            'button',
            {
              type: 'button',
              class: 'plain mono',
              'data-line': index + 1,
              on: {
                pointerenter: () => this.callbacks.look(moves.slice(0, index + 1)),
                focus: () => this.callbacks.look(moves.slice(0, index + 1)),
                blur: () => this.callbacks.look(null),
                click: () => this.callbacks.playAll(moves.slice(0, index + 1)),
              },
            },
            moveWords(move),
          ),
      ),
    );
  }

  /** @param {string} game @param {any} report */
  table(game, report) {
    const rows = report.candidates ?? [];
    if (rows.length === 0) return null;
    const has = (/** @type {string} */ name) =>
      rows.some((/** @type {any} */ row) => row[name] !== null && row[name] !== undefined);
    const seats = rows.find((/** @type {any} */ row) => row.values)?.values.length ?? 0;
    const more = [...new Set(rows.flatMap((/** @type {any} */ row) => Object.keys(row)))].filter(
      (name) => !KNOWN.has(name) && rows.some((/** @type {any} */ row) => typeof row[name] === 'number'),
    );
    return h(
      'div',
      { class: 'scroll-x' },
      h(
        'table',
        { class: 'small' },
        h(
          'caption',
          { class: 'soft' },
          'Shares, expected scores (100: certain win, 0: certain loss), prior and policy in percent. Hover over a row to see the move on the board, click to play it.',
        ),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            h('th', null, 'Move'),
            has('visits') ? h('th', { class: 'r' }, 'Visits') : null,
            has('share') ? h('th', { class: 'r' }, 'Share') : null,
            Array.from({ length: seats }, (_, index) =>
              h(
                'th',
                { class: 'r', title: `Expected score of ${colour(game, index + 1)} after the move` },
                badge(game, index + 1),
                h('span', { class: 'unseen' }, `Expected score of ${colour(game, index + 1)}`),
              ),
            ),
            has('prior')
              ? h('th', { class: 'r', title: 'Probability of the move before the search' }, 'Prior')
              : null,
            has('policy') ? h('th', { class: 'r', title: 'Probability of the move after the search' }, 'Policy') : null,
            more.map((name) => h('th', { class: 'r' }, fieldWords(name))),
          ),
        ),
        h(
          'tbody',
          null,
          rows.map((/** @type {any} */ row) => this.row(row, seats, has, more)),
        ),
      ),
    );
  }

  /** @param {any} row @param {number} seats @param {(name: string) => boolean} has @param {string[]} more */
  row(row, seats, has, more) {
    const board = () => this.callbacks.board();
    const look = () => {
      const on = board();
      if (on) on.overlay('ghost', lights(on, row.marks ?? []));
      if (row.line) this.callbacks.look(row.line);
    };
    const away = () => {
      board()?.overlay('ghost', []);
      if (row.line) this.callbacks.look(null);
    };
    return h(
      'tr',
      {
        class: 'pick',
        'data-candidate': row.move,
        on: { pointerenter: look, pointerleave: away, click: () => this.callbacks.play(row.move) },
      },
      h(
        'td',
        { title: row.words ?? '' },
        h(
          'button',
          {
            type: 'button',
            class: 'plain mono flat',
            title: row.words ?? '',
            on: { focus: look, blur: away },
          },
          moveWords(row.move),
        ),
        row.solved ? h('span', { title: 'Proved: the exact result is known' }, ' ✓') : null,
      ),
      has('visits') ? h('td', { class: 'r' }, many(row.visits ?? 0)) : null,
      has('share') ? h('td', { class: 'r' }, share(row.share)) : null,
      Array.from({ length: seats }, (_, index) =>
        h('td', { class: 'r' }, row.values ? percent(row.values[index]).replace(' %', '') : ''),
      ),
      has('prior') ? h('td', { class: 'r' }, share(row.prior)) : null,
      has('policy') ? h('td', { class: 'r' }, share(row.policy)) : null,
      more.map((name) => h('td', { class: 'r' }, typeof row[name] === 'number' ? number(row[name]) : '')),
    );
  }

  /** @param {any} report */
  details(report) {
    const entries = Object.entries(report.details ?? {});
    if (entries.length === 0) return null;
    return h(
      'dl',
      { class: 'details small' },
      entries.map(([name, value]) =>
        h(
          'div',
          null,
          h('dt', { class: 'soft' }, fieldWords(name)),
          h('dd', { class: 'num' }, typeof value === 'number' ? number(value) : String(value)),
        ),
      ),
    );
  }
}
