import { adminEndpoints } from '@cord/contracts/http/admin';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { accrueCommissionRpc, earningsRpc } from '@cord/contracts/rpc/ledger';
import { dayStartMs } from '@cord/contracts/rules/days';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, test } from 'vitest';
import { factsOf } from '../hours/facts.js';
import { hoursOf } from '../hours/hours.js';
import { mountEarnings } from '../http/earnings.js';
import { mountHours } from '../http/hours.js';
import { mountLedger } from '../http/ledger.js';
import type { Account } from '../ledger/account.js';
import { NO_EPOCHS } from '../ledger/epochs.js';
import { serveLedger } from '../rpc.js';
import { createLedgerStore } from '../store/ledger-store.js';
import { createReads, type Reads } from '../store/reads.js';
import { eventually, HOUR_MS, MINUTE_MS, NOON_MS, startFixture } from './fixture.js';

const CORD = 1_000_000n;
const mining = forAllTests(() => startFixture());

/** An account with 5 CORD of mining and 3 of commission open, as a call read it before both became entries and a task was claimed. */
let account: Account;
let reads: Reads;
beforeAll(async () => {
  const user = await mining.newUser();
  await mining.backend.nats.request(accrueCommissionRpc, { userId: user.id, totalMicro: String(3n * CORD) });
  const { id } = await user.start();
  await mining.clock.advance(10 * MINUTE_MS);
  await user.save(id);
  account = (await createLedgerStore(mining.store).read(user.id)) as Account;
  await mining.credit(user.id, 'task', `task:a:${user.id}:once`, CORD);
  await mining.clock.advance(HOUR_MS);
  await eventually(async () => {
    const entries = await mining.stored.entries.find({ userId: user.id }).toArray();
    expect(entries.map(({ source }) => source)).toEqual(expect.arrayContaining(['mining', 'task', 'commission']));
  });
  reads = createReads(mining.store);
});

/** Calls a route or a request of what was mounted, as its server would. */
function callsOf(mount: (server: never) => unknown) {
  const handlers = new Map<unknown, (call: object) => Promise<unknown>>();
  const nameOf = (of: object) => ('subject' in of ? of.subject : of);
  const add = (of: object, handler: (call: object) => Promise<unknown>) => handlers.set(nameOf(of), handler);
  mount({ route: add, serve: add } as never);
  return (of: object, call: object) => handlers.get(nameOf(of))?.(call);
}

describe('an amount that became an entry after the account was read counts only as open', () => {
  test('in the hours of a day', async () => {
    const at = { nowMs: NOON_MS + 10 * MINUTE_MS, epochs: NO_EPOCHS };
    const peers = { past: null, outages: null };
    const hours = hoursOf(await factsOf({ account, moment: at }, dayStartMs(NOON_MS), reads, peers));
    expect(hours.reduce((sum, { minedMicro }) => sum + minedMicro, 0n)).toBe(5n * CORD);
  });

  test('in the ledger, by page, after an entry, and by source', async () => {
    const audit = { logView: async () => undefined } as never;
    const call = callsOf((http) => mountLedger(http, { ledger: { read: async () => account }, reads, audit }));
    const user = { id: account.userId };
    const params = user;
    const none = { entries: [], open: 8, nextCursor: null };
    expect(await call(api.ledger, { user, query: { limit: 25 } })).toEqual(none);
    expect(await call(api.ledger, { user, query: { limit: 25, cursor: '1000' } })).toEqual(none);
    expect(await call(api.ledger, { user, query: { limit: 25, after: '0' } })).toEqual(none);
    const ofMining = { user, params, query: { limit: 25, source: 'mining' } };
    expect(await call(adminEndpoints.ledger, ofMining)).toMatchObject(none);
  });

  test('in the earnings since a time', async () => {
    const metrics = { counter: () => ({ inc: () => undefined }) } as never;
    const moment = () => ({ nowMs: NOON_MS + 10 * MINUTE_MS, epochs: NO_EPOCHS });
    const ledger = { read: async () => account, moment } as never;
    const call = callsOf((nats) => serveLedger(nats, {} as never, ledger, reads, metrics));
    const request = { userId: account.userId, sources: ['commission', 'task'], sinceMs: 1 };
    expect(await call(earningsRpc, request)).toEqual({
      earnings: [{ at: NOON_MS, source: 'commission', amountMicro: String(3n * CORD) }],
      totalMicro: String(3n * CORD),
    });
  });

  test('and a task claimed since then does not count as claimed in the chart', async () => {
    const moment = { nowMs: NOON_MS + 10 * MINUTE_MS, epochs: NO_EPOCHS };
    // Settled to now it has entries that are not stored yet: others may have their places.
    const readSettled = async () => ({ account: { ...account, seq: account.seq + 9n }, stored: account, moment });
    const call = callsOf((http) => mountEarnings(http, { readSettled } as never, reads));
    const answer = await call(api.earnings, { user: { id: account.userId }, query: { range: '7d' } });
    expect((answer as { buckets: object[] }).buckets.at(-1)).toMatchObject({ tasks: 0, tasksClaimed: 0 });
  });
});

test('the hours of a day use the account as it is after auth and tasks have responded', async () => {
  let answered = false;
  const request = () => {
    answered = true;
    throw new Error('away');
  };
  const readSettled = async () =>
    answered ? { account, stored: account, moment: { nowMs: NOON_MS + 10 * MINUTE_MS, epochs: NO_EPOCHS } } : null;
  const nats = { request: async () => request() } as never;
  const call = callsOf((http) => mountHours(http, { node: { readSettled }, reads, nats }));
  const day = '2026-11-21';
  expect(await call(api.hours, { user: { id: account.userId }, query: { day } })).toMatchObject({ day });
});
