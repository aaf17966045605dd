import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { BodyTooLarge } from '@cord/kit/http/bounded-body';
import { createProxyServer } from 'httpxy';
import { readBody } from './body.js';
import { bodyTooLarge, type Refusal, refuse, timedOut, unavailable } from './problem.js';
import type { Replica } from './upstreams.js';

/** Errors after which it is certain that the replica has seen nothing of the call, whatever its method. */
export const NOTHING_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);
/** Methods that may be sent twice. */
const REPEATABLE = new Set(['GET', 'HEAD']);

export interface Forwarding {
  replicas: Replica[];
  timeoutMs: number;
  requestId: string;
  /** Headers that replace what the client sent under these names. */
  headers: Record<string, string>;
  /** Is given the body that is sent. */
  onBody?: ((body: Buffer) => void) | undefined;
}

/** Sends one call to the first replica that takes it and its answer back; or refuses with problem details. */
export type Forward = (request: IncomingMessage, response: ServerResponse, call: Forwarding) => Promise<void>;

export function createForward(): Forward {
  const proxy = createProxyServer({ agent: new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 64 }) });

  return async (request, response, { replicas, timeoutMs, requestId, headers, onBody }) => {
    let body: Buffer;
    try {
      body = await readBody(request);
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) return void response.destroy();
      response.setHeader('connection', 'close');
      return refuse(response, bodyTooLarge, requestId);
    }
    onBody?.(body);
    dropHopByHop(request, body.length);
    let refusal: Refusal = unavailable;
    for (const replica of replicas) {
      const startedMs = performance.now();
      try {
        const options = { target: replica.url, proxyTimeout: timeoutMs, headers, buffer: Readable.from(sent(body)) };
        return await proxy.web(request, response, options);
      } catch (error) {
        if (response.headersSent) return void response.destroy();
        const code = (error as NodeJS.ErrnoException).code ?? '';
        refusal = performance.now() - startedMs >= timeoutMs ? timedOut : unavailable;
        replica.ready = false;
        const again = NOTHING_SENT.has(code) || (refusal === unavailable && REPEATABLE.has(request.method ?? ''));
        if (!again) break;
      }
    }
    refuse(response, refusal, requestId);
  };
}

function* sent(body: Buffer): Generator<Buffer> {
  if (body.length > 0) yield body;
}

/** What belongs to the client's own connection (RFC 9110, 7.6.1); the body's length is known by now. */
export function dropHopByHop(request: IncomingMessage, bodyBytes: number): void {
  const named = String(request.headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const own = [
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'connection',
  ];
  for (const name of [...own, ...named]) delete request.headers[name];
  if (bodyBytes > 0 || request.headers['content-length']) request.headers['content-length'] = String(bodyBytes);
}
