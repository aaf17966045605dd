import type { Address } from '@cord/contracts/address';
import { SWITCHED_OFF } from '@cord/contracts/addresses/switches';
import type { BodyInputOf, ParamsOf, QueryInputOf, ResponseOf } from '@cord/contracts/calls';
import { NO_ANSWER, PROBLEMS } from './answer-texts';
import { callText } from './call-texts';
import { textLanguage } from './i18n';
import { ApiError, type FieldProblem } from './problem';
import { type ServerClock, serverTimeInBody, serverTimeInHeaders } from './server-clock';

/** Input of one call: params, query and body by the endpoint's schemas, and the call options. */
export type CallInput<A extends Address> = Partial<Inputs<A>> & CallOptions;

interface Inputs<A extends Address> {
  params: ParamsOf<A>;
  query: QueryInputOf<A>;
  body: BodyInputOf<A>;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Maximum wait for the response, ms. */
  timeoutMs?: number;
  /**
   * Makes a POST safe to repeat: the server returns the same response again. `sdk.writes` creates the key, keeps it
   * for every retry of a write, and does the retries.
   */
  idempotencyKey?: string;
  /** Lets the request outlive the page, for the save when a page is hidden. */
  keepalive?: boolean;
}

export interface Api {
  /**
   * Calls an endpoint of the contract.
   * @throws ApiError always and only.
   */
  call<A extends Address>(endpoint: A, input?: CallInput<A>): Promise<ResponseOf<A>>;
  /** Returns the state of the services as the gateway reports it. */
  health(): Promise<Health>;
}

export interface ApiDeps {
  clock: ServerClock;
  fetch?: typeof fetch;
  localNow?: () => number;
  /** Awaited before each GET. */
  beforeRead?: () => Promise<void>;
  /** `onReached` is called with every response, whatever its status; `onMissed` when there was none. */
  onReached?: () => void;
  onMissed?: () => void;
  /** Id of the signed-in user; null when nobody is signed in or it is unknown. */
  userId?: () => string | null;
  /** Called when a call that needs a sign-in returns 401. @param userId signed-in user when the call was sent */
  onUnauthorised?: (userId: string | null) => void;
  /** Called when the response belongs to another user: this browser is now signed in as somebody else. @param userId as for `onUnauthorised` */
  onNotYours?: (userId: string | null) => void;
}

/** Problem type of a call that names another user than the session's (services/kit/http/guard.ts). */
const NOT_YOURS = 'not-yours';

const TIMEOUT_MS = 15_000;

/** Creates the page's only API client: same-origin, JSON both ways, typed errors; it reads the server's clock off each response. */
export function createApi(deps: ApiDeps): Api {
  const send = deps.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const localNow = deps.localNow ?? Date.now;

  async function once<A extends Address>(endpoint: A, input: CallInput<A>): Promise<ResponseOf<A>> {
    if (endpoint.method === 'GET') await deps.beforeRead?.();
    const userId = deps.userId?.() ?? null;
    const sentMs = localNow();
    const response = await exchange(send, endpoint, input, deps.onMissed);
    deps.onReached?.();
    const receivedMs = localNow();
    const headerTime = serverTimeInHeaders(response.headers);
    if (headerTime) deps.clock.observe({ ...headerTime, sentMs, receivedMs });
    if (!response.ok) {
      if (response.status === 401 && endpoint.access !== 'public') deps.onUnauthorised?.(userId);
      const problem = await problemOf(response, endpoint);
      if (problem.type === NOT_YOURS) deps.onNotYours?.(userId);
      throw problem;
    }
    if (response.status === 204) return undefined as ResponseOf<A>;
    const answer = await response.json().catch(async (cause: unknown) => {
      throw await noAnswer(endpoint, { kind: 'network', status: response.status, cause });
    });
    const serverMs = serverTimeInBody(answer);
    if (serverMs !== null) deps.clock.observe({ serverMs, resolutionMs: 1, sentMs, receivedMs });
    return answer as ResponseOf<A>;
  }

  return {
    health: () => fetchHealth(send),
    call: (endpoint, input = {}) => once(endpoint, input),
  };
}

/** Returns a new trace for a call (W3C Trace Context), which identifies it in all services. The browser exports no spans. */
function newTrace(): string {
  const random = crypto.getRandomValues(new Uint8Array(24));
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}

async function exchange(
  send: typeof fetch,
  endpoint: Address,
  input: CallOptions & { params?: unknown; query?: unknown; body?: unknown },
  onMissed: (() => void) | undefined,
): Promise<Response> {
  const url = urlOf(endpoint, input);
  const timeout = AbortSignal.timeout(input.timeoutMs ?? TIMEOUT_MS);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-language': textLanguage.get(),
    traceparent: newTrace(),
  };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (input.idempotencyKey !== undefined) headers['idempotency-key'] = input.idempotencyKey;
  try {
    return await send(url, {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      keepalive: input.keepalive ?? false,
      signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
  } catch (cause) {
    if (input.signal?.aborted) throw new ApiError({ kind: 'aborted', message: NO_ANSWER.get().cancelled, cause });
    const kind = timeout.aborted ? 'timeout' : 'network';
    onMissed?.();
    throw await noAnswer(endpoint, { kind, cause });
  }
}

type Init = ConstructorParameters<typeof ApiError>[0];

async function noAnswer({ id }: Address, init: Omit<Init, 'message'>): Promise<ApiError> {
  return new ApiError({ ...init, message: (await callText(id)) ?? NO_ANSWER.get().network });
}

/** Returns the error for a response that is not ok (services/README.md#errors). */
async function problemOf(response: Response, { id }: Address): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const problem = isRecord(body) ? body : {};
  const type = textField(problem, 'type');
  const serverText = PROBLEMS.get()[type ?? ''] ?? textField(problem, 'error');
  // The server's text is shown below 500 and for switched-off features; else the call's own text.
  const knows = response.status < 500 || type === SWITCHED_OFF;
  const known = knows ? serverText : undefined;
  const message = known ?? (await callText(id)) ?? serverText ?? `HTTP ${response.status}`;
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    kind: 'http',
    message,
    status: response.status,
    type: type ?? 'about:blank',
    detail: textField(problem, 'detail'),
    fields: fieldsOf(problem.errors),
    retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1_000 : null,
    requestId: textField(problem, 'requestId') ?? null,
  });
}

function fieldsOf(errors: unknown): FieldProblem[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .filter(isRecord)
    .map((each) => ({ path: String(each.path ?? ''), message: String(each.message ?? '') }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textField(record: Record<string, unknown>, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the URL of a call: parameters in the path, the rest in the query string. */
function urlOf(endpoint: Address, input: { params?: unknown; query?: unknown }): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${endpoint.id}: parameter ${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.toString();
  return `/api${path}${search === '' ? '' : `?${search}`}`;
}

/** Response of GET /healthz of the gateway: 200 when every service is ready, else 503 with the same shape. */
export interface Health {
  status: string;
  services: Readonly<Record<string, string>>;
}

const HEALTH_TIMEOUT_MS = 5_000;

/** Reads the state of the services from the gateway; a 503 is a valid response. @throws TypeError when the response has no services */
async function fetchHealth(send: typeof fetch): Promise<Health> {
  const response = await send('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
  const answer = (await response.json()) as Partial<Health> | null;
  if (typeof answer?.services !== 'object') throw new TypeError('The health answer has no services');
  return { status: answer.status ?? 'unknown', services: answer.services };
}
