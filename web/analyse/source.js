// Loads the line to analyse: from a game on the server, from the address or from text.

import { get, post, text } from '../api.js';
import { setupOf, settings } from '../settings.js';
import { Line } from './line.js';

/** @param {any[]} moves texts, or objects that have one */
function texts(moves) {
  return moves.map((move) => (typeof move === 'string' ? move : move.text));
}

/** @param {string} setup from the address */
function parsed(setup) {
  try {
    return JSON.parse(setup);
  } catch {
    throw new Error('This link is damaged: its setup cannot be read');
  }
}

/**
 * @typedef {{ line: Line, seats: any[], game: string | null, moveData: any[] }} Source `moveData` are the moves of the game with their annotations
 *
 * @param {URLSearchParams} query @returns {Promise<Source>}
 */
export async function fromAddress(query) {
  const ply = query.has('ply') ? Number(query.get('ply')) || 0 : undefined;
  const id = query.get('game');
  if (id) {
    const game = await get(`/api/games/${encodeURIComponent(id)}`);
    return {
      line: new Line({ setup: game.setup, start: game.start ?? null, moves: texts(game.moves), ply }),
      seats: game.seats,
      game: id,
      moveData: game.moves,
    };
  }
  const recorded = query.get('recorded');
  if (recorded)
    return {
      ...(await fromText(await text(`/api/lab/games/${encodeURIComponent(recorded)}`), ply)),
      game: null,
      moveData: [],
    };
  const start = query.get('start');
  const setup = query.get('setup');
  const moves = (query.get('moves') ?? '').split(',').filter((move) => move !== '');
  if (setup || start) {
    const agreed = setup ? parsed(setup) : (await post('/api/view', { setup: null, start, moves })).setup;
    return { line: new Line({ setup: agreed, start, moves, ply }), seats: [], game: null, moveData: [] };
  }
  return {
    line: new Line({ setup: setupOf(settings), start: null, moves: [] }),
    seats: [],
    game: null,
    moveData: [],
  };
}

/** Reads a record, an SGF file or a position text. @param {string} content @param {number} [ply] */
export async function fromText(content, ply) {
  const opened = await post('/api/open', { text: content });
  const line = new Line({
    setup: opened.setup,
    start: opened.start ?? null,
    moves: texts(opened.moves ?? []),
    ply: ply ?? 0,
  });
  const seats = (opened.players ?? []).map((/** @type {any} */ player, /** @type {number} */ index) =>
    typeof player === 'string'
      ? { seat: index + 1, who: 'human', name: player || undefined }
      : { seat: index + 1, who: 'human', ...player },
  );
  return { line, seats };
}
