import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SessionUser } from '@cord/kit/caller';
import type Koa from 'koa';
import { type Calls, forwardedHeaders } from './calls.js';
import { refuse, unavailable } from './problem.js';
import { dropHopByHop, passHead, reach, wasNotTaken } from './reach.js';

/** How long a stream waits. */
interface StreamBounds {
  /** A stream sends something every 25 s; one that is silent for this long is gone, ms. */
  idleMs: number;
  /** Until a replica has answered with a head, ms. */
  headMs: number;
}
export const STREAM_BOUNDS: StreamBounds = { idleMs: 60_000, headMs: 10_000 };
/** How often the sessions of open streams are looked at: a stream ends within a second of its session, ms. */
const SESSION_LOOK_MS = 500;
/** When all come again at once, each does at a time of its own within this, ms. */
const SPREAD_MS = 10_000;
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
 * replica may have begun it, and ended when it falls silent, or its session ends.
 */
export function eventStreams(
  path: string,
  owner: 'notices',
  { upstreams, callers, config }: Omit<Calls, 'forward' | 'routes'>,
  { idleMs, headMs }: StreamBounds = STREAM_BOUNDS,
) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  /** For calls without a sign-in, which are refused: nothing counts them, and a new connection for each would use up all ports to a replica. */
  const guests = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64 });
  const open = new Set<Passing>();
  const looks = setInterval(() => {
    for (const passing of open) if (passing.user && !callers.stillHolds(passing.user)) passing.end('session');
  }, SESSION_LOOK_MS);
  looks.unref();

  const middleware: Koa.Middleware = async (ctx, next) => {
    if (ctx.path !== path || ctx.method !== 'GET') return next();
    ctx.respond = false;
    const requestId = ctx.state.requestId as string;
    // Behind another answer on its connection nothing shows that the client has left: its stream begins once it may be written.
    if (ctx.res.socket === null) await once(ctx.res, 'socket');
    dropHopByHop(ctx.req, 0);
    const ended = new AbortController();
    ctx.res.once('close', () => ended.abort());
    const caller = await callers.identify(ctx, owner);
    // Nothing shows later that a client has left: its stream would stay until it falls silent.
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
  /** @param why at the end of a session it does not come again by itself */
  end(why: 'session' | 'closing'): void;
}

/** Sends an answer on as it comes, each piece at once, until either side ends. */
function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  { open, idleMs, user }: { open: Set<Passing>; idleMs: number; user: SessionUser | null },
): void {
  let isBetweenEvents = true;
  const passing: Passing = {
    user,
    end(why) {
      const comesAgain = `retry: ${Math.round(500 + Math.random() * SPREAD_MS)}\n\n`;
      // Only a whole event may be followed by a line of ours.
      response.end(why === 'closing' && isBetweenEvents ? comesAgain : undefined);
      // A client that does not read leaves the response open for long: nothing more is written to it.
      answer.destroy();
    },
  };
  if (answer.statusCode === 200) {
    open.add(passing);
    answer.socket.setTimeout(idleMs, () => answer.destroy());
  }
  passHead(answer, response);
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
