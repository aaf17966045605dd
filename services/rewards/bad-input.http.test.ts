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
import { testService } from './test/shop.js';

vi.setConfig({ testTimeout: 120_000 });

const NOON = Date.UTC(2026, 10, 18, 12);
const ROUTES = ENDPOINTS.filter((endpoint) => endpoint.service === 'rewards');
const EPOCHS = ROUTES.find(({ id }) => id === 'epochs.list') as Endpoint;

let backend: TestBackend;
let rewards: RunningService;
let dbName: string;
let userId: string;
let token: string;
let before: string[];

beforeAll(async () => {
  backend = await startTestBackend();
  const signer = await createSigner(backend.nats);
  dbName = backend.dbName('rewards');
  rewards = await startForTest(testService, backend, { clock: createTestClock(NOON), dbName });
  userId = randomId();
  token = await signer.sign(userId, { nowMs: NOON });
  await signer.state.setRoles(userId, ['admin']);
  await vi.waitFor(async () => expect((await call(rewards.url, EPOCHS, { token })).status).toBe(200), 15_000);
  before = await storedAtRest(backend.mongodbUri, dbName);
});
afterAll(async () => {
  await rewards?.close();
  await backend?.stop();
});

/** A good call of each route. `id` is an order's in /badge-orders/:id, an epoch's in /epochs/:id and else a user's. */
function goodCall({ id, path }: Endpoint): GoodCall {
  const params = { id: path.startsWith('/epochs') ? 'omega' : userId, userId };
  const epoch = {
    name: 'An epoch',
    description: 'Of the test',
    rewardsMultiplier: 1.5,
    startDate: '2030-01-01T00:00:00Z',
    endDate: '2030-02-01T00:00:00Z',
  };
  const bodies: Record<string, Record<string, unknown>> = {
    'compensation.claim': { userId },
    'cordClaims.claim': { userId },
    'epochs.create': { id: 'an-epoch', ...epoch },
    'epochs.update': epoch,
    'badgePurchases.create': {
      userId,
      orderId: randomId(),
      walletAddress: '1'.repeat(40),
      transactionHash: '1'.repeat(87),
      amountSol: 0.02,
      amountUsd: 3,
    },
    'admin.returnRefund': { returnTransaction: '1'.repeat(87), note: 'By hand' },
    'solana.rpc': { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [] },
  };
  return { params, body: bodies[id] ?? {}, token };
}

/** JSON-RPC is not ours: what its callers add goes unread, and only its methods are allowed by name. */
const isOurs = (failure: string) => !failure.startsWith('solana.rpc, an unknown field');

describe('every route of rewards', () => {
  test.each(ROUTES.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s refuses every bad input, and writes nothing',
    async (_, endpoint) => {
      const failures = await badInputFailures(rewards.url, endpoint, goodCall(endpoint));
      expect(failures.filter(isOurs)).toEqual([]);
      expect(await storedState(backend.mongodbUri, dbName)).toEqual(before);
    },
  );
});
