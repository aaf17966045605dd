import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { Replica } from './upstreams.js';

/** What belongs to one connection and not to the message (RFC 9110, 7.6.1); what `connection` names goes, too. */
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
 * In an answer with 503: the replica has refused the call before anything was done, and another one may take it (kit,
 * `notTaken`).
 */
const NOT_TAKEN = 'x-cord-not-taken';
/** With these Node's server ends the connection of a request that it cannot take (a client may bring that about), also where it stays. */
const BY_REQUEST = new Set([400, 408, 431]);

/** The head of a replica's answer, or how far the call came without one. */
export type Reached =
  | { answer: IncomingMessage }
  /** Nothing of the call has left: there was no connection. */
  | { failure: 'nothing-sent' }
  /** The replica may have seen it, and may have done it. */
  | { failure: 'broken' }
  | { failure: 'late' };

/** How a call is sent. */
export interface Sending {
  method: string;
  /** With its query; the target of the client's own request, passed on as it stands. */
  path: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer;
  agent: Agent;
  /** How long a replica may be silent, ms. */
  silentMs: number;
  /** The client has left. */
  signal: AbortSignal;
}

/** Sends a call to a replica. What its answer shows of its state is noted: it may be leaving, or not have begun. */
export function reach(
  replica: Replica,
  { method, path, headers, body, agent, silentMs, signal }: Sending,
): Promise<Reached> {
  return new Promise((resolve) => {
    let isConnected = false;
    let isLate = false;
    // Host and path apart: nothing in a path can name another host.
    const { hostname, port } = replica;
    const sent = request({ hostname, port, path, method, headers, agent, signal });
    const mayStay = sent.shouldKeepAlive;
    sent.once('socket', (socket) => {
      isConnected = !socket.connecting;
      // One that stood open before has its listeners of before, too.
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
      // Who ends a connection that could have stayed is about to go.
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

/** Whether a replica has reported that it has not begun with a call. It does not get the next one either. */
export function wasNotTaken(answer: IncomingMessage, replica: Replica): boolean {
  if (answer.statusCode !== 503 || answer.headers[NOT_TAKEN] === undefined) return false;
  replica.ready = false;
  return true;
}

/**
 * What a service decides of its answer; its content policy only where the gateway has set none, in /dev. All other headers order something of the
 * browser for the whole origin, or of a proxy before the gateway (X-Accel-Redirect).
 */
const OF_SERVICES = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'content-disposition', 'content-security-policy'],
  ...['date', 'cache-control', 'etag', 'last-modified', 'vary', 'x-accel-buffering'],
  ...['location', 'allow', 'www-authenticate', 'retry-after', 'idempotency-replayed'],
]);

/**
 * Writes the head of an answer, of its headers those of `OF_SERVICES`. What the gateway has set stands: an
 * answer is of the origin of the page, so that no service, whoever runs it, decides what a browser may run of it.
 * @param setsCookies of auth: a cookie that another service sets could put a session of its own in the place of the user's
 */
export function passHead(answer: IncomingMessage, response: ServerResponse, setsCookies = false): void {
  const { statusCode = 0 } = answer;
  // Below 200 is none that ends a call; at one below 100 Node throws as it writes the head, where nobody catches it.
  response.statusCode = statusCode < 200 ? 502 : statusCode;
  for (const [name, value] of Object.entries(answer.headers)) {
    const passes = OF_SERVICES.has(name) || (setsCookies && name === 'set-cookie');
    if (value !== undefined && passes && !response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** Takes away what belongs to the client's own connection; the body's length is known by now. */
export function dropHopByHop(request: IncomingMessage, bodyBytes: number): void {
  for (const name of [...HOP_BY_HOP, ...namedIn(request.headers.connection)]) delete request.headers[name];
  if (bodyBytes > 0 || request.headers['content-length']) request.headers['content-length'] = String(bodyBytes);
}

function namedIn(connection: string | undefined): string[] {
  return (connection ?? '').split(',').map((name) => name.trim().toLowerCase());
}
