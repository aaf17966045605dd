import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { BodyTooLarge } from '@cord/kit/http/bounded-body';
import { readBody } from './body.js';
import { bodyTooLarge, type Refusal, refuse, timedOut, unavailable } from './problem.js';
import { dropHopByHop, forwardHead, reach, wasNotTaken } from './reach.js';
import type { Replica } from './upstreams.js';

/** Methods that are safe to repeat. */
const REPEATABLE = new Set(['GET', 'HEAD']);

export interface Forwarding {
  replicas: Replica[];
  timeoutMs: number;
  requestId: string;
  /** Headers that replace the client's. */
  headers: Record<string, string>;
  /** Whether the service applies an idempotency key: the caller is signed in, and the call is not public. */
  keepsAnswers?: boolean;
  /** Whether the response may set cookies. */
  setsCookies?: boolean;
  /** Awaited before a response is returned. */
  onAnswer?: (() => Promise<void>) | undefined;
  /** Receives the forwarded body. */
  onBody?: ((body: Buffer) => void) | undefined;
}

/** Sends a call to the first replica that accepts it and returns its response, or refuses with problem details. */
export type Forward = (request: IncomingMessage, response: ServerResponse, call: Forwarding) => Promise<void>;

/**
 * Creates the forwarder. A call is retried on the next replica only when it cannot run twice: nothing was sent, the replica
 * reports that it has not started it, or `mayRepeat`. A timed-out call is not retried: the next replica would take as long.
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
          // From here on the pipeline ends the response.
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
 * Whether a call that a replica may have run can be sent to another one: it changes nothing, or it has an idempotency key, under which the service
 * runs it once and repeats the response (kit, `idempotency.ts`). A service ignores the key only when a repetition changes nothing (`ignoresKey`).
 */
function mayRepeat({ method = '', headers }: IncomingMessage, keepsAnswers: boolean): boolean {
  return REPEATABLE.has(method) || (method === 'POST' && headers['idempotency-key'] !== undefined && keepsAnswers);
}

function pass(answer: IncomingMessage, response: ServerResponse, setsCookies?: boolean): void {
  forwardHead(answer, response, setsCookies);
  // An aborted response stays aborted, so that the client sees that it is incomplete.
  pipeline(answer, response, () => undefined);
}
