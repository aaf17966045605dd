import { type Address, SERVICES } from '@cord/contracts/address';
import type { ResponseOf } from '@cord/contracts/calls';
import type { Api, CallInput, Health } from '../api';
import { ApiError } from '../problem';

/** One recorded call, for assertions on what was sent. */
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
  /** Sets the response of an endpoint: a handler or a fixed value. */
  on<A extends Address>(endpoint: A, answer: Handler<A> | ResponseOf<A>): FakeApi;
  /** Makes an endpoint fail. */
  fail(endpoint: Address, error: ApiError): FakeApi;
  /** Makes calls of an endpoint never end: a permanent loading state, which `underWay` ignores. */
  hang(endpoint: Address): FakeApi;
  /** Makes calls of an endpoint wait, ignored by `underWay`, until the test responds. */
  hold<A extends Address>(endpoint: A): { answer(answer: ResponseOf<A>): void; fail(error: ApiError): void };
  /** Ids of the endpoints with pending responses, without those that hang. */
  underWay(): string[];
  /** State of the services; null when the gateway does not respond. */
  healthy: Health | null;
  calls: RecordedCall[];
  callsOf(endpoint: Address): RecordedCall[];
}

/** Creates an api without a server; an endpoint without a handler returns 503, like a service that is down. */
export function createFakeApi(): FakeApi {
  const handlers = new Map<string, (input: never) => unknown>();
  const calls: RecordedCall[] = [];
  const awaited = new Set<RecordedCall>();
  /** Handlers whose responses nobody waits for. */
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

/** Returns an error response with its text and type. */
export function problem(status: number, message: string, type = 'about:blank'): ApiError {
  return new ApiError({ kind: 'http', status, message, type });
}

/** Returns the error of a call without a response. */
export function offline(message = 'Network error'): ApiError {
  return new ApiError({ kind: 'network', message });
}
