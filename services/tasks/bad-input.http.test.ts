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
const ROUTES = ENDPOINTS.filter((endpoint) => endpoint.service === 'tasks');
const ADMINS_LIST = ROUTES.find(({ id }) => id === 'tasks.remove') as Endpoint;

let backend: TestBackend;
let tasks: RunningService;
let dbName: string;
let userId: string;
let token: string;
let before: string[];

beforeAll(async () => {
  backend = await startTestBackend();
  const signer = await createSigner(backend.nats);
  dbName = backend.dbName('tasks');
  tasks = await startForTest(service, backend, { clock: createTestClock(NOON), dbName });
  userId = randomId();
  token = await signer.sign(userId, { nowMs: NOON });
  await signer.state.setRoles(userId, ['admin']);
  await vi.waitFor(
    async () => expect((await call(tasks.url, ADMINS_LIST, { params: { id: 'none' }, token })).status).toBe(404),
    15_000,
  );
  before = await storedAtRest(backend.mongodbUri, dbName);
});
afterAll(async () => {
  await tasks?.close();
  await backend?.stop();
});

/** A good call of each route. `id` is a user's in /users/:id and a task's elsewhere. */
function goodCall({ id, path }: Endpoint): GoodCall {
  const params = {
    id: path.startsWith('/users/') ? userId : 'follow-x',
    userId,
    taskId: 'follow-x',
    type: 'daily',
  };
  const task = { type: 'daily', title: 'A task', description: 'Of the test', reward: 5, maxProgress: 1 };
  const bodies: Record<string, Record<string, unknown>> = {
    'tasks.create': { id: 'a-task', ...task },
    'tasks.update': task,
    'checkin.perform': { userId },
  };
  return { params, body: bodies[id] ?? {}, token };
}

describe('every route of tasks', () => {
  test.each(ROUTES.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s refuses every bad input, and writes nothing',
    async (_, endpoint) => {
      expect(await badInputFailures(tasks.url, endpoint, goodCall(endpoint))).toEqual([]);
      expect(await storedState(backend.mongodbUri, dbName)).toEqual(before);
    },
  );
});
