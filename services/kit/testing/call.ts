import type { BodyInputOf, Endpoint, ResponseOf } from '@cord/contracts/endpoint';
import type { ProblemDetails } from '@cord/contracts/problems';
import { signTestCaller } from './signer.js';

export interface CallOptions<E> {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  /** The typed body; anything else for tests of bad input. */
  body?: BodyInputOf<E> | unknown;
  /** The caller's token (`Signer.sign`); omitted for a guest. A gateway or a front expects a session token. */
  token?: string;
  /** Session cookie of a plain http site; sent with the site's Origin unless `headers` overrides it. */
  cookie?: string;
  headers?: Record<string, string>;
}

export interface CallAnswer<T> {
  status: number;
  headers: Headers;
  /** Parsed body of a success. */
  body: T;
  /** Parsed body of a refusal. */
  problem: ProblemDetails;
  text: string;
}

/** URLs of stand-ins for the gateway (`startFront`); they are called with session tokens. */
export const fronts = new Set<string>();

/** Calls an endpoint over HTTP, as a browser or a client would. */
export async function call<E extends Endpoint>(
  url: string,
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<CallAnswer<ResponseOf<E>>> {
  const token = options.token ?? (fronts.has(url) ? undefined : await signTestCaller());
  const sendsBody = options.body !== undefined && endpoint.method !== 'GET';
  const response = await fetch(addressOf(url, endpoint.path, options), {
    method: endpoint.method,
    redirect: 'manual',
    headers: {
      ...(sendsBody ? { 'Content-Type': 'application/json' } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(options.cookie ? { Cookie: `cord=${options.cookie}`, 'Sec-Fetch-Site': 'same-origin' } : {}),
      ...options.headers,
    },
    ...(sendsBody ? { body: JSON.stringify(options.body) } : {}),
  });
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, body: json, problem: json, text };
}

function addressOf(url: string, path: string, { params = {}, query = {} }: CallOptions<unknown>): URL {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const address = new URL(`/api${filled}`, url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
  return address;
}
