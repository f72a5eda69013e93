// Small line plots in SVG, with optional bands for intervals: values over a game, scores and ratings over games, losses over
// steps.

import { h, s } from './dom.js';
import { many } from './words.js';

/**
 * @typedef {{ kind: string, points: [number, number, number?, number?][] }} Series class and points: x, y, lower and upper bound
 * @typedef {Object} PlotOptions
 * @property {[number, number]} x
 * @property {[number, number]} y
 * @property {{ at: number, text: string }[]} ticks on the y axis
 * @property {string} label for screen readers
 * @property {(x: number) => void} [pick] makes the plot clickable
 * @property {(x: number) => string} [name] the text for an end of the x axis
 * @property {(x: number) => string} [tell] the text for the x value under the pointer
 */

const WIDTH = 400;
const HEIGHT = 128;
const LEFT = 34;
const BOTTOM = 18;

/**
 * A y axis that includes two values, with ticks at round numbers.
 * @param {number} low @param {number} high
 * @param {(value: number) => string} [text]
 * @returns {{ range: [number, number], ticks: { at: number, text: string }[] }}
 */
export function roundAxis(low, high, text) {
  // Equal values still need an axis with a length.
  const spread = high - low > Math.abs(high) * 1e-9 ? high - low : Math.abs(high) || 1;
  const rough = spread / 3;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5].find((factor) => factor * unit >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.max(Math.floor(low / step) + 1, Math.ceil(high / step))];
  const ticks = [];
  const words = text ?? ((/** @type {number} */ value) => axisText(value, step));
  for (let place = first; place <= last; place++) ticks.push({ at: place * step, text: words(place * step) });
  return { range: [first * step, last * step], ticks };
}

/** @param {number} value @param {number} step the distance between ticks */
function axisText(value, step) {
  if (Math.abs(value) < step / 2) return '0';
  if (step >= 100) return many(Math.round(value));
  return step < 1e-4 ? value.toExponential(0) : value.toFixed(Math.max(0, -Math.floor(Math.log10(step))));
}

export class Plot {
  /** @param {PlotOptions} options */
  constructor(options) {
    this.options = options;
    this.body = s('g');
    this.axis = s('g', { class: 'axis' });
    this.cursor = s('line', { class: 'plot-now', y1: 4, y2: HEIGHT - BOTTOM });
    this.over = s('line', { class: 'plot-over', y1: 4, y2: HEIGHT - BOTTOM });
    this.svg = s(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': options.label },
      this.axis,
      this.body,
      this.cursor,
      this.over,
    );
    this.words = h('span', { class: 'plot-words small num' });
    this.el = h('div', { class: `plot${options.pick ? ' pickable' : ''}` }, this.svg, this.words);
    if (options.pick) this.listen(options.pick);
    this.moveLine(this.over, null);
    this.mark(null);
  }

  /** @param {(x: number) => void} pick */
  listen(pick) {
    const at = (/** @type {PointerEvent} */ event) => {
      const box = this.svg.getBoundingClientRect();
      const [low, high] = this.options.x;
      const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - 8);
      return Math.round(Math.max(low, Math.min(high, low + share * (high - low))));
    };
    this.svg.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      this.moveLine(this.over, at(event));
      this.words.textContent = this.options.tell?.(at(event)) ?? '';
    });
    this.svg.addEventListener('pointerleave', () => {
      this.moveLine(this.over, null);
      this.words.textContent = '';
    });
    this.svg.addEventListener('click', (/** @type {PointerEvent} */ event) => pick(at(event)));
  }

  /** @param {number} value */
  px(value) {
    const [low, high] = this.options.x;
    return LEFT + ((value - low) / Math.max(1e-9, high - low)) * (WIDTH - LEFT - 8);
  }

  /** @param {number} value */
  py(value) {
    const [low, high] = this.options.y;
    return (
      HEIGHT - BOTTOM - ((Math.max(low, Math.min(high, value)) - low) / (high - low)) * (HEIGHT - BOTTOM - 6)
    );
  }

  /**
   * @param {Series[]} series
   * @param {[number, number]} [x] a new range
   * @param {{ range: [number, number], ticks: { at: number, text: string }[] }} [y] another one with its ticks
   */
  show(series, x, y) {
    if (x) this.options.x = x;
    if (y) [this.options.y, this.options.ticks] = [y.range, y.ticks];
    const { ticks, name = String } = this.options;
    const [low, high] = this.options.x;
    this.axis.replaceChildren(
      ...ticks.map((tick) =>
        s(
          'g',
          null,
          s('line', { x1: LEFT, x2: WIDTH - 8, y1: this.py(tick.at), y2: this.py(tick.at) }),
          s('text', { x: LEFT - 6, y: this.py(tick.at), class: 'left' }, tick.text),
        ),
      ),
      s('text', { x: LEFT, y: HEIGHT - 8 }, name(low)),
      s('text', { x: WIDTH - 8, y: HEIGHT - 8, class: 'left-end' }, name(high)),
    );
    this.body.replaceChildren(...series.flatMap((one) => this.drawSeries(one)));
  }

  /** @param {Series} one */
  drawSeries({ kind, points }) {
    const nodes = [];
    const bounded = points.filter((point) => typeof point[2] === 'number' && typeof point[3] === 'number');
    if (bounded.length > 1) {
      const upper = bounded.map(
        (point) => `${this.px(point[0])},${this.py(/** @type {number} */ (point[3]))}`,
      );
      const lower = bounded
        .map((point) => `${this.px(point[0])},${this.py(/** @type {number} */ (point[2]))}`)
        .reverse();
      nodes.push(s('polygon', { class: `plot-band ${kind}`, points: [...upper, ...lower].join(' ') }));
    }
    nodes.push(
      s('polyline', {
        class: `plot-line ${kind}`,
        points: points.map((point) => `${this.px(point[0])},${this.py(point[1])}`).join(' '),
      }),
    );
    return nodes;
  }

  /** Marks a place on the x axis. @param {number | null} x */
  mark(x) {
    this.moveLine(this.cursor, x);
  }

  /** @param {any} line @param {number | null} x */
  moveLine(line, x) {
    line.style.display = x === null ? 'none' : '';
    if (x === null) return;
    line.setAttribute('x1', this.px(x));
    line.setAttribute('x2', this.px(x));
  }
}
