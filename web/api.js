// The client of the HTTP API: JSON requests, event streams and streams of JSON lines.

const TOKEN = 'riftlab-token';

/** A failed request, with the server's message. */
export class ApiError extends Error {
  /** @param {string} sentence @param {number} status 0 if the server did not respond */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** Moves the token from the address of the link into the storage of this tab. */
export function keepToken() {
  const address = new URL(location.href);
  const token = address.searchParams.get('token');
  if (token === null) return;
  sessionStorage.setItem(TOKEN, token);
  address.searchParams.delete('token');
  history.replaceState(history.state, '', address);
}

/** @param {string} path @param {object | undefined} body @param {AbortSignal} [signal] @param {string} [prefer] the header */
async function request(path, body, signal, prefer) {
  /** @type {Record<string, string>} */
  const headers = {};
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (prefer) headers.Prefer = prefer;
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('The server does not answer.', 0);
  }
  if (answer.ok) return answer;
  let sentence = `The request failed with status ${answer.status}.`;
  try {
    sentence = (await answer.json()).error ?? sentence;
  } catch {
    // Without JSON there is no better message than the status.
  }
  throw new ApiError(sentence, answer.status);
}

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function get(path, signal) {
  return (await request(path, undefined, signal)).json();
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function post(path, body, signal) {
  return (await request(path, body, signal)).json();
}

/** Sends a change without requesting its result, which arrives through the event stream. @param {string} path @param {object} body */
export async function send(path, body) {
  await request(path, body, undefined, 'return=minimal');
}

/** Fetches plain text, for saving to a file. @param {string} path @returns {Promise<string>} */
export async function text(path) {
  return (await request(path, undefined)).text();
}

/**
 * The objects of an NDJSON response, as they arrive. Aborting also stops the work on the server.
 * @param {string} path @param {object} body @param {AbortSignal} signal
 */
export async function* lines(path, body, signal) {
  const answer = await request(path, body, signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const parts = rest.split('\n');
    rest = done ? '' : /** @type {string} */ (parts.pop());
    for (const part of parts) {
      if (part.trim() === '') continue;
      const object = JSON.parse(part);
      if (object.error) throw new ApiError(object.error, answer.status);
      yield object;
    }
    if (done) return;
  }
}

/**
 * Subscribes to an event stream. A lost stream is reopened with a delay that grows to five seconds. A tab that stays hidden
 * closes its connection, since browsers allow only six per server, and reopens it when it is shown again.
 * @param {string} path
 * @param {Record<string, (data: any) => void>} listeners by the name of the event
 * @param {(here: boolean) => void} connected called when the connection is established or lost
 * @returns {{ close: () => void, isOpen: () => boolean }}
 */
export function listen(path, listeners, connected) {
  /** @type {EventSource | null} */
  let source = null;
  let closed = false;
  let pause = 500;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function start() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(path);
    source.onopen = () => {
      pause = 500;
      connected(true);
    };
    source.onerror = () => {
      source?.close();
      source = null;
      if (closed) return;
      connected(false);
      timer = setTimeout(start, pause);
      pause = Math.min(pause * 1.6, 5000);
    };
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, (event) =>
        listener(JSON.parse(/** @type {MessageEvent} */ (event).data)),
      );
    }
  }
  function visibilityChanged() {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(() => {
        source?.close();
        source = null;
      }, 60_000);
    } else if (source === null) {
      start();
    }
  }
  document.addEventListener('visibilitychange', visibilityChanged);
  start();
  return {
    isOpen: () => source?.readyState === EventSource.OPEN,
    close() {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', visibilityChanged);
      source?.close();
    },
  };
}
