import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { BodyTooLarge } from '@cord/kit/http/bounded-body';
import { readBody } from './body.js';
import { bodyTooLarge, type Refusal, refuse, timedOut, unavailable } from './problem.js';
import { dropHopByHop, passHead, reach, wasNotTaken } from './reach.js';
import type { Replica } from './upstreams.js';

/** Methods that may be sent twice. */
const REPEATABLE = new Set(['GET', 'HEAD']);

export interface Forwarding {
  replicas: Replica[];
  timeoutMs: number;
  requestId: string;
  /** Headers that replace what the client sent under these names. */
  headers: Record<string, string>;
  /** Whether the service does it once under a key: the gateway has found a user, and the call is no public one. */
  keepsAnswers?: boolean;
  /** Whether the answer may set cookies. */
  setsCookies?: boolean;
  /** Is awaited before an answer goes back. */
  onAnswer?: (() => Promise<void>) | undefined;
  /** Is given the body that is sent. */
  onBody?: ((body: Buffer) => void) | undefined;
}

/** Sends one call to the first replica that takes it and its answer back; or refuses with problem details. */
export type Forward = (request: IncomingMessage, response: ServerResponse, call: Forwarding) => Promise<void>;

/**
 * A call goes on to the next replica where that cannot do it twice: nothing of it was sent, the replica reports that it has not
 * begun with it, or `mayRepeat`. What took too long is not sent again: the next one would take as long.
 */
export function createForward(): Forward {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 64 });

  return async (
    request,
    response,
    { replicas, timeoutMs, requestId, headers, keepsAnswers = false, setsCookies, onBody, onAnswer },
  ) => {
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
    const left = new AbortController();
    const leave = () => response.writableFinished || left.abort();
    response.once('close', leave);
    const sending = {
      ...{ method: request.method ?? 'GET', path: request.url ?? '/', body, agent, silentMs: timeoutMs },
      ...{ headers: { ...request.headers, ...headers }, signal: left.signal },
    };
    const repeats = mayRepeat(request, keepsAnswers);
    let refusal: Refusal = unavailable;
    for (const [index, replica] of replicas.entries()) {
      const reached = await reach(replica, sending);
      if (left.signal.aborted) return;
      if ('answer' in reached) {
        const { answer } = reached;
        if (!wasNotTaken(answer, replica) || index === replicas.length - 1) {
          await onAnswer?.();
          // From here on the answer itself ends with the response.
          response.off('close', leave);
          return pass(answer, response, setsCookies);
        }
        answer.resume();
        continue;
      }
      refusal = reached.failure === 'late' ? timedOut : unavailable;
      if (reached.failure !== 'nothing-sent' && !(repeats && reached.failure === 'broken')) break;
    }
    refuse(response, refusal, requestId);
  };
}

/**
 * Whether a call that a replica may have done may be sent to another one: it changes nothing, or it carries a key under which
 * its service does it once and answers alike (kit, `idempotency.ts`); a service ignores the key only where a repetition changes nothing more (`ignoresKey`).
 */
function mayRepeat({ method = '', headers }: IncomingMessage, keepsAnswers: boolean): boolean {
  return REPEATABLE.has(method) || (method === 'POST' && headers['idempotency-key'] !== undefined && keepsAnswers);
}

function pass(answer: IncomingMessage, response: ServerResponse, setsCookies?: boolean): void {
  passHead(answer, response, setsCookies);
  // An answer that breaks off ends as such: the client sees that it is not whole.
  pipeline(answer, response, () => undefined);
}
