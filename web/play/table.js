// A game with its board, seats, prompt and actions. Games without people are watched, all others are played.

import { Board } from '../board/draw.js';
import { BoardInput } from '../board/input.js';
import { point, way } from '../board/preview.js';
import { loadShape } from '../board/shape.js';
import { confirmed } from '../dialog.js';
import { button, h, put, setText } from '../dom.js';
import { change, onChange } from '../settings.js';
import { go } from '../main.js';
import { showError, announce } from '../messages.js';
import { colour, coloured, goalWords, promptTo, scoreWords, seatName, setupWords } from '../words.js';
import { actions } from './actions.js';
import { Danger } from './danger.js';
import { ending } from './ending.js';
import { Hint } from './hint.js';
import { MoveList } from './moves.js';
import { Pace } from './pace.js';
import { Replay } from './replay.js';
import { drawSeats } from './seats.js';
import { Session } from './session.js';
import { Story } from './story.js';
import { ThinkingRow } from './thinking.js';
import { Welcome } from './welcome.js';
import { Why } from './why.js';
import { WatchStrip } from '../watch/strip.js';

export class Table {
  /**
   * @param {HTMLElement} root @param {string} id
   * @param {{ again: (game: any) => void, setup: () => void }} callbacks actions of the page
   */
  constructor(root, id, callbacks) {
    this.root = root;
    this.page = callbacks;
    this.pace = new Pace(
      (game) => {
        this.drawn = this.show(game).catch(showError);
      },
      () => this.wait(),
    );
    this.session = new Session(id, {
      game: (game) => this.pace.take(game),
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
    this.goal = h('p', { class: 'goal small soft', 'data-test': 'goal' });
    this.story = new Story(() => this.pace.skip());
    this.danger = new Danger();
    this.why = new Why((ply, moves) => this.lookAt(ply, moves));
    this.replay = new Replay(id, () => this.redraw());
    /** The position that the warnings are about. */
    this.warned = '';
    this.seats = h('div', { class: 'seats' });
    this.title = h('h1', { class: 'what', 'data-test': 'status' });
    this.thinking = new ThinkingRow(() => this.session.ask('stop'));
    this.strip = new WatchStrip((change) => this.session.ask('control', change));
    this.moves = new MoveList(
      (ply) => `/analyse?game=${id}&ply=${ply}`,
      (ply) => this.lookAt(ply, []),
    );
    this.act = actions(id, {
      undo: () => this.session.ask('undo'),
      hint: () => this.askHint(),
      resign: () => this.resign(),
      again: () => this.leaveFor(() => this.page.again(this.game)),
      setup: () => this.page.setup(),
    });
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
          this.goal,
          this.welcome.el,
          this.result,
          this.prompt,
          this.danger.el,
          this.buttons,
          this.why.el,
          this.thinking.el,
          this.story.el,
          this.aside,
        ),
        this.strip.el,
        this.seats,
        h(
          'div',
          { class: 'controls' },
          this.replay.el,
          h('div', { class: 'actions', role: 'group', 'aria-label': 'Game' }, Object.values(this.act)),
        ),
        h('section', { class: 'list', 'aria-label': 'Moves' }, this.moves.el),
      ),
    );
    /** @type {(() => void)[]} */
    this.ends = [
      onChange(() => {
        this.board?.fit();
        this.warned = '';
        this.warn();
      }),
    ];
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
    this.danger.clear(this.board, this.input);
    this.thinking.hide();
    this.pace.stop();
    this.session.close();
    for (const end of this.ends) end();
  }

  /** Shows a state of the game. @param {any} game */
  async show(game) {
    const before = this.game;
    this.game = game;
    if (!this.board) {
      const shape = await loadShape(game.setup);
      if (!this.board) this.build(shape);
      game = this.game;
    }
    const { view } = game;
    this.hint?.stop();
    const evaluated = game.moves.findLast((/** @type {any} */ move) => move.values);
    this.values = evaluated?.values ?? this.values;
    this.thought = game.thinking;
    this.story.add(before, game);
    this.replay.show(game);
    this.moves.show(view.setup.game, game.moves);
    this.drawPosition(before);
    this.drawNow();
    this.announce(before, game);
    Object.assign(document.body.dataset, {
      game: game.id,
      ply: game.ply,
      toMove: view.to_move ?? '',
      status: game.status,
      pending: String(this.pace.pending),
    });
    this.warn();
  }

  /** Shows that turns of opponents follow. */
  wait() {
    document.body.dataset.pending = 'true';
    this.story.waits(true);
    this.drawThinking();
  }

  /** Draws the board: the present position, or the earlier one that is being looked at. @param {any} [before] the previous state */
  drawPosition(before) {
    const { game } = this;
    const { view } = game;
    const board = /** @type {Board} */ (this.board);
    board.el.classList.toggle('looking', this.replay.view !== null);
    document.body.dataset.looking = this.replay.ply === null ? '' : String(this.replay.ply);
    if (this.replay.view) {
      this.input?.offer([], 1);
      this.offered = false;
      board.show(this.replay.view);
      board.overlay('story', []);
      board.overlay('arrows', this.replay.arrows.flatMap(({ move, kind }) => (move ? point(board, move, [], kind) : [])));
      return;
    }
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
    this.story.show(game, this.pace.pending, board);
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
  }

  /** Draws the position again after stepping through the game. */
  redraw() {
    const board = /** @type {Board} */ (this.board);
    board.overlay('arrows', []);
    this.drawPosition();
    this.drawNow();
    this.warned = '';
    this.warn();
    const { ply } = this.replay;
    if (ply === null) {
      this.moves.unmark();
      return;
    }
    const chosen = this.game.moves.findLastIndex((/** @type {any} */ move, /** @type {number} */ index) => index < ply && !move.auto);
    this.moves.mark((other) => other === chosen + 1);
    const move = this.game.moves[chosen];
    const kind = this.game.setup.game;
    announce(move ? `Turn ${move.turn}: ${colour(kind, move.seat)} ${move.words}.` : 'Start of the game.');
  }

  /** Shows an earlier position with arrows. @param {number} ply @param {{ move: any, kind: string }[]} moves */
  lookAt(ply, moves) {
    this.replay.goTo(ply, moves).catch(showError);
  }

  /** Shows the warnings about the position in which a person is to move. */
  warn() {
    const { view } = this.game ?? {};
    const here = this.board && this.input && this.choosing() ? `${view.ply} ${view.text}` : 'none';
    if (here === this.warned) return;
    this.warned = here;
    if (here === 'none') this.danger.clear(this.board, this.input);
    else this.danger.ask(view, /** @type {Board} */ (this.board), /** @type {BoardInput} */ (this.input));
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
    this.board.el.addEventListener('click', () => this.pace.skip());
    this.stage.append(this.board.el);
  }

  /** Whether a person is to move and has seen all turns. */
  humanTurn() {
    const { view, seats, status } = this.game;
    return (
      status === 'playing' &&
      !this.pace.pending &&
      seats.some((/** @type {any} */ seat) => seat.seat === view.to_move && seat.who === 'human')
    );
  }

  /** Whether a person can choose a move here. */
  choosing() {
    return this.humanTurn() && !this.replay.view;
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
    const elsewhere = this.pace.pending || this.replay.view !== null;
    if (this.game.status !== 'playing' || !seat || seat.who === 'human' || this.game.paused || elsewhere)
      this.thinking.hide(board);
    else this.thinking.show(seatName(seat), this.thought ?? {}, board);
  }

  /** Draws the panel: prompt, buttons for moves without cells, result and seats. */
  drawNow() {
    const { view, seats, status } = this.game;
    const humans = seats.filter((/** @type {any} */ seat) => seat.who === 'human');
    const mine = this.choosing();
    const buttons = mine ? view.moves.filter((/** @type {any} */ move) => move.steps.length === 0) : [];
    const swap = buttons.find((/** @type {any} */ move) => move.text === 'swap');
    setText(this.title, setupWords(view.setup));
    setText(this.goal, goalWords(view));
    this.goal.hidden = status === 'over' || humans.length === 0;
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
      this.replay.view
        ? button('Back to the game', () => this.replay.live(), { class: 'main', 'data-test': 'back-live' })
        : null,
      status === 'scoring' && !this.replay.view
        ? button('Accept score', () => this.session.ask('accept'), {
            class: 'main',
            'data-test': 'accept-score',
          })
        : null,
    );
    this.result.hidden = status !== 'over';
    put(this.result, status === 'over' ? ending(view, seats, (level) => this.playAgainst(level)) : []);
    this.why.show(this.game);
    this.welcome.show(this.game, mine);
    this.act.undo.disabled = !this.game.can_undo;
    this.act.hint.disabled = !mine;
    this.act.resign.disabled = status !== 'playing' || humans.length === 0;
    const watching = humans.length === 0;
    for (const name of /** @type {const} */ (['undo', 'hint', 'resign'])) this.act[name].hidden = watching;
    this.act.again.classList.toggle('main', status === 'over');
    this.el.classList.toggle('over', status === 'over');
    this.strip.show(watching && status === 'playing', this.game);
    this.seats.classList.toggle('slim', view.players.length > 2);
    drawSeats(this.seats, this.replay.view ?? view, seats, this.replay.view ? null : this.values);
    this.drawThinking();
    // The title shows in another tab when it is the player's turn.
    const turn = status === 'over' ? 'Game over' : mine ? 'Your move' : watching ? 'Watch' : 'Play';
    document.title = `${turn} · riftlab`;
  }

  /** @param {boolean} mine @param {number} humans */
  promptWords(mine, humans) {
    const { view, status } = this.game;
    if (this.replay.view) return this.replay.words.textContent?.endsWith('Start') ? 'The start of the game.' : 'An earlier position.';
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
    // Later games start at this level, too.
    const chosen = Array.from({ length: 4 }, (_, index) => (seats[index]?.who === 'human' ? 'human' : level));
    change(this.game.setup.game === 'go' ? { goSeats: chosen.slice(0, 2) } : { seats: chosen });
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
    if (this.choosing()) this.hint?.ask(this.game.view).catch(showError);
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

  /** Leaves the game, after asking if it is being played. @param {() => void} leave */
  async leaveFor(leave) {
    const begun = this.game.status === 'playing' && this.game.moves.some((/** @type {any} */ move) => move.human);
    const sure =
      !begun ||
      (await confirmed(
        'Leave this game?',
        'It is not finished. You can resume it later: New game lists earlier games.',
        'Leave',
      ));
    if (sure) leave();
  }

  /** @param {string} key @returns {boolean} whether the key was a shortcut */
  key(key) {
    if (key === 'Escape' && this.input?.choice.begun) this.input.cancel();
    else if (/^[1-9]$/.test(key)) return this.input?.chooser.chooseNumber(Number(key)) ?? false;
    else if (key === 'u' && !this.act.undo.disabled) this.session.ask('undo');
    else if (key === 'h') this.askHint();
    else if (key === 'n') this.act.again.click();
    else if (key === 's') this.page.setup();
    else if (key === 'b') this.board?.el.focus();
    else if (key === 'm' && !this.thinking.el.hidden) this.session.ask('stop');
    else if (key === 'a') this.leaveFor(() => go(`/analyse?game=${this.session.id}`));
    else if (key === ' ' && this.pace.pending) this.pace.skip();
    else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) return this.walk(key);
    else if (key === 'p') return this.pass();
    else if (key === ' ' && !this.strip.el.hidden && document.activeElement === document.body)
      this.strip.toggle();
    else return false;
    return true;
  }

  /** Steps through the game. @param {string} key @returns {boolean} whether the key did so */
  walk(key) {
    // A slider has the same keys.
    if (document.activeElement?.tagName === 'INPUT') return false;
    if (key === 'Home') this.lookAt(0, []);
    else if (key === 'End') this.replay.live();
    else this.replay.step(key === 'ArrowLeft' ? -1 : 1).catch(showError);
    return true;
  }

  /** Plays the only move without cells, such as a pass or a skip. */
  pass() {
    const only = this.choosing()
      ? this.game.view.moves.filter((/** @type {any} */ move) => move.steps.length === 0)
      : [];
    if (only.length === 1 && only[0].text !== 'swap') this.play(only[0].text);
    return only.length === 1;
  }
}

/** Shows a prompt: its first sentence is the instruction, the others are explanations. @param {HTMLElement} node @param {string} words */
export function putPrompt(node, words) {
  if (node.textContent === words) return;
  const end = words.indexOf('. ');
  put(node, end < 0 ? words : [words.slice(0, end + 1), h('span', { class: 'more' }, words.slice(end + 1))]);
}
