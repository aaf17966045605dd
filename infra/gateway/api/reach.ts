import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { Replica } from './upstreams.js';

/** Headers that belong to one connection and not to the message (RFC 9110, 7.6.1); headers named by `connection` are removed as well. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];
/**
 * Header of a 503 response: the replica refused the call before it did anything, and another one may take it (kit,
 * `notTaken`).
 */
const NOT_TAKEN = 'x-cord-not-taken';
/** Statuses with which Node's server closes the connection of an invalid request, which a client may cause, although the replica keeps running. */
const BY_REQUEST = new Set([400, 408, 431]);

/** The head of a replica's response, or how far the call got without one. */
export type Reached =
  | { answer: IncomingMessage }
  /** Nothing was sent: there was no connection. */
  | { failure: 'nothing-sent' }
  /** The replica may have received it and run it. */
  | { failure: 'broken' }
  | { failure: 'late' };

/** The request to a replica. */
export interface Sending {
  method: string;
  /** Path and query of the client's request, unchanged. */
  path: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer;
  agent: Agent;
  /** Maximum silence of a replica, ms. */
  silentMs: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** Sends a call to a replica and updates the replica's state from the response: it may be shutting down, or may not have started. */
export function reach(
  replica: Replica,
  { method, path, headers, body, agent, silentMs, signal }: Sending,
): Promise<Reached> {
  return new Promise((resolve) => {
    let isConnected = false;
    let isLate = false;
    // Host and path are separate, so that no path can name another host.
    const { hostname, port } = replica;
    const sent = request({ hostname, port, path, method, headers, agent, signal });
    const mayStay = sent.shouldKeepAlive;
    sent.once('socket', (socket) => {
      isConnected = !socket.connecting;
      // A reused connection still has its earlier listeners.
      if (socket.connecting)
        socket.once('connect', () => {
          isConnected = true;
        });
    });
    sent.setTimeout(silentMs, () => {
      isLate = true;
      sent.destroy();
    });
    sent.once('response', (answer) => {
      // A replica that closes a reusable connection is about to stop.
      if (mayStay && answer.headers.connection === 'close' && !BY_REQUEST.has(answer.statusCode ?? 0))
        replica.yields = true;
      resolve({ answer });
    });
    sent.on('error', () => {
      if (signal.aborted) return resolve({ failure: 'broken' });
      replica.ready = false;
      replica.yields = false;
      resolve({ failure: isLate ? 'late' : isConnected ? 'broken' : 'nothing-sent' });
    });
    sent.end(body);
  });
}

/** Whether a replica reported that it did not start a call; it is then marked as not ready. */
export function wasNotTaken(answer: IncomingMessage, replica: Replica): boolean {
  if (answer.statusCode !== 503 || answer.headers[NOT_TAKEN] === undefined) return false;
  replica.ready = false;
  return true;
}

/**
 * Response headers that a service may set; the content policy only in /dev, where the gateway sets none. All others
 * affect the browser for the whole origin, or a proxy before the gateway (X-Accel-Redirect).
 */
const OF_SERVICES = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'content-disposition', 'content-security-policy'],
  ...['date', 'cache-control', 'etag', 'last-modified', 'vary', 'x-accel-buffering'],
  ...['location', 'allow', 'www-authenticate', 'retry-after', 'idempotency-replayed'],
]);

/**
 * Writes the head of a response, with its headers in `OF_SERVICES`. Headers set by the gateway are kept: responses
 * belong to the page's origin, so no service may decide what a browser runs.
 * @param setsCookies for auth only: a cookie of another service could replace the user's session
 */
export function forwardHead(answer: IncomingMessage, response: ServerResponse, setsCookies = false): void {
  const { statusCode = 0 } = answer;
  // A final status is never below 200; below 100 Node would throw while writing the head, uncaught.
  response.statusCode = statusCode < 200 ? 502 : statusCode;
  for (const [name, value] of Object.entries(answer.headers)) {
    const passes = OF_SERVICES.has(name) || (setsCookies && name === 'set-cookie');
    if (value !== undefined && passes && !response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** Removes the headers of the client's connection; the body's length is known by now. */
export function dropHopByHop(request: IncomingMessage, bodyBytes: number): void {
  for (const name of [...HOP_BY_HOP, ...namedIn(request.headers.connection)]) delete request.headers[name];
  if (bodyBytes > 0 || request.headers['content-length']) request.headers['content-length'] = String(bodyBytes);
}

function namedIn(connection: string | undefined): string[] {
  return (connection ?? '').split(',').map((name) => name.trim().toLowerCase());
}
