// The help page: a summary of the rules, a legend of the board, keyboard shortcuts and a note about riftlab.

import { marker, patterns, pile, territory } from '../board/pieces.js';
import { outline } from '../board/shape.js';
import { h, s } from '../dom.js';
import { keyList } from './keys.js';

const CELL = { at: '', x: 0, y: 0 };
const SQUARE = /** @type {any} */ ({ kind: 'square' });

/** A sample cell with its explanation. @param {any} drawing @param {string} term @param {string} words */
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

/** The symbols of the four seats. */
function symbols() {
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
        h('h2', null, 'RingRift in brief'),
        h(
          'p',
          null,
          'Two to four players place rings, move stacks of rings and leave markers behind. Markers form lines and borders, which become territory. You win when you have eliminated enough rings, when you own enough territory and more than all others together, or when you are the last player who can act.',
        ),
        h(
          'ul',
          { class: 'rules' },
          rule(
            'Place',
            'Place one to three rings on an empty cell, or one ring on any stack. That stack must then move. If you control a stack that can move, you may skip placement.',
          ),
          rule(
            'Move',
            'A stack moves in a straight line, at least as many cells as it is high, and leaves one of your markers behind. Your markers on the way collapse into territory; those of others flip to your colour. Landing on a marker costs the top ring.',
          ),
          rule(
            'Capture',
            'Jump over the first stack on the way, of any colour, if your cap (the rings of your colour on top) is at least as high as its cap. Its top ring goes to the bottom of your stack. If you can capture again with that stack, you must.',
          ),
          rule(
            'Lines',
            'Four of your markers in a row (three in some games on small boards) collapse, and you eliminate one of your rings. Of a longer line you may collapse only the required number, for free.',
          ),
          rule(
            'Regions',
            'You can claim a region that is enclosed by markers of one colour, territory and the edge of the board if at least one player controls no stack inside. You eliminate all rings inside, and pay with a whole cap from outside.',
          ),
          rule(
            'Recovery',
            'If you control no stack but own a marker and a buried ring, you may slide a marker by one cell and pay with a buried ring.',
          ),
          rule('Forced elimination', 'If you control stacks but cannot do anything in your turn, you must eliminate a cap.'),
          rule(
            'Pie rule',
            'In a game of two, the second player may swap sides after the first turn.',
          ),
        ),
        h(
          'p',
          null,
          h('a', { href: '/learn' }, 'The lessons'),
          ' show each rule on a board, with exercises.',
        ),
      ),
      h(
        'section',
        null,
        h('h2', null, 'Go in brief'),
        h(
          'p',
          null,
          'Black and White take turns placing stones on the intersections. Chains without an adjacent empty point are captured. Two passes in a row end the game: click dead stones to mark them, then accept the score.',
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
            symbols(),
            'Symbols',
            'Blue is a disc, Amber a diamond, Crimson a triangle and Mint a square: on markers, on the top rings of stacks and in the panels.',
          ),
          sample(
            pile([1, 1, 2, 2, 1]),
            'Stacks',
            'Rings of one or more colours. The outlined part on top is the cap: here two rings of Blue, who controls the stack. A number shows the height of stacks of four or more rings.',
          ),
          sample(
            marker(2),
            'Markers',
            'Left behind by stacks that moved. They flip, collapse, and form lines and borders.',
          ),
          sample(
            [patterns('help'), territory('help', SQUARE, CELL, 3)],
            'Territory',
            'A collapsed cell in the colour and pattern of its owner. Nothing can enter or cross it.',
          ),
          sample(
            s('circle', { class: 'dot', r: 13 }),
            'Green',
            'Cells that you can click. An open circle is a capture. A dashed frame is a stack that would be captured, and −1 a ring that would be lost.',
          ),
          sample(
            s('path', { class: 'last', d: outline(SQUARE, CELL, 1) }),
            'Grey frames',
            'Cells that the last turn changed.',
          ),
        ),
      ),
      h('section', null, h('h2', null, 'Keyboard shortcuts'), keyList()),
      h(
        'section',
        null,
        h('h2', null, 'About'),
        h(
          'p',
          null,
          'riftlab lets you play, analyse and learn RingRift and Go. Everything runs on the computer that serves this page. People and programs use the same rules and agents.',
        ),
        h('p', null, h('a', { href: '/api' }, 'HTTP API for programs')),
      ),
    ),
  );
  document.body.dataset.ready = 'true';
  return {};
}
