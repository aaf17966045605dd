import { epochChanged } from '@cord/contracts/events/rewards';
import { userErased } from '@cord/contracts/events/user';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { rulesEndpoints } from '@cord/contracts/http/rules';
import { epochsRpc, runningRpc } from '@cord/contracts/rpc/ledger';
import { FIRST_BOOK, type RuleBook } from '@cord/contracts/rules/rule-book';
import { type ConsumeOptions, on } from '@cord/kit/nats/consume';
import { startFixture } from '@cord/kit/testing/fixture';
import { call, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { storedState } from '@cord/kit/testing/stored';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listen } from './events.js';
import { testService } from './test/shop.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const HOUR = 3_600_000;
const WHY = 'Check-ins pay more from December on';

const rewards = forAllTests(() =>
  startFixture(testService, NOON, ({ nats }) => {
    nats.serve(epochsRpc, async ({ version, books = [] }) => {
      if (mining.away) throw new Error('away');
      if (mining.late && books.length > mining.books.length) return { outcome: 'late' as const, version };
      mining.books = books;
      return { outcome: 'stored' as const, version };
    });
    nats.serve(runningRpc, async () => ({ running: 0, sampled: 0, isWhole: true, groups: [] }));
    nats.orderedConsume({
      stream: 'CORD_REWARDS',
      handlers: [on(epochChanged, async ({ books }) => void published.push(books))],
    });
  }),
);
let [one, other, user] = ['', '', ''];
/** The books that mining received last, and whether it responds. */
const mining = { books: [] as readonly RuleBook[], away: false, late: false };
const published: (readonly RuleBook[] | undefined)[] = [];

beforeAll(async () => {
  const { state } = rewards.signer;
  [one, other, user] = [await state.newOperator(), await state.newOperator(), randomId()];
});
beforeEach(() => Object.assign(mining, { away: false, late: false }));

const rules = async () => (await call(rewards.url, rulesEndpoints.rules)).body;
const waiting = async (who = one) => call(rewards.url, rulesEndpoints.proposals, { token: await rewards.tokenOf(who) });
const inHours = (hours: number) => new Date(rewards.clock.now() + hours * HOUR).toISOString();
const propose = async (body: object, who = one) =>
  call(rewards.url, rulesEndpoints.propose, {
    body: { reason: WHY, ...body } as never,
    token: await rewards.tokenOf(who),
  });
const decide = async (id: string, decision: 'confirm' | 'withdraw', who = other) => {
  const body = { decision, reason: 'Looked at it' };
  return call(rewards.url, rulesEndpoints.decide, { params: { id }, body, token: await rewards.tokenOf(who) });
};
const state = async () => (await storedState(rewards.backend, 'rewards')).filter((text) => text.startsWith('epochs'));

test('a new system has the first rule book, readable for everybody', async () => {
  const { books, epochs } = await rules();
  expect(books).toEqual([{ ...FIRST_BOOK, announcedAtMs: null, reason: '', sooner: null }]);
  expect(epochs.length).toBeGreaterThan(0);
  expect((await waiting(user)).status).toBe(403);
});

test('a change waits for a second operator, then is public 72 hours ahead and stored by mining', async () => {
  const proposed = await propose({ from: inHours(72), changes: { checkinMicro: 49_000_000 } });
  expect(proposed.status).toBe(201);
  const { id } = proposed.body;
  expect([(await rules()).books.length, mining.books.length]).toEqual([1, 1]);
  expect((await decide(id, 'confirm', one)).problem?.type).toBe('second-operator-needed');
  expect((await waiting()).body.proposals).toMatchObject([{ id, reason: WHY, sooner: null }]);
  const confirmed = await decide(id, 'confirm');
  expect([confirmed.status, confirmed.body]).toEqual([200, { proposals: [] }]);
  const next = { ...FIRST_BOOK, version: 2, fromMs: NOON + 72 * HOUR, checkinMicro: 49_000_000 };
  expect(mining.books).toEqual([FIRST_BOOK, next]);
  expect((await rules()).books.at(-1)).toEqual({ ...next, announcedAtMs: NOON, reason: WHY, sooner: null });
  await vi.waitFor(
    () =>
      expect(published.at(-1)).toEqual([
        { ...FIRST_BOOK, announcedAtMs: null },
        { ...next, announcedAtMs: NOON },
      ]),
    PATIENCE_MS,
  );
  // The response may have been lost: repeating the call changes nothing.
  const before = await state();
  expect((await decide(id, 'confirm')).status).toBe(200);
  expect(await state()).toEqual(before);
});

test('a change in less than 72 hours needs a reason for users, and at least one hour', async () => {
  const changes = { baseNano: 600_000_000 };
  const soon = await propose({ from: inHours(80 - 9), changes });
  expect(soon.problem?.errors).toMatchObject([{ path: 'from' }]);
  const late = await propose({ from: inHours(0.99), changes, sooner: 'A fault costs users CORD' });
  expect(late.problem?.errors).toMatchObject([{ path: 'from', message: 'must be at least 1 hour ahead' }]);
  expect((await waiting()).body.proposals).toEqual([]);
});

test.each([
  ['from', { from: 72, changes: { baseNano: 1_000 } }],
  ['changes', { from: 100, changes: { checkinMicro: 49_000_000 } }],
  ['changes', { from: 100, changes: {} }],
  ['changes.checkinMicro', { from: 100, changes: { checkinMicro: 50_000_001 } }],
  ['changes.tiers', { from: 100, changes: { tiers: [{ fromYears: 1, hundredths: 100 }] } }],
  ['changes.tiers', { from: 100, changes: { tiers: [0, 2, 2].map((fromYears) => ({ fromYears, hundredths: 100 })) } }],
  ['changes.tiers', { from: 100, changes: { tiers: [{ fromYears: 0, hundredths: 1_001 }] } }],
  ['changes.commissionPercent', { from: 100, changes: { commissionPercent: 5 } }],
])('a change with an invalid %s is rejected, and nothing is written: %o', async (path, { from, changes }) => {
  const before = await state();
  const { status, problem } = await propose({ from: inHours(from), changes });
  expect([status, problem?.errors?.[0]?.path]).toEqual([400, path]);
  expect(await state()).toEqual(before);
});

test('a change takes effect at most 366 days ahead, so that a wrong year cannot block all later changes', async () => {
  const changes = { checkinMicro: 44_000_000 };
  const far = await propose({ from: inHours(366 * 24 + 1), changes });
  expect(far).toMatchObject({ status: 400, problem: { errors: [{ path: 'from' }] } });
  const { status, body } = await propose({ from: inHours(366 * 24), changes });
  expect(status).toBe(201);
  expect((await decide(body.id, 'withdraw')).status).toBe(200);
});

test('a change that is confirmed too late is rejected; it is gone once withdrawn', async () => {
  const { id } = (await propose({ from: inHours(73), changes: { baseNano: 700_000_000 } })).body;
  rewards.clock.pass(2 * HOUR);
  expect((await decide(id, 'confirm')).problem?.errors).toMatchObject([{ path: 'from' }]);
  expect((await decide(id, 'withdraw', one)).body).toEqual({ proposals: [] });
  expect((await decide(id, 'confirm')).problem?.type).toBe('proposal-not-found');
  expect((await rules()).books).toHaveLength(2);
});

test('a change cannot be confirmed by an account that became an operator after the proposal', async () => {
  const { id } = (await propose({ from: inHours(73), changes: { baseNano: 700_000_000 } })).body;
  const late = randomId();
  await rewards.signer.state.setRoles(late, ['admin'], rewards.clock.now() + 1);
  expect(await decide(id, 'confirm', late)).toMatchObject({ status: 409, problem: { type: 'role-too-new' } });
  expect((await decide(id, 'withdraw', late)).body).toEqual({ proposals: [] });
});

test('the proposals of an operator are withdrawn when the account is erased', async () => {
  const gone = await rewards.signer.state.newOperator();
  const { id } = (await propose({ from: inHours(73), changes: { baseNano: 700_000_000 } }, gone)).body;
  const kept = (await propose({ from: inHours(73), changes: { baseNano: 600_000_000 } })).body.id;
  await rewards.publish(userErased, gone, {}, 2);
  await vi.waitFor(
    async () => expect((await waiting()).body.proposals.map((one) => one.id)).toEqual([kept]),
    PATIENCE_MS,
  );
  expect((await decide(id, 'confirm')).problem?.type).toBe('proposal-not-found');
  await decide(kept, 'withdraw');
});

test('this withdrawal is redelivered without a limit while mining is away', () => {
  const waits: [string, number | undefined][] = [];
  const consume = ({ stream, maxBusy }: ConsumeOptions) => void waits.push([stream, maxBusy]);
  listen({ consume } as never, {} as never, async () => undefined, {} as never);
  expect(waits).toEqual([['CORD_USERS', Number.POSITIVE_INFINITY]]);
});

test('while mining is away nothing changes, and a change that mining receives too late is reverted', async () => {
  const { id } = (await propose({ from: inHours(100), changes: { baseNano: 700_000_000 } })).body;
  mining.away = true;
  expect((await decide(id, 'confirm')).status).toBe(503);
  expect((await rules()).books).toHaveLength(2);
  Object.assign(mining, { away: false, late: true });
  expect((await decide(id, 'confirm')).status).toBe(503);
  await vi.waitFor(async () => expect((await rules()).books).toHaveLength(2), PATIENCE_MS);
  expect((await waiting()).body.proposals).toMatchObject([{ id }]);
  mining.late = false;
  await vi.waitFor(async () => expect((await decide(id, 'confirm')).status).toBe(200), PATIENCE_MS);
  expect(mining.books.at(-1)).toMatchObject({ version: 3, baseNano: 700_000_000, checkinMicro: 49_000_000 });
});

test('a change of epochs keeps the announced rule books', async () => {
  const body = { reason: 'A feast', name: 'Feast', description: '', rewardsMultiplier: 2 };
  const times = { startDate: inHours(24 * 500), endDate: inHours(24 * 501) };
  const made = await call(rewards.url, rewardEndpoints.createEpoch, {
    body: { id: 'feast', ...body, ...times },
    token: await rewards.tokenOf(one),
  });
  expect(made.status).toBe(201);
  expect(mining.books.map(({ version }) => version)).toEqual([1, 2, 3]);
});
