// Help: the rules in short, the keys, what this is.

import { marker, patterns, pile, territory } from '../board/pieces.js';
import { outline } from '../board/shape.js';
import { h, s } from '../dom.js';
import { keyList } from './keys.js';

const CELL = { at: '', x: 0, y: 0 };
const SQUARE = /** @type {any} */ ({ kind: 'square' });

/** A cell with something on it, and what it means. @param {any} drawing @param {string} term @param {string} words */
function sample(drawing, term, words) {
  return h(
    'li',
    { class: 'sample' },
    s(
      'svg',
      { viewBox: '-52 -52 104 104', 'aria-hidden': 'true', class: 'board-svg' },
      s('path', { class: 'cell', d: outline(SQUARE, CELL, 1.5) }),
      drawing,
    ),
    h('span', null, h('strong', null, `${term}. `), words),
  );
}

/** The four signs beside each other. */
function signs() {
  return [1, 2, 3, 4].map((seat) =>
    s('g', { transform: `translate(${seat % 2 ? -24 : 24} ${seat < 3 ? -22 : 24})` }, marker(seat)),
  );
}

/** @param {string} term @param {string} words */
function rule(term, words) {
  return h('li', null, h('strong', null, `${term}. `), words);
}

/** @param {HTMLElement} root @returns {Promise<import('../main.js').Page>} */
export async function open(root) {
  root.append(
    h(
      'div',
      { class: 'sheet help' },
      h('h1', null, 'Help'),
      h(
        'section',
        null,
        h('h2', null, 'RingRift in short'),
        h(
          'p',
          null,
          'Two to four players place rings, move stacks of them and leave markers behind. Markers make lines and walls, and these become territory. You win when enough rings have been credited to you, when you hold enough territory, or when you alone can still act.',
        ),
        h(
          'ul',
          { class: 'rules' },
          rule(
            'Place',
            'One to three rings on an empty cell, or one on any stack. That stack must then move. If you have something to move you may hold your rings back.',
          ),
          rule(
            'Move',
            'A stack goes straight, at least as many cells as it is high. It leaves a marker of yours. Your own markers on the way collapse into territory, others turn into yours. Landing on a marker costs the top ring.',
          ),
          rule(
            'Capture',
            'Jump the first stack on the way, anybody’s, if your cap (the run of your colour on top) is at least as high as its cap. Its top ring goes under your stack. A capture that can be continued must be.',
          ),
          rule(
            'Lines',
            'Four markers of yours in a row (three with more players on the small boards) collapse and cost you a ring. Of a longer line you may collapse just enough of it for nothing.',
          ),
          rule(
            'Regions',
            'Cells that markers of one colour, territory and the edge wall off can be claimed if some colour controls nothing inside. All rings inside are credited to you; you pay with a whole cap from outside.',
          ),
          rule(
            'Recovery',
            'If you control no stack but have a marker and a buried ring, slide a marker by one cell and pay with a buried ring.',
          ),
          rule('Forced elimination', 'If you control stacks but could do nothing all turn, you lose a cap.'),
          rule(
            'Pie rule',
            'With two players the second may take over the first player’s seat after the first turn.',
          ),
        ),
        h(
          'p',
          null,
          h('a', { href: '/learn' }, 'The lessons'),
          ' show each rule on a board, with something to try.',
        ),
      ),
      h(
        'section',
        null,
        h('h2', null, 'Go in short'),
        h(
          'p',
          null,
          'Black and White put stones on crossings by turns. Chains without a free neighbouring point are taken off. Two passes end the game: click stones that are dead, then accept the score.',
        ),
      ),
      h(
        'section',
        null,
        h('h2', null, 'Reading the board'),
        h(
          'ul',
          { class: 'samples board' },
          sample(
            signs(),
            'Signs',
            'Blue is a disc, Amber a diamond, Crimson a triangle, Mint a square: on markers, on the top ring of stacks and in the panels.',
          ),
          sample(
            pile([1, 1, 2, 2, 1]),
            'Stacks',
            'Piles of rings in their order. The outlined part on top is the cap: here two of Blue, who controls the stack. From four rings up the height is written beside it.',
          ),
          sample(
            marker(2),
            'Markers',
            'Left behind by a stack that moved. They turn, collapse, and make lines and walls.',
          ),
          sample(
            [patterns('help'), territory('help', SQUARE, CELL, 3)],
            'Territory',
            'A collapsed cell in the colour and the pattern of its owner. Nothing enters or crosses it any more.',
          ),
          sample(
            s('circle', { class: 'dot', r: 13 }),
            'Green',
            'What you can click. An open circle captures. A dashed frame is a stack about to be captured, −1 a ring about to be lost.',
          ),
          sample(
            s('path', { class: 'last', d: outline(SQUARE, CELL, 1) }),
            'Grey frames',
            'What the last turn touched.',
          ),
        ),
      ),
      h('section', null, h('h2', null, 'Keys'), keyList()),
      h(
        'section',
        null,
        h('h2', null, 'About'),
        h(
          'p',
          null,
          'riftlab plays, analyses and teaches RingRift and Go. Everything runs on the computer that serves this page; rules and agents are the same for people and programs.',
        ),
        h('p', null, h('a', { href: '/api' }, 'The interface for programs')),
      ),
    ),
  );
  document.body.dataset.ready = 'true';
  return {};
}
