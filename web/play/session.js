// A game on the server, followed live. The server holds the state; every change arrives as an event.

import { get, listen, post, send } from '../api.js';
import { showError, notice } from '../messages.js';

/** How long to wait for the event that a request causes, in milliseconds. */
const EVENT_TIMEOUT_MS = 3000;

export class Session {
  /**
   * @param {string} id
   * @param {{ game: (game: any) => void, thinking: (thinking: any) => void }} callbacks
   */
  constructor(id, callbacks) {
    this.id = id;
    this.callbacks = callbacks;
    /** @type {any} */
    this.game = null;
    this.lost = false;
    this.closed = false;
    /** The number of updates received. */
    this.updates = 0;
    /** @type {ReturnType<typeof listen> | null} */
    this.stream = null;
  }

  /** Fetches the game and subscribes to its events. */
  async follow() {
    this.take(await get(`/api/games/${this.id}`));
    this.stream = listen(
      `/api/games/${this.id}/events`,
      {
        game: (game) => this.take(game),
        change: (change) => this.change(change),
        thinking: (thinking) => {
          if (this.game?.status === 'playing') this.callbacks.thinking(thinking);
        },
      },
      (here) => this.connected(here),
    );
  }

  /** @param {any} game */
  take(game) {
    this.updates += 1;
    this.game = game;
    this.callbacks.game(game);
  }

  /** Applies a change to the game. @param {any} change */
  change(change) {
    const moves = [...this.game.moves.slice(0, change.from), ...change.moves];
    this.take({ ...this.game, thinking: null, ...change, moves });
  }

  /**
   * Fetches the game if no event has arrived since `updates`: a connection can be dead before the browser notices.
   * @param {number} updates
   */
  async catchUp(updates) {
    if (this.closed || this.updates !== updates) return;
    const game = await get(`/api/games/${this.id}`).catch(() => null);
    if (game && !this.closed && this.updates === updates) this.take(game);
  }

  /** @param {boolean} here */
  connected(here) {
    if (!here) notice('Connection to the server lost. Reconnecting …', { lasting: true });
    else if (this.lost) notice('Reconnected to the server.');
    this.lost = !here;
  }

  /**
   * Sends a request about the game. Its result arrives as an event or, without an event stream, as the response.
   * @param {string} what the last part of the path @param {object} [body]
   */
  async ask(what, body = {}) {
    document.body.dataset.busy = 'true';
    const { updates } = this;
    const path = `/api/games/${this.id}/${what}`;
    try {
      if (this.stream?.isOpen()) {
        await send(path, body);
        setTimeout(() => this.catchUp(updates), EVENT_TIMEOUT_MS);
      } else {
        const game = await post(path, body);
        if (this.updates === updates) this.take(game);
      }
      return true;
    } catch (error) {
      showError(error);
      // The board accepts no input while a move is being sent. If the server does not answer, the game as it was is shown
      // again, so that the player can try again; if the move was played after all, the server refuses the second one.
      const seen = this.updates;
      const game = await get(`/api/games/${this.id}`).catch(() => this.game);
      if (!this.closed) this.take(this.updates === seen ? game : this.game);
      return false;
    } finally {
      delete document.body.dataset.busy;
    }
  }

  /** @param {string} move its text */
  play(move) {
    return this.ask('moves', { move, ply: this.game.ply });
  }

  close() {
    this.closed = true;
    this.stream?.close();
  }
}
