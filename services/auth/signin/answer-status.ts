import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Node's agents receive requests by this method, which the types omit. */
interface Agent extends HttpAgent {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/** One per process: each AsyncLocalStorage in use slows down every promise for the life of the process. */
const calls = new AsyncLocalStorage<{ status: number | null }>();

/**
 * Records the status of responses through its agent, since grant returns only the body.
 * @param url target of the requests; its protocol selects the agent
 */
export function createAnswerStatus(url: string) {
  const agent = (url.startsWith('https:') ? new HttpsAgent() : new HttpAgent()) as Agent;
  const addRequest = agent.addRequest.bind(agent);
  agent.addRequest = (request, ...rest) => {
    const call = calls.getStore();
    request.once('response', ({ statusCode }) => {
      if (call) call.status = statusCode ?? null;
    });
    addRequest(request, ...rest);
  };
  return {
    /** Agent for the requests whose status is needed. */
    agent,
    /** Runs a call. @returns its result, and the status of its last response; null without one */
    of<T>(work: () => Promise<T>): Promise<{ result: T; status: number | null }> {
      const call: { status: number | null } = { status: null };
      return calls.run(call, async () => ({ result: await work(), status: call.status }));
    },
  };
}
