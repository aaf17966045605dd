import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SessionUser } from '@cord/kit/caller';
import type Koa from 'koa';
import { type Calls, forwardedHeaders } from './calls.js';
import { refuse, unavailable } from './problem.js';
import { dropHopByHop, forwardHead, reach, wasNotTaken } from './reach.js';

/** Timeouts of a stream. */
interface StreamBounds {
  /** A stream sends something every 25 s; after this silence it counts as broken, ms. */
  idleMs: number;
  /** Maximum wait for the response head of a replica, ms. */
  headMs: number;
}
export const STREAM_BOUNDS: StreamBounds = { idleMs: 60_000, headMs: 10_000 };
/** Interval of checking the sessions of open streams, ms: a stream ends within a second of its session. */
const SESSION_LOOK_MS = 500;
/** When all streams must reconnect, each does at a random time within this, ms. */
const SPREAD_MS = 10_000;
const EVENT_END = Buffer.from('\n\n');

export interface EventStreams {
  /** Handles the path of the live stream. */
  middleware: Koa.Middleware;
  /** Number of open streams. */
  readonly size: number;
  /** Ends all streams; each reconnects at a random time. */
  close(): void;
}

/**
 * Forwards live streams: each on a connection of its own, never retried once a replica may have started it, and ended
 * when it is silent or its session ends.
 */
export function eventStreams(
  path: string,
  owner: 'notices',
  { upstreams, callers, config }: Omit<Calls, 'forward' | 'routes'>,
  { idleMs, headMs }: StreamBounds = STREAM_BOUNDS,
) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  /** For anonymous calls, which are refused: they are not counted, and a new connection for each would use up all ports to a replica. */
  const guests = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64 });
  const open = new Set<Passing>();
  const looks = setInterval(() => {
    for (const passing of open) if (passing.user && !callers.isStillValid(passing.user)) passing.end('session');
  }, SESSION_LOOK_MS);
  looks.unref();

  const middleware: Koa.Middleware = async (ctx, next) => {
    if (ctx.path !== path || ctx.method !== 'GET') return next();
    ctx.respond = false;
    const requestId = ctx.state.requestId as string;
    // While another response is pending on the connection, a disconnect is not visible: the stream starts once it may write.
    if (ctx.res.socket === null) await once(ctx.res, 'socket');
    dropHopByHop(ctx.req, 0);
    const ended = new AbortController();
    ctx.res.once('close', () => ended.abort());
    const caller = await callers.identify(ctx, owner);
    // A disconnect would not be noticed later: the stream would stay until it is silent.
    if (!caller || ended.signal.aborted) return;
    const headers = { ...ctx.req.headers, ...forwardedHeaders(ctx, config, requestId) };
    const replicas = upstreams.inTurn(owner);
    const target = { method: 'GET', path: ctx.url, agent: caller.user ? agent : guests };
    const sending = { ...target, headers, silentMs: headMs, signal: ended.signal };
    for (const [index, replica] of replicas.entries()) {
      const reached = await reach(replica, sending);
      if (ended.signal.aborted) return;
      if ('answer' in reached) {
        if (!wasNotTaken(reached.answer, replica) || index === replicas.length - 1)
          return pass(reached.answer, ctx.res, { open, idleMs, user: caller.user });
        reached.answer.destroy();
      } else if (reached.failure !== 'nothing-sent') break;
    }
    refuse(ctx.res, unavailable, requestId);
  };
  return {
    middleware,
    get size() {
      return open.size;
    },
    close() {
      clearInterval(looks);
      for (const passing of open) passing.end('closing');
    },
  } satisfies EventStreams;
}

interface Passing {
  user: SessionUser | null;
  /** Ends the stream. @param why after 'session' the client does not reconnect by itself */
  end(why: 'session' | 'closing'): void;
}

/** Forwards a response as it arrives, each chunk at once, until either side ends. */
function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  { open, idleMs, user }: { open: Set<Passing>; idleMs: number; user: SessionUser | null },
): void {
  let isBetweenEvents = true;
  const passing: Passing = {
    user,
    end(why) {
      const reconnectHint = `retry: ${Math.round(500 + Math.random() * SPREAD_MS)}\n\n`;
      // A line of ours may only follow a complete event.
      response.end(why === 'closing' && isBetweenEvents ? reconnectHint : undefined);
      // A client that does not read keeps the response open for long: nothing more is written to it.
      answer.destroy();
    },
  };
  if (answer.statusCode === 200) {
    open.add(passing);
    answer.socket.setTimeout(idleMs, () => answer.destroy());
  }
  forwardHead(answer, response);
  response.flushHeaders();
  answer.on('data', (piece: Buffer) => {
    isBetweenEvents = piece.subarray(-2).equals(EVENT_END);
    if (!response.write(piece)) answer.pause();
  });
  response.on('drain', () => answer.resume());
  response.on('error', () => answer.destroy());
  answer.on('error', () => undefined);
  answer.once('close', () => {
    open.delete(passing);
    if (!response.writableEnded) response.end();
  });
  response.once('close', () => answer.destroy());
}
