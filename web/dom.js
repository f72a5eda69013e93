// Functions that build DOM nodes. Text from the server only becomes text nodes or attributes; innerHTML is never used.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {any} Child nodes, texts, numbers, lists of them at any depth; null, undefined and false are left out
 * @typedef {Object<string, any>} Props attributes; `on` holds listeners, `style` custom properties and styles, `class` may hold spaces
 */

/**
 * @param {Element} node
 * @param {Props | null} props
 * @param {Child[]} children
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === 'style') {
      for (const [key, text] of Object.entries(value))
        /** @type {HTMLElement} */ (node).style.setProperty(key, String(text));
    } else if (name === 'value' || name === 'checked' || name === 'selected') {
      /** @type {any} */ (node)[name] = value;
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  append(node, children);
  return node;
}

/** @param {Element} node @param {Child[]} children */
function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @param {string} tag @param {Props | null} [props] @param {...Child} children
 * @returns {any}
 */
export function h(tag, props = null, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * An SVG element.
 * @param {string} tag @param {Props | null} [props] @param {...Child} children
 * @returns {any}
 */
export function s(tag, props = null, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replaces the children of a node. @param {Element} node @param {...Child} children */
export function put(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/** Sets the text of a node only if it differs, so that screen readers do not read it twice. @param {Element} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A button.
 * @param {Child} text @param {() => void} click @param {Props} [props]
 * @returns {HTMLButtonElement}
 */
export function button(text, click, props = {}) {
  return h('button', { type: 'button', ...props, on: { click } }, text);
}
