// The analysis page: step through a game, let an agent analyse its positions, try other moves, play from any position.

import { post } from '../api.js';
import { Board } from '../board/draw.js';
import { BoardInput } from '../board/input.js';
import { loadShape } from '../board/shape.js';
import { button, h, setText } from '../dom.js';
import { go } from '../main.js';
import { MoveList } from '../play/moves.js';
import { drawSeats } from '../play/seats.js';
import { putPrompt } from '../play/table.js';
import { onChange } from '../settings.js';
import { showError, announce } from '../messages.js';
import { colour, coloured, percent, promptTo, setupWords } from '../words.js';
import { Candidates, clearHeat, drawHeat } from './candidates.js';
import { Engine } from './engine.js';
import { askForText, copy, exportTexts } from './files.js';
import { isBookkeeping } from './line.js';
import { askForSeats } from './playon.js';
import { Review } from './review.js';
import { fromAddress, fromText } from './source.js';
import { Stepper } from './stepper.js';

/** @param {HTMLElement} root @param {import('../main.js').Route} route @returns {Promise<import('../main.js').Page>} */
export async function open(root, route) {
  const view = new AnalysisView(root, await fromAddress(route.query));
  await view.start();
  return { leave: () => view.leave(), key: (key) => view.key(key) };
}

class AnalysisView {
  /** @param {HTMLElement} root @param {import('./source.js').Source} from */
  constructor(root, { line, seats, game, moveData }) {
    this.root = root;
    this.line = line;
    this.seatsOfGame = seats;
    this.game = game;
    this.moveData = moveData;
    const kind = line.setup.game;
    this.stepper = new Stepper({
      first: () => this.goTo(0),
      back: () => this.walk(-1),
      on: () => this.walk(1),
      last: () => this.goTo(line.moves.length),
      to: (ply) => this.goTo(ply),
    });
    this.engine = new Engine(line.setup, {
      report: (report) => this.report(report),
      toggled: (on) => this.toggled(on),
    });
    this.candidates = new Candidates({
      play: (move) => this.play(move),
      playAll: (moves) => this.playAll(moves),
      look: (moves) => this.look(moves),
      board: () => this.board,
    });
    this.review = new Review(kind, (ply) => this.goTo(ply), (ply) => this.turns[ply - 1] ?? 0);
    this.review.ask = () => ({
      setup: line.setup,
      start: line.start,
      moves: line.moves,
      ...this.engine.terms(),
    });
    this.moves = new MoveList(
      (ply) => `#${ply}`,
      (ply) => this.goTo(ply),
    );
    /** The turns of the moves, once they are known. @type {number[]} */
    this.turns = moveData.map((move) => move.turn);
    this.title = h('h1', { class: 'what' }, setupWords(line.setup));
    this.prompt = h('p', { class: 'prompt', 'data-test': 'prompt' });
    this.aside = h('p', { class: 'aside soft small' });
    this.backToMain = button(
      'Back to main line',
      () => {
        line.backToMain();
        this.show();
      },
      { 'data-test': 'back-to-game', hidden: true },
    );
    this.seats = h('div', { class: 'seats slim' });
    this.stage = h('div', { class: 'stage' });
    this.end = onChange(() => this.board?.fit());
    /** @type {any} */
    this.view = null;
    /** @type {any} the agent's report about the current position */
    this.seen = null;
    /** @type {string[] | null} the line whose end is shown instead of the current position */
    this.looked = null;
  }

  async start() {
    const { setup } = this.line;
    // If the line is illegal, this throws, and the router shows the error.
    await this.line.view();
    this.board = new Board(await loadShape(setup), setup.game);
    this.input = new BoardInput(this.board, {
      play: (move) => this.play(move.text),
      hover: (words) => setText(this.aside, words),
    });
    this.stage.append(this.board.el);
    this.root.append(
      h(
        'div',
        { class: 'table wide' },
        this.stage,
        h(
          'aside',
          { class: 'panel' },
          this.tools(),
          h(
            'section',
            { class: 'now short', 'aria-label': 'Position' },
            this.title,
            this.prompt,
            this.aside,
            this.backToMain,
          ),
          this.stepper.el,
          this.review.el,
          this.engine.el,
          this.candidates.el,
          this.seats,
          h('section', { class: 'list', 'aria-label': 'Moves' }, this.moves.el),
        ),
      ),
    );
    await this.show();
    this.review.known(this.moveData, this.line.moves.length);
    document.body.dataset.ready = 'true';
  }

  tools() {
    return h(
      'div',
      { class: 'row tight tools', role: 'group', 'aria-label': 'Game and position' },
      button('Open', () => askForText((content) => this.openText(content)), { 'data-test': 'open-dialog' }),
      button('Share', () => this.share(), { 'data-test': 'share' }),
      button(
        'Export',
        () => exportTexts({ position: this.view.text, game: this.game, kind: this.line.setup.game }),
        { 'data-test': 'export' },
      ),
      button('Play from here', () => this.playOn(), { 'data-test': 'continue' }),
    );
  }

  leave() {
    this.engine.stop();
    this.review.stop();
    this.end();
  }

  /** @param {string} content */
  async openText(content) {
    const { line } = await fromText(content);
    const view = await line.viewAfter([]);
    await go(line.address(view));
  }

  share() {
    const address = this.line.address(this.view);
    history.replaceState(null, '', address);
    copy(location.origin + address, 'Link');
  }

  /** Opens the dialog that starts a game from here. */
  playOn() {
    const { setup, start } = this.line;
    const moves = this.line.played();
    askForSeats(setup, async (seats) => {
      const game = await post('/api/games', { setup, seats, start: start ?? undefined, moves });
      return `/game/${game.id}`;
    });
  }

  /** Shows the current position. Of overlapping calls only the latest takes effect. */
  async show() {
    const { line } = this;
    const board = /** @type {Board} */ (this.board);
    const asked = line.played().join(' ');
    const view = await line.view().catch(showError);
    if (!view || line.played().join(' ') !== asked) return;
    this.view = view;
    this.seen = null;
    this.looked = null;
    board.el.classList.remove('looking');
    board.show(view);
    board.overlay('ghost', []);
    clearHeat(board);
    this.candidates.clear();
    this.input?.offer(view.result ? [] : (view.moves ?? []), view.to_move ?? 1);
    this.drawTurn();
    putPrompt(
      this.prompt,
      view.result || !view.to_move
        ? coloured(view.setup.game, view.result?.words ?? view.prompt)
        : promptTo(view.setup.game, view.to_move, view.prompt),
    );
    this.backToMain.hidden = line.main === null;
    this.review.plot.mark(line.main === null || line.ply <= line.main.from ? line.ply : line.main.from);
    drawSeats(this.seats, view, this.seatsOfGame.length > 0 ? this.seatsOfGame : unnamed(view), null);
    this.drawMoves();
    Object.assign(document.body.dataset, {
      ply: line.ply,
      toMove: view.to_move ?? '',
      status: view.result ? 'over' : 'playing',
    });
    if (this.engine.on && !view.result)
      this.engine.look({ setup: line.setup, start: line.start, moves: line.played() });
    if (line.ply < line.moves.length) line.viewAfter(line.moves.slice(0, line.ply + 1)).catch(() => {});
  }

  /** Draws the stepper with the number of the turn. */
  drawTurn() {
    const { ply, moves } = this.line;
    const turn = this.view.played?.at(-1)?.turn ?? 0;
    const last = this.turns.length === moves.length ? this.turns.at(-1) : undefined;
    const of = last === undefined ? '' : ` of ${last}`;
    this.stepper.show(ply, moves.length, turn === 0 ? 'Start' : `Turn ${turn}${of}`);
  }

  /** Draws the list of moves. Their seats come from the game or from the view after the whole line. */
  async drawMoves() {
    const { line } = this;
    const { moves, setup } = line;
    if (line.main || this.moveData.length !== moves.length) {
      const last = moves.length === line.ply ? this.view : await line.viewAfter(moves).catch(() => this.view);
      if (moves !== line.moves || !last.played) return;
      this.moves.show(setup.game, last.played);
      this.turns = last.played.map((/** @type {any} */ move) => move.turn);
    } else {
      this.moves.show(setup.game, this.moveData);
      this.turns = this.moveData.map((/** @type {any} */ move) => move.turn);
    }
    this.drawTurn();
    this.moves.mark((ply) => ply === line.ply || this.endsAt(ply) === line.ply);
  }

  /** The ply after skipping bookkeeping moves. @param {number} ply */
  endsAt(ply) {
    let end = ply;
    while (isBookkeeping(this.line.moves[end])) end += 1;
    return end;
  }

  /** @param {number} ply */
  goTo(ply) {
    this.line.goTo(ply);
    return this.show();
  }

  /** @param {number} way */
  walk(way) {
    if (way > 0) this.line.forward();
    else this.line.back();
    return this.show().then(() => {
      const last = this.view.played?.findLast((/** @type {any} */ move) => !move.auto);
      announce(last ? `${colour(this.line.setup.game, last.seat)} ${last.words ?? last.text}` : 'Start of the game');
    });
  }

  /** @param {string} text */
  play(text) {
    return this.line
      .play(text)
      .then(() => this.show())
      .catch((error) => {
        showError(error);
        this.line.backToMain();
        this.show();
      });
  }

  /** Plays the moves of a line. Bookkeeping moves are added automatically. @param {string[]} moves */
  async playAll(moves) {
    try {
      for (const text of moves) if (!isBookkeeping(text)) await this.line.play(text);
      await this.show();
    } catch (error) {
      showError(error);
      this.line.backToMain();
      await this.show();
    }
  }

  /** Shows the board after some moves of a line, or the current position again. @param {string[] | null} moves */
  async look(moves) {
    const board = /** @type {Board} */ (this.board);
    this.looked = moves;
    if (!moves) {
      board.el.classList.remove('looking');
      board.show(this.view);
      if (this.seen) drawHeat(board, this.seen, this.view.moves);
      return;
    }
    const view = await this.line.viewAfter([...this.line.played(), ...moves]).catch(() => null);
    if (!view || this.looked !== moves) return;
    clearHeat(board);
    board.el.classList.add('looking');
    board.show(view);
  }

  /** @param {any} report */
  report(report) {
    this.seen = report;
    this.candidates.show(this.line.setup.game, report);
    if (!this.looked) drawHeat(/** @type {Board} */ (this.board), report, this.view.moves);
    if (report.partial) return;
    document.body.dataset.analysed = String(this.line.ply);
    const [best] = report.candidates;
    const mover = colour(this.line.setup.game, report.seat);
    const score = report.values ? `, ${percent(report.values[report.seat - 1])} for ${mover}` : '';
    if (best) announce(`Best move: ${mover} ${best.words}${score}.`);
  }

  /** @param {boolean} on */
  toggled(on) {
    if (on) this.show();
    else if (this.board) clearHeat(this.board);
  }

  /** @param {string} key */
  key(key) {
    if (key === 'ArrowLeft') this.walk(-1);
    else if (key === 'ArrowRight') this.walk(1);
    else if (key === 'Home') this.goTo(0);
    else if (key === 'End') this.goTo(this.line.moves.length);
    else if (key === 'Escape') this.input?.cancel();
    else if (key === 'b') this.board?.el.focus();
    else if (key === ' ' && document.activeElement === document.body) this.engine.toggle();
    else if (/^[1-9]$/.test(key)) return this.input?.chooser.chooseNumber(Number(key)) ?? false;
    else return false;
    return true;
  }
}

/** Seats of a position without players. @param {any} view */
function unnamed(view) {
  return view.players.map((/** @type {any} */ player) => ({
    seat: player.seat,
    who: 'human',
    name: colour(view.setup.game, player.seat),
  }));
}
