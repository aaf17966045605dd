import { subjectOf } from '@cord/contracts/events/envelope';
import { userErased } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { creditRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { createLogger } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import type { RunningService } from '@cord/kit/service';
import { startAccountsNats } from '@cord/kit/testing/accounts-nats';
import {
  call,
  createSigner,
  randomId,
  startForTest,
  startTestBackend,
  type TestBackend,
} from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { ensureTopology } from '@cord/kit/topology';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mining } from '../service.js';
import { eventually } from './fixture.js';

const nats = forAllTests(startAccountsNats);
let backend: TestBackend;
let service: RunningService;
let connect: (user: string) => Promise<Nats>;
const connections: Nats[] = [];

beforeAll(async () => {
  connect = async (user) => {
    const connection = await connectNats({ NATS_URL: nats.urlFor(user) }, user, createLogger(user, 'silent'));
    connections.push(connection);
    return connection;
  };
  await ensureTopology(await connect('setup'));
  backend = await startTestBackend();
  service = await startForTest(mining, backend, { env: { NATS_URL: nats.urlFor('mining') } });
});
afterAll(async () => {
  await service?.close();
  await Promise.all(connections.map((connection) => connection.drain()));
  await backend?.stop();
});

test('mining does all it has to with its own NATS user and no other’s subjects', async () => {
  const [setup, auth, tasks] = await Promise.all([connect('setup'), connect('auth'), connect('tasks')]);
  const signer = await createSigner(await connect('rights'));
  const userId = randomId();
  await auth.request(openAccount, { userId, discordCreatedAt: Date.now() - 1, at: Date.now() });
  const token = await signer.sign(userId, { nowMs: Date.now() });
  // Whose tokens hold is published only now: until the service has it, it answers 503.
  await eventually(async () =>
    expect((await call(service.url, api.start, { params: { id: userId }, token })).status).toBe(200),
  );
  const credit = { userId, key: `task:a:${userId}:once`, source: 'task' as const, amountMicro: '5', reason: 'test' };
  await tasks.request(creditRpc('tasks'), credit);
  expect((await call(service.url, api.stopB, { token })).status).toBe(200);

  const last = async (thing: string, verb: string) => {
    const stream = thing === 'node' ? 'CORD_NODES' : 'CORD_BALANCE';
    return (await setup.jsm.streams.getMessage(stream, { last_by_subj: `cord.${thing}.v1.${verb}.${userId}` }))?.json();
  };
  await eventually(async () =>
    expect(await last('balance', 'changed')).toMatchObject({ bySource: { task: '5' }, node: { status: 'idle' } }),
  );
  expect(await last('node', 'started')).toMatchObject({ userId });
  expect(await last('node', 'stopped')).toMatchObject({ userId });

  const erased = { v: 1, id: `user:erased:${userId}`, at: Date.now(), userId, seq: '9' };
  await auth.publish(subjectOf(userErased, userId), erased, erased.id);
  await eventually(async () => expect(await last('balance', 'changed')).toBeUndefined());
  await eventually(async () => expect(await last('node', 'stopped')).toBeUndefined());
});
