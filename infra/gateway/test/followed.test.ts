import { Writable } from 'node:stream';
import { subjectOf } from '@cord/contracts/events/envelope';
import { userRegistered } from '@cord/contracts/events/user';
import { openAccount } from '@cord/contracts/rpc/ledger';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { createLogger, type Log } from '@cord/kit/log';
import type { ServiceDefinition } from '@cord/kit/service';
import {
  createSessionSigner,
  createTestClock,
  randomId,
  startForTest,
  startTestBackend,
  type TestBackend,
} from '@cord/kit/testing/index';
import { registered, serveRegistrations } from '@cord/kit/testing/registered';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { service as leaderboard } from '../../../services/leaderboard/service.js';
import { mining } from '../../../services/mining/service.js';
import { referralsService } from '../../../services/referrals/service.js';
import { service as tasks } from '../../../services/tasks/service.js';
import { origin } from './origin.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;
let backend: TestBackend;
const lines: string[] = [];
const running: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.close()));
  await backend?.stop();
});

/** Keeps a log in memory, at the finest level that an operator can set. */
function kept(service: string): Log {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).split('\n').filter(Boolean));
      done();
    },
  });
  return createLogger(service, 'debug', sink);
}

test('a call is in the log of every service that it reaches through requests and events, with one request id', async () => {
  const signer = await createSessionSigner(backend.nats);
  const clock = createTestClock();
  const upstreams: Record<string, string[]> = {};
  for (const definition of [mining, tasks, leaderboard, referralsService()] as ServiceDefinition[]) {
    const { name } = definition;
    const one = await startForTest(definition, backend, { clock, log: kept(name) });
    running.push(one);
    upstreams[name] = [one.url];
  }
  const site = await origin({ upstreams, nats: { NATS_URL: backend.natsUrl } }, { log: kept('gateway') });
  const userId = randomId();
  const discordCreatedAt = clock.now() - 5 * YEAR_MS;
  await backend.nats.request(openAccount, { userId, discordCreatedAt, at: clock.now() });
  const state = registered(clock.now(), { discordCreatedAt });
  const event = { v: 1, id: userId, at: clock.now(), userId, seq: '1', ...state };
  await backend.nats.publish(subjectOf(userRegistered, userId), event, userId);
  // The call may arrive before the event.
  running.push({ close: (await serveRegistrations(backend.nats, () => state)).stop });
  const token = await signer.sign(userId, { nowMs: clock.now() });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', traceparent: TRACEPARENT };
  // At its start the ledger publishes its state without a cause: the logs of a balance published then have none.
  const stands = () => lines.some((line) => /"CORD_BALANCE".*republished all state of a stream/.test(line));
  await expect.poll(stands).toBe(true);

  const done = await site.call('/api/daily-checkin/perform', { method: 'POST', headers, body: '{}' });
  expect(done.status).toBe(200);
  const requestId = done.headers['x-request-id'];

  const ofCall = () => lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
  const logged = () => new Set(ofCall().map(({ service, msg }) => `${service}: ${msg}`));
  await expect
    .poll(logged)
    .toEqual(
      new Set([
        'gateway: request',
        'tasks: request',
        'mining: a request was handled',
        'leaderboard: an event was read',
        'referrals: an event was handled',
      ]),
    );
  expect(new Set(ofCall().map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
});
