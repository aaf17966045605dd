import type { Endpoint } from '@cord/contracts/endpoint';
import { signInAgain } from '../../test/kit/people.ts';
import { until } from '../../test/kit/until.ts';
import { makeAccount } from '../people.ts';

/** The caller: client B by bearer token, client A by cookie, or a guest. */
export interface Caller {
  origin: string;
  token?: string;
  cookie?: string;
}

export interface Signed extends Caller {
  token: string;
  userId: string;
  username: string;
  accountId: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  contentType: string;
}

/** The input of a call. */
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls an endpoint with plain fetch. */
export async function call(
  caller: Caller,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  input: Input = {},
): Promise<Answer> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? name));
  const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
  const writes = endpoint.method !== 'GET';
  const response = await fetch(`${caller.origin}/api${path}${query}`, {
    method: endpoint.method,
    redirect: 'manual',
    headers: {
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(caller.token ? { authorization: `Bearer ${caller.token}` } : {}),
      ...(caller.cookie ? { cookie: caller.cookie } : {}),
      ...(caller.cookie && writes ? { origin: caller.origin } : {}),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  return { status: response.status, headers: response.headers, contentType, body: parsed(text, contentType) };
}

function parsed(text: string, contentType: string): unknown {
  return contentType.includes('json') ? JSON.parse(text) : text;
}

/** Signs in as client B: exchanges a code for a bearer token. */
export async function signInByBearer(origin: string, years = 5.5, referralCode?: string): Promise<Signed> {
  const { id: accountId, username } = await makeAccount(origin, years);
  return signInAgainByBearer({ origin, accountId, username }, referralCode);
}

/** Signs in an existing account as client B. */
export async function signInAgainByBearer(
  { origin, accountId, username }: Pick<Signed, 'origin' | 'accountId' | 'username'>,
  referralCode?: string,
): Promise<Signed> {
  const { token, id } = await signInAgain(origin, accountId, referralCode);
  return { origin, token, userId: id, username, accountId };
}

/** Makes a user an admin, and waits until every service knows. */
export async function makeAdmin(user: Signed): Promise<Signed> {
  await fetch(`${user.origin}/dev/users/${user.userId}/admin`, { method: 'POST' });
  const probes = [
    { method: 'GET' as const, path: '/epochs' },
    { method: 'GET' as const, path: '/admin/audit' },
  ];
  await until('the services have the role', async () => {
    const answers = await Promise.all(probes.map((probe) => call(user, probe)));
    return answers.every(({ status }) => status === 200);
  });
  return user;
}
