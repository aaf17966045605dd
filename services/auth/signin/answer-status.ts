import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Node's agents receive requests by this method, which the types omit. */
interface Agent extends HttpAgent {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/** Head of a response; null without one. */
export interface AnswerHead {
  status: number | null;
  retryAfter: string | null;
}

/** One per process: each AsyncLocalStorage in use slows down every promise for the life of the process. */
const calls = new AsyncLocalStorage<AnswerHead>();

/**
 * Records status and Retry-After of responses through its agent, since grant returns only the body.
 * @param url target of the requests; its protocol selects the agent
 */
export function createAnswerStatus(url: string) {
  const agent = (url.startsWith('https:') ? new HttpsAgent() : new HttpAgent()) as Agent;
  const addRequest = agent.addRequest.bind(agent);
  agent.addRequest = (request, ...rest) => {
    const call = calls.getStore();
    request.once('response', ({ statusCode, headers }) => {
      if (call) Object.assign(call, { status: statusCode ?? null, retryAfter: headers['retry-after'] ?? null });
    });
    addRequest(request, ...rest);
  };
  return {
    /** Agent for the requests whose status is needed. */
    agent,
    /** Runs a call. @returns its result, with status and Retry-After of its last response; null without one */
    of<T>(work: () => Promise<T>): Promise<{ result: T } & AnswerHead> {
      const call: AnswerHead = { status: null, retryAfter: null };
      return calls.run(call, async () => ({ result: await work(), ...call }));
    },
  };
}
