import { type Address, SERVICES } from '@cord/contracts/address';
import type { ResponseOf } from '@cord/contracts/calls';
import type { Api, CallInput } from '../api';
import type { Health } from '../health';
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
  /** From now on, calls of this endpoint never end: a loading state that stays. */
  hang(endpoint: Address): FakeApi;
  /** What the gateway says of the services; null when it does not answer. */
  healthy: Health | null;
  calls: RecordedCall[];
  callsOf(endpoint: Address): RecordedCall[];
}

/** An api without a server; an endpoint nobody told it about answers 503, as a service that is down does. */
export function createFakeApi(): FakeApi {
  const handlers = new Map<string, (input: never) => unknown>();
  const calls: RecordedCall[] = [];
  const fake: FakeApi = {
    calls,
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
      handlers.set(endpoint.id, () => new Promise(() => undefined));
      return fake;
    },
    async call<A extends Address>(endpoint: A, input: CallInput<A> = {}): Promise<ResponseOf<A>> {
      const { params, query, body, idempotencyKey, keepalive = false } = input;
      calls.push({ id: endpoint.id, params, query, body, idempotencyKey, keepalive });
      const handler = handlers.get(endpoint.id);
      if (handler === undefined) throw problem(503, `${endpoint.id} is not available`);
      return (await handler(input as never)) as ResponseOf<A>;
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
