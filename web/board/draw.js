// The drawing of a board: cells, pieces and named overlays. Redrawing updates only the cells that changed. Which cells can be
// clicked is decided in input.js.

import { h, s } from '../dom.js';
import { settings } from '../settings.js';
import { colour } from '../words.js';
import { arrive, claim, slide } from './animate.js';
import { contentWords, fingerprint, marker, patterns, pile, stone, territory } from './pieces.js';
import { UNIT, outline } from './shape.js';

/** Overlays from the bottom up; `under` ones lie beneath the pieces. */
const UNDER = ['last', 'threat', 'story', 'heat', 'trail', 'area', 'bases'];
const OVER = ['targets', 'ghost', 'marks', 'danger', 'arrows', 'badges', 'cursor'];

let boards = 0;

export class Board {
  /** @param {import('./shape.js').Shape} shape @param {string} game */
  constructor(shape, game) {
    boards += 1;
    this.shape = shape;
    this.game = game;
    this.prefix = `board${boards}`;
    /** @type {Map<string, string>} fingerprints of the drawn contents */
    this.drawn = new Map();
    /** @type {Map<string, any>} drawings by cell */
    this.pieces = new Map();
    /** @type {Map<string, import('./pieces.js').Content>} */
    this.contents = new Map();
    /** @type {Map<string, any>} */
    this.hits = new Map();
    /** @type {Map<string, string>} the text for each cell and its content */
    this.names = new Map();
    /** @type {Record<string, any>} */
    this.layers = {};
    this.ground = s('g', { class: 'ground' });
    this.land = s('g', { class: 'land-layer' });
    this.men = s('g', { class: 'men' });
    this.hitLayer = s('g', { class: 'hits' });
    for (const name of [...UNDER, ...OVER]) this.layers[name] = s('g', { class: `layer-${name}` });
    this.labels = s(
      'g',
      { class: 'labels', 'aria-hidden': 'true' },
      shape.labels.map((label) => s('text', { x: label.x, y: label.y }, label.text)),
    );
    this.svg = s(
      'svg',
      {
        class: `board-svg kind-${shape.kind} game-${game}${shape.cells.size > 100 ? ' large' : ''}`,
        'aria-hidden': 'false',
      },
      patterns(this.prefix),
      this.ground,
      this.land,
      UNDER.map((name) => this.layers[name]),
      this.labels,
      this.men,
      OVER.map((name) => this.layers[name]),
      this.hitLayer,
    );
    this.el = h(
      'div',
      {
        class: 'board',
        tabindex: '0',
        role: 'application',
        'aria-roledescription': 'board',
        'aria-label':
          'Board. Arrow keys move between cells, Page Up and Page Down between those that can be chosen. Enter chooses, Escape cancels.',
        'data-test': 'board',
      },
      this.svg,
    );
    this.drawGround();
    this.fit();
  }

  /** Draws cells, lines and the invisible areas that receive clicks. */
  drawGround() {
    const { shape } = this;
    const cells = [...shape.cells.values()];
    if (shape.kind === 'go') this.drawLines();
    else
      this.ground.append(
        s('path', { class: 'plate', d: cells.map((cell) => outline(shape, cell, -3)).join('') }),
      );
    for (const cell of cells) {
      if (shape.kind !== 'go') this.ground.append(s('path', { class: 'cell', d: outline(shape, cell, 1.5) }));
      const hit = s('path', {
        class: 'hit',
        d: outline(shape, cell),
        'data-cell': cell.at,
        id: `${this.prefix}-${cell.at}`,
        role: 'img',
        'aria-label': `${cell.at}, empty`,
      });
      this.names.set(cell.at, `${cell.at}, empty`);
      this.hits.set(cell.at, hit);
      this.hitLayer.append(hit);
    }
  }

  /** The lines and stars of a Go board. */
  drawLines() {
    const { x, y, width, height } = this.shape.bare;
    this.ground.append(s('rect', { class: 'wood', x, y, width, height, rx: 14 }));
    const xs = [...new Set([...this.shape.cells.values()].map((cell) => cell.x))];
    const ys = [...new Set([...this.shape.cells.values()].map((cell) => cell.y))];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const path = [
      ...xs.map((at) => `M${at},${top}V${bottom}`),
      ...ys.map((at) => `M${left},${at}H${right}`),
    ].join('');
    this.ground.append(s('path', { class: 'lines', d: path }));
    for (const star of this.shape.stars) {
      const cell = this.shape.cells.get(star);
      if (cell) this.ground.append(s('circle', { class: 'star', cx: cell.x, cy: cell.y, r: 9 }));
    }
  }

  /** Sets the visible part of the drawing, with or without coordinates. */
  fit() {
    const box = settings.coordinates ? this.shape.box : this.shape.bare;
    this.labels.style.display = settings.coordinates ? '' : 'none';
    this.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
    this.el.style.setProperty('--aspect', String(box.width / box.height));
    this.el.style.setProperty('--cells', String(box.width / 100));
  }

  /** The transform of a group at the centre of a cell. @param {string} at */
  place(at) {
    const cell = /** @type {any} */ (this.shape.cells.get(at));
    return `translate(${cell.x} ${cell.y})`;
  }

  /**
   * Shows a position.
   * @param {any} view @param {{ animate?: boolean, way?: [string, string] | null }} [options] `way` is the origin and destination of the last move, for the animation
   */
  show(view, options = {}) {
    const next = new Map();
    for (const content of view.cells) next.set(content.at, content);
    /** @type {string[]} */
    const changed = [];
    for (const at of this.shape.cells.keys()) {
      if (fingerprint(next.get(at)) !== (this.drawn.get(at) ?? '')) changed.push(at);
    }
    this.contents = next;
    for (const at of changed) this.redraw(at, next.get(at));
    this.showLast(view.last ?? []);
    this.showScore(view);
    if (!options.animate || changed.length === 0) return;
    const claimed = changed.filter((at) => next.get(at)?.collapsed);
    if (claimed.length > 2) claim(claimed.map((at) => this.pieces.get(at)));
    if (changed.length > 60) return;
    const [from, to] = options.way ?? [];
    if (from && to && this.pieces.has(to))
      slide(
        this.pieces.get(to),
        [from, to].map((at) => /** @type {any} */ (this.shape.cells.get(at))),
      );
    for (const at of changed) {
      const piece = this.pieces.get(at);
      if (piece && at !== to && !(claimed.length > 2 && next.get(at)?.collapsed)) arrive(piece);
    }
  }

  /** @param {string} at @param {import('./pieces.js').Content | undefined} content */
  redraw(at, content) {
    this.pieces.get(at)?.remove();
    this.pieces.delete(at);
    this.drawn.set(at, fingerprint(content));
    this.names.set(at, `${at}, ${contentWords(content, (seat) => colour(this.game, seat))}`);
    this.name(at, '');
    if (!content) return;
    const cell = /** @type {any} */ (this.shape.cells.get(at));
    let drawing;
    if (content.collapsed) {
      drawing = territory(this.prefix, this.shape, cell, content.collapsed);
      this.land.append(drawing);
      this.pieces.set(at, drawing);
      return;
    }
    if (content.stack?.length) drawing = pile(content.stack);
    else if (content.marker) drawing = marker(content.marker);
    else if (content.stone) drawing = stone(this.prefix, content.stone);
    else return;
    drawing = s('g', { transform: this.place(at), class: 'man' }, s('g', { class: 'body' }, drawing));
    this.pieces.set(at, drawing);
    this.keepOrder(at, drawing);
  }

  /** Sets the label of a cell, with what choosing it would do. @param {string} at @param {string} purpose */
  name(at, purpose) {
    this.hits.get(at).setAttribute('aria-label', `${this.names.get(at)}${purpose}`);
  }

  /** Inserts a drawing sorted by row, since tall stacks overlap the row above. @param {string} at @param {any} drawing */
  keepOrder(at, drawing) {
    const y = /** @type {any} */ (this.shape.cells.get(at)).y;
    drawing.row = y;
    let next = this.men.lastElementChild;
    while (next && next.row > y) next = next.previousElementSibling;
    if (next) next.after(drawing);
    else this.men.prepend(drawing);
  }

  /** @param {string[]} cells */
  showLast(cells) {
    const last = [...new Set(cells)].filter((at) => this.shape.cells.has(at));
    if (this.shape.kind === 'go') {
      this.overlay(
        'marks',
        last.map((at) =>
          s('circle', {
            class: `last-stone s${this.contents.get(at)?.stone ?? 0}`,
            r: 17,
            transform: this.place(at),
          }),
        ),
      );
      return;
    }
    this.overlay(
      'last',
      last.map((at) =>
        s('path', {
          class: last.length > 6 ? 'last many' : 'last',
          d: outline(this.shape, /** @type {any} */ (this.shape.cells.get(at)), 1),
        }),
      ),
    );
  }

  /** Territory and dead stones of a scored Go position. @param {any} view */
  showScore(view) {
    if (this.shape.kind !== 'go') return;
    const land = view.score?.territory ?? [];
    this.overlay(
      'area',
      land.map((/** @type {any} */ point) =>
        s('rect', {
          class: `point s${point.seat}`,
          x: -13,
          y: -13,
          width: 26,
          height: 26,
          transform: this.place(point.at),
        }),
      ),
    );
    const dead = new Set(view.score?.dead ?? []);
    for (const [at, piece] of this.pieces) piece.classList.toggle('dead', dead.has(at));
  }

  /** Replaces an overlay. @param {string} name @param {any[]} nodes */
  overlay(name, nodes) {
    this.layers[name].replaceChildren(...nodes);
  }

  /** Marks the cells that can be clicked. @param {Set<string>} cells */
  clickable(cells) {
    for (const [at, hit] of this.hits) {
      if (hit.classList.contains('can') !== cells.has(at)) {
        hit.classList.toggle('can', cells.has(at));
        hit.setAttribute('role', cells.has(at) ? 'button' : 'img');
      }
    }
  }

  /** The width of a cell on the screen, in pixels. */
  cellSize() {
    return (this.svg.getBoundingClientRect().width / this.svg.viewBox.baseVal.width) * UNIT;
  }

  /** The cell under a pointer event. @param {Event} event @returns {string | null} */
  cellOf(event) {
    const target = /** @type {Element} */ (event.target);
    return target.getAttribute?.('data-cell') ?? null;
  }
}
