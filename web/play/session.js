// A game kept by the server, followed live. The server's word is the only state: every change comes back through its events.

import { get, listen, post, Refusal, tell } from '../api.js';
import { complain, notice } from '../speak.js';

export class Session {
  /**
   * @param {string} id
   * @param {{ game: (game: any) => void, thinking: (thinking: any) => void }} say
   */
  constructor(id, say) {
    this.id = id;
    this.say = say;
    /** @type {any} */
    this.game = null;
    this.lost = false;
    /** how often the game was told anew */
    this.told = 0;
    /** @type {ReturnType<typeof listen> | null} */
    this.stream = null;
  }

  /** Fetches the game and follows it from then on. */
  async follow() {
    this.take(await get(`/api/games/${this.id}`));
    this.stream = listen(
      `/api/games/${this.id}/events`,
      {
        game: (game) => this.take(game),
        change: (change) => this.change(change),
        thinking: (thinking) => {
          if (this.game?.status === 'playing') this.say.thinking(thinking);
        },
      },
      (here) => this.connected(here),
    );
  }

  /** @param {any} game */
  take(game) {
    this.told += 1;
    this.game = game;
    this.say.game(game);
  }

  /** What a change made of the game before it. @param {any} change */
  change(change) {
    const moves = [...this.game.moves.slice(0, change.from), ...change.moves];
    this.take({ ...this.game, thinking: null, ...change, moves });
  }

  /** @param {boolean} here */
  connected(here) {
    if (!here) notice('The server is gone. Trying to reach it again …', { lasting: true });
    else if (this.lost) notice('The server is back.');
    this.lost = !here;
  }

  /**
   * Asks the server for something. What comes of it is told by an event; where none can come, by the answer.
   * @param {string} what the last part of the address @param {object} [body]
   */
  async ask(what, body = {}) {
    document.body.dataset.busy = 'true';
    const { told } = this;
    const path = `/api/games/${this.id}/${what}`;
    try {
      if (this.stream?.isOpen()) {
        await tell(path, body);
      } else {
        const game = await post(path, body);
        if (this.told === told) this.take(game);
      }
      return true;
    } catch (error) {
      complain(error);
      if (error instanceof Refusal && error.status !== 0)
        this.take(await get(`/api/games/${this.id}`).catch(() => this.game));
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
    this.stream?.close();
  }
}
