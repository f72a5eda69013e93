// The reference of the HTTP API, generated from the server's OpenAPI description.

import { get } from '../api.js';
import { h } from '../dom.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The titles of the parts of the API; others are shown by their names. */
const PARTS = /** @type {Record<string, string>} */ ({
  games: 'Games',
  positions: 'Positions and analysis',
  agents: 'Agents',
  learn: 'Lessons and puzzles',
  lab: 'Lab',
});

/** The name of a schema as a link to it, or its type. @param {any} schema @returns {any} */
function typeWords(schema) {
  if (!schema) return '';
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return h('a', { href: `#${name}`, class: 'mono' }, name);
  }
  if (schema.oneOf || schema.anyOf) {
    const parts = (schema.oneOf ?? schema.anyOf)
      .filter((/** @type {any} */ one) => one.type !== 'null')
      .map(typeWords);
    return parts.flatMap((/** @type {any} */ part, /** @type {number} */ index) =>
      index > 0 ? [' or ', part] : [part],
    );
  }
  if (schema.type === 'array' || schema.type?.includes?.('array'))
    return ['list of ', typeWords(schema.items)];
  return [schema.type ?? '']
    .flat()
    .filter((word) => word !== 'null')
    .join(' or ');
}

/** @param {any} content of a request or a response */
function shapeOf(content) {
  return Object.values(content ?? {})[0]?.schema;
}

/** @param {string} path @param {string} method @param {any} response */
function route(path, method, response) {
  const body = shapeOf(response.requestBody?.content);
  const words = [response.summary, response.description].filter(Boolean).join(' ');
  return h(
    'li',
    { class: 'route' },
    h(
      'p',
      { class: 'mono wrap' },
      h('span', { class: `method ${method}` }, method.toUpperCase()),
      ` ${path}`,
    ),
    words ? h('p', { class: 'small' }, words) : null,
    (response.parameters ?? []).length > 0
      ? h(
          'p',
          { class: 'small soft' },
          'Parameters: ',
          response.parameters.map((/** @type {any} */ one) => `${one.name}${one.required ? '' : '?'}`).join(', '),
        )
      : null,
    body ? h('p', { class: 'small soft' }, 'Body: ', typeWords(body)) : null,
    h(
      'ul',
      { class: 'small soft answers' },
      Object.entries(response.responses ?? {}).map(([status, answer]) =>
        h(
          'li',
          null,
          h('span', { class: 'num' }, status),
          ` ${answer.description ?? ''} `,
          typeWords(shapeOf(answer.content)),
        ),
      ),
    ),
  );
}

/** @param {string} name @param {any} schema */
function shape(name, schema) {
  const fields = Object.entries(schema.properties ?? {});
  return h(
    'details',
    { id: name },
    h('summary', { class: 'mono' }, name),
    schema.description ? h('p', { class: 'small' }, schema.description) : null,
    h(
      'dl',
      { class: 'schema small' },
      fields.map(([field, response]) => [
        h('dt', { class: 'mono' }, `${field}${schema.required?.includes(field) ? '' : '?'}`),
        h('dd', null, h('span', { class: 'soft' }, typeWords(response)), ` ${response.description ?? ''}`),
      ]),
    ),
  );
}

/** The routes, grouped by the parts of the API. @param {any} paths */
function parts(paths) {
  /** @type {Map<string, any[]>} */
  const found = new Map();
  for (const [path, item] of Object.entries(paths ?? {})) {
    for (const method of METHODS.filter((one) => item[one])) {
      const name = item[method].tags?.[0] ?? 'other';
      if (!found.has(name)) found.set(name, []);
      found.get(name)?.push(route(path, method, item[method]));
    }
  }
  return [...found];
}

/** An example that can be pasted into a terminal. */
function example() {
  const start = `curl ${location.origin}/api/games -H 'Content-Type: application/json' \\
  -d '{"setup":{"game":"ringrift","board":"hex8","players":3},"seats":["human","d2","mcts(sims=400)"]}'`;
  return h('pre', { class: 'example', tabindex: '0', 'aria-label': 'Example' }, start);
}

/** @param {HTMLElement} root @returns {Promise<import('../main.js').Page>} */
export async function open(root) {
  const response = await get('/api/openapi.json');
  const found = parts(response.paths);
  const words = (/** @type {string} */ name) => PARTS[name] ?? name;
  root.append(
    h(
      'div',
      { class: 'sheet api' },
      h('h1', null, 'HTTP API'),
      h(
        'section',
        null,
        h('p', null, response.info?.description ?? ''),
        h(
          'p',
          null,
          'All requests and responses are JSON. Errors have a status code and a body ',
          h('code', null, '{"error": "…"}'),
          ' that says what is wrong and what was expected.',
        ),
        example(),
        h(
          'p',
          { class: 'row' },
          found.map(([name]) => h('a', { href: `#part-${name}` }, words(name))),
          h('a', { href: '#shapes' }, 'Types'),
          h('a', { href: '/api/openapi.json' }, 'OpenAPI'),
        ),
      ),
      found.map(([name, routes]) =>
        h(
          'section',
          { id: `part-${name}` },
          h('h2', null, words(name)),
          h('ul', { class: 'routes' }, routes),
        ),
      ),
      h(
        'section',
        { id: 'shapes' },
        h('h2', null, 'Types'),
        Object.entries(response.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema)),
      ),
    ),
  );
  // A link to a type unfolds it.
  root.addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    const goal = link && document.getElementById(/** @type {string} */ (link.getAttribute('href')).slice(1));
    if (goal instanceof HTMLDetailsElement) goal.open = true;
  });
  document.body.dataset.ready = 'true';
  return {};
}
