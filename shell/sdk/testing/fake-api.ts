import { type Endpoint, type ResponseOf, SERVICES } from '@cord/contracts/endpoint';
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

type Answer<E extends Endpoint> = ResponseOf<E> | Promise<ResponseOf<E>>;
type Handler<E extends Endpoint> = (input: CallInput<E>) => Answer<E>;

export interface FakeApi extends Api {
  /** From now on, calls of this endpoint are answered so: by a handler, or always with the same. */
  on<E extends Endpoint>(endpoint: E, answer: Handler<E> | ResponseOf<E>): FakeApi;
  /** From now on, calls of this endpoint fail so. */
  fail(endpoint: Endpoint, error: ApiError): FakeApi;
  /** From now on, calls of this endpoint never end: a loading state that stays. */
  hang(endpoint: Endpoint): FakeApi;
  /** What the gateway says of the services; null when it does not answer. */
  healthy: Health | null;
  calls: RecordedCall[];
  callsOf(endpoint: Endpoint): RecordedCall[];
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
    async call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ResponseOf<E>> {
      const { params, query, body, idempotencyKey, keepalive = false } = input;
      calls.push({ id: endpoint.id, params, query, body, idempotencyKey, keepalive });
      const handler = handlers.get(endpoint.id);
      if (handler === undefined) throw problem(503, `${endpoint.id} is not available`);
      return (await handler(input as never)) as ResponseOf<E>;
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
