import type { Endpoint } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import type { RunningService } from '@cord/kit/service';
import { badInputFailures, type GoodCall } from '@cord/kit/testing/bad-input';
import {
  call,
  createSigner,
  createTestClock,
  randomId,
  startForTest,
  startTestBackend,
  type TestBackend,
} from '@cord/kit/testing/index';
import { storedAtRest, storedState } from '@cord/kit/testing/stored';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { service } from './service.js';

vi.setConfig({ testTimeout: 120_000 });

const NOON = Date.UTC(2026, 10, 18, 12);
const ROUTES = ENDPOINTS.filter((endpoint) => endpoint.service === 'referrals');
const RELEASE = ROUTES.find(({ id }) => id === 'referrals.release') as Endpoint;

let backend: TestBackend;
let referrals: RunningService;
let dbName: string;
let userId: string;
let token: string;
let before: string[];

beforeAll(async () => {
  backend = await startTestBackend();
  const signer = await createSigner(backend.nats);
  dbName = backend.dbName('referrals');
  referrals = await startForTest(service, backend, { clock: createTestClock(NOON), dbName });
  userId = randomId();
  token = await signer.sign(userId, { nowMs: NOON });
  await signer.state.setRoles(userId, ['admin']);
  await vi.waitFor(
    async () =>
      expect((await call(referrals.url, RELEASE, { params: { userId, friendId: userId }, token })).status).toBe(404),
    15_000,
  );
  before = await storedAtRest(backend.mongodbUri, dbName);
});
afterAll(async () => {
  await referrals?.close();
  await backend?.stop();
});

/** A good call of each route. */
function goodCall({ id }: Endpoint): GoodCall {
  const body = id === 'referrals.process' ? { userId, referralCode: 'ABCD2345' } : {};
  return { params: { userId, friendId: userId }, body, token };
}

describe('every route of referrals', () => {
  test.each(ROUTES.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s refuses every bad input, and writes nothing',
    async (_, endpoint) => {
      expect(await badInputFailures(referrals.url, endpoint, goodCall(endpoint))).toEqual([]);
      expect(await storedState(backend.mongodbUri, dbName)).toEqual(before);
    },
  );
});
