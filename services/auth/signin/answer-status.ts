import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Node's agents take a request by this method, which its types leave out. */
interface Agent extends HttpAgent {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/** One of the process: each that was ever used costs every promise a look, as long as the process lives. */
const calls = new AsyncLocalStorage<{ status: number | null }>();

/**
 * Remembers the status of the answers that come through its agent: grant gives an answer's body alone.
 * @param url where the requests go: its protocol decides which agent it is
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
    /** For the requests whose status is requested. */
    agent,
    /** Runs a call. @returns its result, and the status of the last answer in it; null when none came */
    of<T>(work: () => Promise<T>): Promise<{ result: T; status: number | null }> {
      const call: { status: number | null } = { status: null };
      return calls.run(call, async () => ({ result: await work(), status: call.status }));
    },
  };
}
