// The learning page: lists of lessons and puzzles. Progress is stored in the browser.

import { get } from '../api.js';
import { button, h, put } from '../dom.js';
import { store, stored } from '../settings.js';
import { setupWords } from '../words.js';
import { LessonPlayer } from './lesson.js';
import { PuzzlePlayer } from './puzzle.js';

const SHOWN = 'riftlab-difficulty';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  if (route.query.has('puzzle'))
    return started(new PuzzlePlayer(root, /** @type {string} */ (route.query.get('puzzle'))));
  if (route.part) return started(new LessonPlayer(root, route.part));
  const [lessons, puzzles] = await Promise.all([
    get('/api/lessons').then((response) => response.lessons),
    get('/api/puzzles').then((response) => response.puzzles),
  ]);
  root.append(
    h('div', { class: 'sheet' }, h('h1', null, 'Learn RingRift'), lessonList(lessons), puzzleList(puzzles)),
  );
  document.body.dataset.ready = 'true';
  if (location.hash === '#puzzles') document.getElementById('puzzles')?.scrollIntoView();
  return {};
}

/** @param {LessonPlayer | PuzzlePlayer} player @returns {Promise<import('../main.js').Page>} */
async function started(player) {
  await player.start();
  document.body.dataset.ready = 'true';
  return { leave: () => player.leave(), key: (key) => player.key(key) };
}

/** @param {any[]} lessons */
function lessonList(lessons) {
  if (lessons.length === 0) return h('p', { class: 'soft' }, 'There are no lessons on this server.');
  const done = stored('riftlab-lessons', {});
  const reached = (/** @type {any} */ lesson) => Math.min(done[lesson.name] ?? 0, lesson.steps);
  const next = lessons.find((lesson) => reached(lesson) < lesson.steps);
  return h(
    'section',
    { 'aria-label': 'Lessons' },
    h(
      'p',
      { class: 'soft' },
      'Short lessons on real positions. Most steps have an exercise on the board.',
    ),
    h(
      'ol',
      { class: 'cards' },
      lessons.map((lesson, index) => lessonCard(lesson, index, reached(lesson), lesson === next)),
    ),
  );
}

/** @param {any} lesson @param {number} index @param {number} reached @param {boolean} next whether it is the first unfinished lesson */
function lessonCard(lesson, index, reached, next) {
  const done = reached >= lesson.steps;
  return h(
    'li',
    null,
    h(
      'a',
      {
        class: `card${next ? ' next' : ''}${done ? ' done' : ''}`,
        href: `/learn/${encodeURIComponent(lesson.name)}`,
        'data-test': 'lesson',
        'data-lesson': lesson.name,
      },
      h('span', { class: 'soft small' }, `Lesson ${index + 1}`),
      h('strong', null, lesson.title),
      h('span', { class: 'small grow' }, lesson.summary ?? ''),
      h(
        'span',
        { class: 'dots', 'aria-hidden': 'true' },
        Array.from({ length: lesson.steps }, (_, step) => h('span', { class: step < reached ? 'past' : '' })),
      ),
      h(
        'span',
        { class: 'soft small' },
        done ? '✓ done' : reached > 0 ? `${reached} of ${lesson.steps} steps` : `${lesson.steps} steps`,
      ),
    ),
  );
}

/** @param {any[]} puzzles */
function puzzleList(puzzles) {
  if (puzzles.length === 0) return null;
  const solved = stored('riftlab-puzzles', {});
  const levels = [...new Set(puzzles.map((puzzle) => puzzle.difficulty))].sort();
  const open = puzzles.find((puzzle) => !solved[puzzle.id]);
  const list = h('ol', { class: 'cards small-cards' });
  const chips = h('div', { class: 'row tight', role: 'group', 'aria-label': 'Difficulty' });
  const kind = stored(SHOWN, 'all');
  let shown = levels.includes(kind) ? kind : 'all';
  const draw = () => {
    put(
      chips,
      ['all', ...levels].map((level) =>
        button(
          level === 'all'
            ? 'All'
            : [difficulty(level), h('span', { class: 'unseen' }, `Difficulty ${level}`)],
          () => {
            shown = level;
            store(SHOWN, level);
            draw();
            chips.querySelector(`[data-difficulty="${level}"]`).focus();
          },
          { 'aria-pressed': String(level === shown), 'data-test': 'difficulty', 'data-difficulty': level },
        ),
      ),
    );
    put(
      list,
      puzzles.map((puzzle, index) =>
        shown === 'all' || puzzle.difficulty === shown
          ? puzzleCard(puzzle, index + 1, Boolean(solved[puzzle.id]))
          : null,
      ),
    );
  };
  draw();
  const count = puzzles.filter((puzzle) => solved[puzzle.id]).length;
  return h(
    'section',
    { id: 'puzzles', 'aria-labelledby': 'puzzles-title' },
    h('h2', { id: 'puzzles-title' }, 'Puzzles'),
    h(
      'div',
      { class: 'row spread' },
      h(
        'p',
        { class: 'soft' },
        `Positions from recorded games, each with exactly one solution. ${count} of ${puzzles.length} solved.`,
      ),
      open
        ? h(
            'a',
            {
              class: 'button main',
              href: `/learn?puzzle=${encodeURIComponent(open.id)}`,
              'data-test': 'next-puzzle',
            },
            count > 0 ? 'Next puzzle' : 'First puzzle',
          )
        : null,
    ),
    chips,
    list,
  );
}

/** A difficulty as dots. @param {number} level */
export function difficulty(level) {
  return h(
    'span',
    { class: 'level', 'aria-hidden': 'true' },
    Array.from({ length: 5 }, (_, index) => h('span', { class: index < level ? 'on' : '' })),
  );
}

/** @param {any} puzzle @param {number} number @param {boolean} solved */
function puzzleCard(puzzle, number, solved) {
  return h(
    'li',
    null,
    h(
      'a',
      {
        class: `card${solved ? ' done' : ''}`,
        href: `/learn?puzzle=${encodeURIComponent(puzzle.id)}`,
        'data-test': 'puzzle',
        'data-puzzle': puzzle.id,
      },
      h(
        'span',
        { class: 'row spread soft small' },
        `No. ${number}`,
        solved ? h('span', null, '✓ solved') : difficulty(puzzle.difficulty),
      ),
      h('strong', null, puzzle.title),
      h('span', { class: 'small soft' }, setupWords(puzzle.setup)),
      h('span', { class: 'unseen' }, `, difficulty ${puzzle.difficulty}`),
    ),
  );
}
