// Shows the turns of opponents one after another: agents reply faster than a person can follow.

import { settings } from '../settings.js';

/** The shares of the pause before the first decision of a turn and before each further one. */
const BEFORE_TURN = 0.65;
const WITHIN_TURN = 0.35;

export class Pace {
  /**
   * @param {(game: any) => void} show shows a state of the game; `pending` tells whether others follow
   * @param {() => void} wait called when there are states that are not shown yet
   */
  constructor(show, wait) {
    this.show = show;
    this.waits = wait;
    /** @type {any[]} states that are not shown yet */
    this.queue = [];
    /** @type {any} the state that is shown */
    this.shown = null;
    this.since = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Whether there are states that are not shown yet. */
  get pending() {
    return this.queue.length > 0;
  }

  /** Takes a new state of the game. @param {any} game */
  take(game) {
    if (!this.isReply(game)) {
      this.queue = [];
      this.present(game);
      return;
    }
    this.queue.push(game);
    if (this.queue.length > 1) return;
    this.waits();
    this.wait();
  }

  /** Whether a state follows from the previous one by a decision of an agent in a game with people. @param {any} game */
  isReply(game) {
    const before = this.queue.at(-1) ?? this.shown;
    if (!before || settings.pace === 0 || game.ply <= before.ply) return false;
    const isHuman = (/** @type {any} */ seat) => seat.who === 'human';
    const { seat } = game.moves[before.ply];
    return before.seats.some(isHuman) && !before.seats.some((/** @type {any} */ one) => one.seat === seat && isHuman(one));
  }

  /** Shows the next state when the one that is shown has been visible long enough. */
  wait() {
    const [next] = this.queue;
    const before = this.shown.ply;
    const begins = next.moves[before].turn !== next.moves[before - 1]?.turn;
    const pause = settings.pace * (begins ? BEFORE_TURN : WITHIN_TURN);
    this.timer = setTimeout(
      () => {
        this.present(this.queue.shift());
        if (this.pending) this.wait();
      },
      Math.max(0, this.since + pause - performance.now()),
    );
  }

  /** @param {any} game */
  present(game) {
    if (!this.pending) clearTimeout(this.timer);
    this.shown = game;
    this.since = performance.now();
    this.show(game);
  }

  /** Shows the latest state at once. */
  skip() {
    const { queue } = this;
    clearTimeout(this.timer);
    this.queue = [];
    for (const game of queue) this.present(game);
  }

  stop() {
    clearTimeout(this.timer);
    this.queue = [];
  }
}
