// Learn: lessons that explain a rule on a real position and let it be tried, and puzzles. How far one came stays in the browser.

import { get } from '../api.js';
import { h } from '../dom.js';
import { kept } from '../settings.js';
import { setupWords } from '../words.js';
import { LessonPlayer } from './lesson.js';
import { PuzzlePlayer } from './puzzle.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  if (route.query.has('puzzle')) return started(new PuzzlePlayer(root, /** @type {string} */ (route.query.get('puzzle'))));
  if (route.part) return started(new LessonPlayer(root, route.part));
  const [lessons, puzzles] = await Promise.all([
    get('/api/lessons').then((told) => told.lessons, () => []),
    get('/api/puzzles').then((told) => told.puzzles, () => []),
  ]);
  root.append(h('div', { class: 'sheet' }, h('h1', null, 'Learn RingRift'), lessonList(lessons), puzzleList(puzzles)));
  document.body.dataset.ready = 'true';
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
  const done = kept('riftlab-lessons', {});
  return h('section', null, h('p', { class: 'soft' }, 'Short lessons on real positions. Each step has something to try.'),
    h('ol', { class: 'cards' }, lessons.map((lesson, index) => {
      const reached = Math.min(done[lesson.name] ?? 0, lesson.steps);
      return h('li', null, h('a', { class: 'card', href: `/learn/${encodeURIComponent(lesson.name)}`, 'data-test': 'lesson', 'data-lesson': lesson.name },
        h('span', { class: 'soft small' }, `Lesson ${index + 1}`), h('strong', null, lesson.title), h('span', { class: 'small grow' }, lesson.summary ?? ''),
        h('span', { class: 'toward' }, h('span', { class: 'bar thick' }, h('span', { style: { width: `${(reached / Math.max(1, lesson.steps)) * 100}%` } }))),
        h('span', { class: 'soft small' }, reached >= lesson.steps ? 'done' : `${reached} of ${lesson.steps} steps`)));
    })));
}

/** @param {any[]} puzzles */
function puzzleList(puzzles) {
  if (puzzles.length === 0) return null;
  const solved = kept('riftlab-puzzles', {});
  return h('section', null, h('h2', null, 'Puzzles'), h('p', { class: 'soft' }, 'From recorded games; each has exactly one solution.'),
    h('ol', { class: 'cards small-cards' }, puzzles.map((puzzle) => h('li', null, h('a', { class: 'card', href: `/learn?puzzle=${encodeURIComponent(puzzle.id)}`, 'data-test': 'puzzle', 'data-puzzle': puzzle.id },
      h('strong', null, puzzle.title), h('span', { class: 'small' }, setupWords(puzzle.setup)),
      h('span', { class: 'soft small' }, `difficulty ${puzzle.difficulty}${solved[puzzle.id] ? ' · solved' : ''}`))))));
}
