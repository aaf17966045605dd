import type { Endpoint } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { supportEndpoints } from '@cord/contracts/http/support';
import { badInputFailures, type GoodCall } from '@cord/kit/testing/bad-input';
import { call } from '@cord/kit/testing/index';
import { storedAtRest, storedState } from '@cord/kit/testing/stored';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually, meOf, startAuth, type TestAuth } from './test/auth.js';

vi.setConfig({ testTimeout: 120_000 });

const ROUTES = ENDPOINTS.filter((endpoint) => endpoint.service === 'auth');
/** Who was here when, which every signed-in request notes. */
const NOTED = ['sessions'];

let auth: TestAuth;
let id: string;
let token: string;
let before: string[];

beforeAll(async () => {
  auth = await startAuth();
  const browser = auth.browser();
  await browser.signIn({ account: await auth.discord.account({ username: 'user' }) });
  id = (await meOf(browser)).user.id;
  token = browser.cookies.get('cord') ?? '';
  await fetch(`${auth.url}/dev/users/${id}/admin`, { method: 'POST' });
  await eventually(async () => (await call(auth.url, supportEndpoints.audit, { token })).status === 200);
  before = await storedAtRest(auth.backend.mongodbUri, auth.backend.dbName('auth'), NOTED);
});
afterAll(() => auth?.stop());

function goodCall({ id: name }: Endpoint): GoodCall {
  const bodies: Record<string, Record<string, unknown>> = {
    'auth.exchange': { code: 'x' },
    'users.remove': { confirm: 'user' },
    'support.file': { kind: 'support', subject: 'A subject', text: 'A text of some length' },
    'admin.answer': { answer: 'Yes' },
    'admin.markAddress': { shared: true, reason: 'A good reason' },
    'admin.changeUser': { reason: 'A good reason' },
  };
  return { params: { id, username: 'user', key: 'a'.repeat(32) }, body: bodies[name] ?? {}, token };
}

/** POST /users makes nobody, whatever stands in it: users come by sign-in (decisions, Security and money). */
const judged = ROUTES.filter(({ id: name }) => name !== 'users.create');

describe('every route of auth', () => {
  test.each(judged.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s refuses every bad input, and writes nothing',
    async (_, endpoint) => {
      expect(await badInputFailures(auth.url, endpoint, goodCall(endpoint))).toEqual([]);
      expect(await storedState(auth.backend.mongodbUri, auth.backend.dbName('auth'), NOTED)).toEqual(before);
    },
  );
});
