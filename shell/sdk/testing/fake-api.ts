import { type Address, SERVICES } from '@cord/contracts/address';
import type { ResponseOf } from '@cord/contracts/calls';
import type { Api, CallInput, Health } from '../api';
import { ApiError } from '../problem';

/** One call that was made, for tests that assert what was sent. */
export interface RecordedCall {
  id: string;
  params: unknown;
  query: unknown;
  body: unknown;
  idempotencyKey: string | undefined;
  keepalive: boolean;
}

type Answer<A extends Address> = ResponseOf<A> | Promise<ResponseOf<A>>;
type Handler<A extends Address> = (input: CallInput<A>) => Answer<A>;

export interface FakeApi extends Api {
  /** From now on, calls of this endpoint are answered so: by a handler, or always with the same. */
  on<A extends Address>(endpoint: A, answer: Handler<A> | ResponseOf<A>): FakeApi;
  /** From now on, calls of this endpoint fail so. */
  fail(endpoint: Address, error: ApiError): FakeApi;
  /** From now on, calls of this endpoint never end: a loading state that stays, which nobody waits for. */
  hang(endpoint: Address): FakeApi;
  /** From now on, calls of this endpoint wait, and nobody for them, until the test has them answered. */
  hold<A extends Address>(endpoint: A): { answer(answer: ResponseOf<A>): void; fail(error: ApiError): void };
  /** Ids of the endpoints whose answer is still to come; those that hang are not among them. */
  underWay(): string[];
  /** The state of the services by the gateway; null when it does not answer. */
  healthy: Health | null;
  calls: RecordedCall[];
  callsOf(endpoint: Address): RecordedCall[];
}

/** An api without a server; an endpoint that no test set up answers 503, as a service that is down does. */
export function createFakeApi(): FakeApi {
  const handlers = new Map<string, (input: never) => unknown>();
  const calls: RecordedCall[] = [];
  const awaited = new Set<RecordedCall>();
  /** Handlers for whose answers nobody waits. */
  const held = new WeakSet<object>();
  const fake: FakeApi = {
    calls,
    underWay: () => [...awaited].map(({ id }) => id),
    healthy: { status: 'ok', services: Object.fromEntries(SERVICES.map((service) => [service, 'ok'])) },
    async health() {
      if (fake.healthy === null) throw offline();
      return fake.healthy;
    },
    callsOf: (endpoint) => calls.filter((call) => call.id === endpoint.id),
    on(endpoint, answer) {
      handlers.set(endpoint.id, typeof answer === 'function' ? (answer as (input: never) => unknown) : () => answer);
      return fake;
    },
    fail(endpoint, error) {
      handlers.set(endpoint.id, () => Promise.reject(error));
      return fake;
    },
    hang(endpoint) {
      fake.hold(endpoint);
      return fake;
    },
    hold<A extends Address>(endpoint: A) {
      let answer: (answer: ResponseOf<A>) => void = () => undefined;
      let fail: (error: ApiError) => void = () => undefined;
      const late = new Promise<ResponseOf<A>>((...ends) => {
        [answer, fail] = ends;
      });
      const handler = () => late;
      held.add(handler);
      handlers.set(endpoint.id, handler);
      return { answer, fail };
    },
    async call<A extends Address>(endpoint: A, input: CallInput<A> = {}): Promise<ResponseOf<A>> {
      const { params, query, body, idempotencyKey, keepalive = false } = input;
      const call = { id: endpoint.id, params, query, body, idempotencyKey, keepalive };
      calls.push(call);
      const handler = handlers.get(endpoint.id);
      if (handler === undefined) throw problem(503, `${endpoint.id} is not available`);
      if (!held.has(handler)) awaited.add(call);
      try {
        return (await handler(input as never)) as ResponseOf<A>;
      } finally {
        awaited.delete(call);
      }
    },
  };
  return fake;
}

/** An error answer of the server with its text and type. */
export function problem(status: number, message: string, type = 'about:blank'): ApiError {
  return new ApiError({ kind: 'http', status, message, type });
}

/** No answer at all. */
export function offline(message = 'Network error'): ApiError {
  return new ApiError({ kind: 'network', message });
}
