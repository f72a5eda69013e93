// The interface for programs, drawn from the description that the server gives of itself.

import { get } from '../api.js';
import { h } from '../dom.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The name of a schema, or its type. @param {any} schema @returns {string} */
function typeWords(schema) {
  if (!schema) return '';
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.oneOf || schema.anyOf)
    return (schema.oneOf ?? schema.anyOf)
      .map(typeWords)
      .filter((/** @type {string} */ word) => word !== 'null')
      .join(' or ');
  if (schema.type === 'array' || schema.type?.includes?.('array'))
    return `list of ${typeWords(schema.items)}`;
  return [schema.type ?? '']
    .flat()
    .filter((word) => word !== 'null')
    .join(' or ');
}

/** @param {string} path @param {string} method @param {any} told */
function route(path, method, told) {
  const body = Object.values(told.requestBody?.content ?? {})[0]?.schema;
  return h(
    'li',
    { class: 'route' },
    h('p', { class: 'mono' }, h('strong', null, method.toUpperCase()), ` ${path}`),
    told.summary || told.description
      ? h('p', { class: 'small' }, [told.summary, told.description].filter(Boolean).join(' '))
      : null,
    (told.parameters ?? []).length > 0
      ? h(
          'p',
          { class: 'small soft' },
          'with ',
          told.parameters.map((/** @type {any} */ one) => `${one.name}${one.required ? '' : '?'}`).join(', '),
        )
      : null,
    body ? h('p', { class: 'small soft' }, `takes ${typeWords(body)}`) : null,
    h(
      'ul',
      { class: 'small soft answers' },
      Object.entries(told.responses ?? {}).map(([status, answer]) =>
        h(
          'li',
          null,
          `${status} ${answer.description ?? ''} ${typeWords(Object.values(answer.content ?? {})[0]?.schema)}`,
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
    null,
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

/** @param {HTMLElement} root @returns {Promise<import('../main.js').Page>} */
export async function open(root) {
  const told = await get('/api/openapi.json');
  root.append(
    h(
      'div',
      { class: 'sheet' },
      h('h1', null, told.info?.title ?? 'For programs'),
      h('p', null, told.info?.description ?? ''),
      h('p', null, h('a', { href: '/api/openapi.json' }, 'The same for machines (OpenAPI)')),
      h(
        'ul',
        { class: 'routes' },
        Object.entries(told.paths ?? {}).flatMap(([path, item]) =>
          METHODS.filter((method) => item[method]).map((method) => route(path, method, item[method])),
        ),
      ),
      h(
        'section',
        null,
        h('h2', null, 'Shapes'),
        Object.entries(told.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema)),
      ),
    ),
  );
  document.body.dataset.ready = 'true';
  return {};
}
