import { Agent, request as ask, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type Koa from 'koa';
import { BARE_POLICY } from '../headers.js';
import { type Calls, forwardedHeaders } from './calls.js';
import { dropHopByHop, NOTHING_SENT } from './forward.js';
import { type Refusal, refuse, unavailable } from './problem.js';
import type { Replica } from './upstreams.js';

/** How long a stream waits. */
interface StreamBounds {
  /** A stream says something every 25 s; one that has said nothing for this long is gone, ms. */
  idleMs: number;
  /** Until a replica has answered with a head, ms. */
  headMs: number;
}
export const STREAM_BOUNDS: StreamBounds = { idleMs: 60_000, headMs: 10_000 };
/** When all come again at once, each does at a time of its own within this, ms. */
const SPREAD_MS = 10_000;
/** What belongs to the connection between gateway and service (RFC 9110, 7.6.1). */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);
const EVENT_END = Buffer.from('\n\n');

export interface EventStreams {
  /** Answers the path of the live stream. */
  middleware: Koa.Middleware;
  /** Streams that pass at this moment. */
  readonly size: number;
  /** Ends them all, each to come again at a time of its own. */
  close(): void;
}

/**
 * The live stream, on its way through: on connections of its own, as many as there are streams, never sent again once a
 * replica may have begun it, and ended when it falls silent.
 */
export function eventStreams(
  path: string,
  owner: 'notices',
  { upstreams, config }: Omit<Calls, 'forward' | 'routes'>,
  { idleMs, headMs }: StreamBounds = STREAM_BOUNDS,
) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const open = new Set<Passing>();

  const middleware: Koa.Middleware = async (ctx, next) => {
    if (ctx.path !== path || ctx.method !== 'GET') return next();
    ctx.respond = false;
    ctx.set('content-security-policy', BARE_POLICY);
    const requestId = ctx.state.requestId as string;
    dropHopByHop(ctx.req, 0);
    const headers = { ...ctx.req.headers, ...forwardedHeaders(ctx, config, requestId) };
    const ended = new AbortController();
    ctx.res.once('close', () => ended.abort());
    let refusal: Refusal = unavailable;
    for (const replica of upstreams.inTurn(owner)) {
      const reached = await reach(replica, { path: ctx.url, headers, agent, headMs, signal: ended.signal });
      if ('answer' in reached) return pass(reached.answer, ctx.res, { open, idleMs });
      if (ended.signal.aborted) return;
      replica.ready = false;
      refusal = unavailable;
      if (!NOTHING_SENT.has(reached.code)) break;
    }
    refuse(ctx.res, refusal, requestId);
  };
  return {
    middleware,
    get size() {
      return open.size;
    },
    close() {
      for (const passing of open) passing.end();
    },
  } satisfies EventStreams;
}

interface Passing {
  end(): void;
}

type Reached = { answer: IncomingMessage } | { code: string };

/** The head of a replica's answer, or why there is none. */
function reach(
  replica: Replica,
  {
    path,
    headers,
    agent,
    headMs,
    signal,
  }: {
    path: string;
    headers: ClientRequest['getHeaders'] extends () => infer H ? H : never;
    agent: Agent;
    headMs: number;
    signal: AbortSignal;
  },
): Promise<Reached> {
  return new Promise((resolve) => {
    const sent = ask(new URL(path, replica.url), { headers, agent, signal });
    sent.setTimeout(headMs, () => sent.destroy());
    sent.once('response', (answer) => resolve({ answer }));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? '' }));
    sent.end();
  });
}

/** Sends an answer on as it comes, each piece at once, until either side ends. */
function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  { open, idleMs }: { open: Set<Passing>; idleMs: number },
): void {
  let isBetweenEvents = true;
  const passing: Passing = {
    end() {
      // Only a whole event may be followed by a word of ours.
      response.end(isBetweenEvents ? `retry: ${Math.round(500 + Math.random() * SPREAD_MS)}\n\n` : undefined);
    },
  };
  if (answer.statusCode === 200) open.add(passing);
  response.statusCode = answer.statusCode ?? 502;
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !OWN_HEADERS.has(name)) response.setHeader(name, value);
  }
  response.flushHeaders();
  answer.socket.setTimeout(idleMs, () => answer.destroy());
  answer.on('data', (piece: Buffer) => {
    isBetweenEvents = piece.subarray(-2).equals(EVENT_END);
    if (!response.write(piece)) answer.pause();
  });
  response.on('drain', () => answer.resume());
  answer.on('error', () => undefined);
  answer.once('close', () => {
    open.delete(passing);
    if (!response.writableEnded) response.end();
  });
  response.once('close', () => answer.destroy());
}
