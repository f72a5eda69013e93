// The interface for programs, drawn from the description that the server gives of itself.

import { get } from '../api.js';
import { h } from '../dom.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** What the parts of the interface are called; others are called what they are. */
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

/** @param {any} content of a request or an answer */
function shapeOf(content) {
  return Object.values(content ?? {})[0]?.schema;
}

/** @param {string} path @param {string} method @param {any} told */
function route(path, method, told) {
  const body = shapeOf(told.requestBody?.content);
  const words = [told.summary, told.description].filter(Boolean).join(' ');
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
    (told.parameters ?? []).length > 0
      ? h(
          'p',
          { class: 'small soft' },
          'with ',
          told.parameters.map((/** @type {any} */ one) => `${one.name}${one.required ? '' : '?'}`).join(', '),
        )
      : null,
    body ? h('p', { class: 'small soft' }, 'takes ', typeWords(body)) : null,
    h(
      'ul',
      { class: 'small soft answers' },
      Object.entries(told.responses ?? {}).map(([status, answer]) =>
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
      fields.map(([field, told]) => [
        h('dt', { class: 'mono' }, `${field}${schema.required?.includes(field) ? '' : '?'}`),
        h('dd', null, h('span', { class: 'soft' }, typeWords(told)), ` ${told.description ?? ''}`),
      ]),
    ),
  );
}

/** The routes by the part of the interface they belong to. @param {any} paths */
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
  const told = await get('/api/openapi.json');
  const found = parts(told.paths);
  const words = (/** @type {string} */ name) => PARTS[name] ?? name;
  root.append(
    h(
      'div',
      { class: 'sheet api' },
      h('h1', null, 'The interface for programs'),
      h(
        'section',
        null,
        h('p', null, told.info?.description ?? ''),
        h(
          'p',
          null,
          'JSON throughout. A refusal is a status with ',
          h('code', null, '{"error": "…"}'),
          ': what is wrong and what was expected.',
        ),
        example(),
        h(
          'p',
          { class: 'row' },
          found.map(([name]) => h('a', { href: `#part-${name}` }, words(name))),
          h('a', { href: '#shapes' }, 'Shapes'),
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
        h('h2', null, 'Shapes'),
        Object.entries(told.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema)),
      ),
    ),
  );
  // A link to a shape opens it.
  root.addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    const goal = link && document.getElementById(/** @type {string} */ (link.getAttribute('href')).slice(1));
    if (goal instanceof HTMLDetailsElement) goal.open = true;
  });
  document.body.dataset.ready = 'true';
  return {};
}
