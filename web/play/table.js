// A game with its board, seats, prompt and actions. Games without people are watched, all others are played.

import { Board } from '../board/draw.js';
import { BoardInput } from '../board/input.js';
import { way } from '../board/preview.js';
import { loadShape } from '../board/shape.js';
import { confirmed } from '../dialog.js';
import { button, h, put, setText } from '../dom.js';
import { icon } from '../icons.js';
import { onChange } from '../settings.js';
import { showError, announce } from '../messages.js';
import { colour, coloured, promptTo, scoreWords, seatName, setupWords } from '../words.js';
import { ending } from './ending.js';
import { Hint } from './hint.js';
import { MoveList } from './moves.js';
import { drawSeats } from './seats.js';
import { Session } from './session.js';
import { ThinkingRow } from './thinking.js';
import { Welcome } from './welcome.js';
import { WatchStrip } from '../watch/strip.js';

export class Table {
  /**
   * @param {HTMLElement} root @param {string} id
   * @param {{ again: (game: any) => void, setup: () => void }} callbacks actions of the page
   */
  constructor(root, id, callbacks) {
    this.root = root;
    this.page = callbacks;
    this.session = new Session(id, {
      game: (game) => {
        this.drawn = this.show(game).catch(showError);
      },
      thinking: (thinking) => this.think(thinking),
    });
    /** @type {any} */
    this.game = null;
    /** @type {number[] | null} the latest expected scores of the seats */
    this.values = null;
    /** Whether moves can be chosen; false while a move is being sent. */
    this.offered = false;
    /** @type {any} */
    this.thought = null;
    /** The text of the hint, which is shown unless a cell is hovered. */
    this.hinted = '';
    this.prompt = h('p', { class: 'prompt', 'data-test': 'prompt' });
    this.aside = h('p', { class: 'aside soft small', 'data-test': 'aside' });
    this.buttons = h('div', { class: 'row', 'data-test': 'move-buttons' });
    this.result = h('div', { class: 'result', 'data-test': 'result', hidden: true });
    this.welcome = new Welcome();
    this.seats = h('div', { class: 'seats' });
    this.title = h('h1', { class: 'what', 'data-test': 'status' });
    this.thinking = new ThinkingRow(() => this.session.ask('stop'));
    this.strip = new WatchStrip((change) => this.session.ask('control', change));
    this.moves = new MoveList((ply) => `/analyse?game=${id}&ply=${ply}`);
    this.act = this.actions();
    this.stage = h('div', { class: 'stage' });
    this.el = h(
      'div',
      { class: 'table' },
      this.stage,
      h(
        'aside',
        { class: 'panel' },
        h(
          'section',
          { class: 'now', 'aria-label': 'What to do' },
          this.title,
          this.welcome.el,
          this.result,
          this.prompt,
          this.buttons,
          this.thinking.el,
          this.aside,
        ),
        this.strip.el,
        this.seats,
        h('div', { class: 'actions', role: 'group', 'aria-label': 'Game' }, Object.values(this.act)),
        h('section', { class: 'list', 'aria-label': 'Moves' }, this.moves.el),
      ),
    );
    /** @type {(() => void)[]} */
    this.ends = [onChange(() => this.board?.fit())];
  }

  /** Loads the game and shows it. */
  async open() {
    await this.session.follow();
    await this.drawn;
    this.root.append(this.el);
    document.body.dataset.ready = 'true';
  }

  leave() {
    this.hint?.stop();
    this.thinking.hide();
    this.session.close();
    for (const end of this.ends) end();
  }

  actions() {
    return {
      undo: action('undo', 'Undo', () => this.session.ask('undo'), {
        'data-test': 'undo',
        title: 'Undo your last decision (u)',
      }),
      hint: action('hint', 'Hint', () => this.askHint(), {
        'data-test': 'hint',
        title: 'Suggest a move (h)',
      }),
      resign: action('flag', 'Resign', () => this.resign(), {
        'data-test': 'resign',
        title: 'Resign the game',
      }),
      again: action('again', 'Rematch', () => this.page.again(this.game), {
        'data-test': 'again',
        title: 'New game with the same settings (n)',
      }),
      setup: action('plus', 'New game', () => this.page.setup(), {
        'data-test': 'new-game',
        title: 'Choose the game, its options and the players, or open an earlier game (s)',
      }),
      analyse: h(
        'a',
        {
          class: 'button',
          href: `/analyse?game=${this.session.id}`,
          'data-test': 'analyse',
          title: 'Analyse this game (a)',
        },
        icon('chart'),
        'Analyse',
      ),
    };
  }

  /** @param {any} game */
  async show(game) {
    const before = this.game;
    this.game = game;
    if (!this.board) {
      const shape = await loadShape(game.setup);
      if (!this.board) this.build(shape);
      game = this.game;
    }
    const { view } = game;
    const board = /** @type {Board} */ (this.board);
    this.hint?.stop();
    const evaluated = game.moves.findLast((/** @type {any} */ move) => move.values);
    this.values = evaluated?.values ?? this.values;
    this.thought = game.thinking;
    const score = view.score ? { ...view.score, dead: game.dead ?? view.score.dead } : null;
    const fresh =
      before && game.ply > before.ply
        ? game.moves.slice(before.ply).find((/** @type {any} */ move) => !move.auto)
        : null;
    const played = fresh && game.played?.text === fresh.text ? game.played : null;
    board.show(
      { ...view, score },
      { animate: Boolean(fresh) && game.ply - before.ply < 12, way: way(played) },
    );
    if (
      !this.offered ||
      before?.view.text !== view.text ||
      before.ply !== game.ply ||
      before.status !== game.status
    ) {
      this.input?.offer(this.humanTurn() ? view.moves : [], view.to_move ?? 1);
      this.offered = true;
    }
    if (game.status === 'scoring')
      board.clickable(
        new Set(
          view.cells
            .filter((/** @type {any} */ cell) => cell.stone)
            .map((/** @type {any} */ cell) => cell.at),
        ),
      );
    this.moves.show(view.setup.game, game.moves);
    this.drawNow();
    this.announce(before, game);
    Object.assign(document.body.dataset, {
      game: game.id,
      ply: game.ply,
      toMove: view.to_move ?? '',
      status: game.status,
    });
  }

  /** @param {import('../board/shape.js').Shape} shape */
  build(shape) {
    this.board = new Board(shape, this.game.setup.game);
    this.input = new BoardInput(this.board, {
      play: (move) => this.play(move.text),
      hover: (words) => setText(this.aside, words || this.hinted),
      cell: (at) => this.toggleDead(at),
    });
    this.hint = new Hint(this.board, (words) => {
      this.hinted = words;
      setText(this.aside, words);
    });
    this.stage.append(this.board.el);
  }

  /** Whether a person is to move. */
  humanTurn() {
    const { view, seats, status } = this.game;
    return (
      status === 'playing' &&
      seats.some((/** @type {any} */ seat) => seat.seat === view.to_move && seat.who === 'human')
    );
  }

  /** @param {any} thinking */
  think(thinking) {
    this.thought = thinking;
    this.drawThinking();
    if (!thinking.values || String(thinking.values) === String(this.values)) return;
    this.values = thinking.values;
    drawSeats(this.seats, this.game.view, this.game.seats, this.values);
  }

  drawThinking() {
    const board = this.board;
    if (!board) return;
    const seat = this.game.seats.find((/** @type {any} */ other) => other.seat === this.game.view.to_move);
    if (this.game.status !== 'playing' || !seat || seat.who === 'human' || this.game.paused)
      this.thinking.hide(board);
    else this.thinking.show(seatName(seat), this.thought ?? {}, board);
  }

  /** Draws the panel: prompt, buttons for moves without cells, result and seats. */
  drawNow() {
    const { view, seats, status } = this.game;
    const humans = seats.filter((/** @type {any} */ seat) => seat.who === 'human');
    const mine = this.humanTurn();
    const buttons = mine ? view.moves.filter((/** @type {any} */ move) => move.steps.length === 0) : [];
    const swap = buttons.find((/** @type {any} */ move) => move.text === 'swap');
    setText(this.title, setupWords(view.setup));
    putPrompt(this.prompt, this.promptWords(mine, humans.length));
    this.prompt.hidden = this.prompt.textContent === '';
    put(
      this.buttons,
      buttons
        .filter((/** @type {any} */ move) => move !== swap)
        .map((/** @type {any} */ move) => this.moveButton(move)),
      swap
        ? h(
            'div',
            { class: 'offer', 'data-test': 'swap-offer' },
            h(
              'p',
              { class: 'small' },
              `Pie rule: you may swap sides once, now. You then play ${colour(view.setup.game, 1)}, whose first turn stands.`,
            ),
            this.moveButton(swap, 'main'),
          )
        : null,
      status === 'scoring'
        ? button('Accept score', () => this.session.ask('accept'), {
            class: 'main',
            'data-test': 'accept-score',
          })
        : null,
    );
    this.result.hidden = status !== 'over';
    put(this.result, status === 'over' ? ending(view, seats, (level) => this.playAgainst(level)) : []);
    this.welcome.show(this.game, mine);
    this.act.undo.disabled = !this.game.can_undo;
    this.act.hint.disabled = !mine;
    this.act.resign.disabled = status !== 'playing' || humans.length === 0;
    const watching = humans.length === 0;
    for (const name of /** @type {const} */ (['undo', 'hint', 'resign'])) this.act[name].hidden = watching;
    this.act.again.classList.toggle('main', status === 'over');
    this.el.classList.toggle('over', status === 'over');
    this.strip.show(watching && status === 'playing', this.game);
    drawSeats(this.seats, view, seats, this.values);
    this.drawThinking();
    // The title shows in another tab when it is the player's turn.
    const turn = status === 'over' ? 'Game over' : mine ? 'Your move' : watching ? 'Watch' : 'Play';
    document.title = `${turn} · riftlab`;
  }

  /** @param {boolean} mine @param {number} humans */
  promptWords(mine, humans) {
    const { view, status } = this.game;
    if (status === 'over') return '';
    if (status === 'scoring')
      return `Click dead stones to mark them, then accept the score. ${view.score ? scoreWords(view.score.text) : ''}`.trim();
    if (!mine) return this.game.paused ? `Paused: ${colour(view.setup.game, view.to_move)} to move.` : '';
    return humans > 1
      ? promptTo(view.setup.game, view.to_move, view.prompt)
      : coloured(view.setup.game, view.prompt);
  }

  /** Starts the same game against another level. @param {string} level */
  playAgainst(level) {
    const seats = this.game.seats.map((/** @type {any} */ seat) =>
      seat.who === 'human' ? seat : { ...seat, spec: level },
    );
    this.page.again({ ...this.game, seats });
  }

  /** @param {any} move @param {string} [kind] */
  moveButton(move, kind = '') {
    return button(move.words, () => this.play(move.text), { 'data-move': move.text, class: kind });
  }

  /** Plays a move. No other move can be chosen until the server has responded. @param {string} text */
  play(text) {
    this.input?.offer([], 1);
    this.offered = false;
    for (const node of this.buttons.querySelectorAll('button')) node.disabled = true;
    this.session.play(text);
  }

  /** Announces what has changed to screen readers. @param {any} before @param {any} game */
  announce(before, game) {
    // The same state may arrive twice, as the response to a request and as an event.
    if (before && before.ply === game.ply && before.status === game.status && before.view.text === game.view.text)
      return;
    const fresh =
      before && game.ply > before.ply
        ? game.moves.slice(before.ply).filter((/** @type {any} */ move) => !move.auto)
        : [];
    const sentences = fresh.map(
      (/** @type {any} */ move) => `${colour(game.setup.game, move.seat)} ${move.words ?? move.text}.`,
    );
    if (game.status === 'over')
      sentences.push(coloured(game.setup.game, game.view.result?.words ?? 'The game is over.'));
    else if (this.humanTurn()) sentences.push(this.prompt.textContent ?? '');
    // Agents may play faster than a voice can speak.
    const chatter =
      !game.seats.some((/** @type {any} */ seat) => seat.who === 'human') && game.status !== 'over';
    if (sentences.length > 0) announce(sentences.join(' '), { chatter });
  }

  /** @param {string} at @returns {boolean} whether the click toggled a dead stone */
  toggleDead(at) {
    if (this.game.status !== 'scoring') return false;
    this.session.ask('dead', { at });
    return true;
  }

  askHint() {
    if (this.humanTurn()) this.hint?.ask(this.game.view).catch(showError);
  }

  async resign() {
    const { seats, view } = this.game;
    const humans = seats.filter((/** @type {any} */ seat) => seat.who === 'human');
    const seat = (humans.find((/** @type {any} */ other) => other.seat === view.to_move) ?? humans[0])?.seat;
    const sure = await confirmed(
      'Resign this game?',
      `${colour(view.setup.game, seat)} resigns, and the game ends.`,
      'Resign',
    );
    if (sure) this.session.ask('resign', { seat });
  }

  /** @param {string} key @returns {boolean} whether the key was a shortcut */
  key(key) {
    if (key === 'Escape' && this.input?.choice.begun) this.input.cancel();
    else if (/^[1-9]$/.test(key)) return this.input?.chooser.chooseNumber(Number(key)) ?? false;
    else if (key === 'u' && !this.act.undo.disabled) this.session.ask('undo');
    else if (key === 'h') this.askHint();
    else if (key === 'n') this.page.again(this.game);
    else if (key === 's') this.page.setup();
    else if (key === 'b') this.board?.el.focus();
    else if (key === 'm' && !this.thinking.el.hidden) this.session.ask('stop');
    else if (key === 'a') this.act.analyse.click();
    else if (key === 'p') return this.pass();
    else if (key === ' ' && !this.strip.el.hidden && document.activeElement === document.body)
      this.strip.toggle();
    else return false;
    return true;
  }

  /** Plays the only move without cells, such as a pass or a skip. */
  pass() {
    const only = this.humanTurn()
      ? this.game.view.moves.filter((/** @type {any} */ move) => move.steps.length === 0)
      : [];
    if (only.length === 1 && only[0].text !== 'swap') this.play(only[0].text);
    return only.length === 1;
  }
}

/** A button with an icon and a label. @param {string} picture @param {string} word @param {() => void} click @param {any} props */
function action(picture, word, click, props) {
  return button([icon(picture), word], click, props);
}

/** Shows a prompt: its first sentence is the instruction, the others are explanations. @param {HTMLElement} node @param {string} words */
export function putPrompt(node, words) {
  if (node.textContent === words) return;
  const end = words.indexOf('. ');
  put(node, end < 0 ? words : [words.slice(0, end + 1), h('span', { class: 'more' }, words.slice(end + 1))]);
}
