import type { ServiceName } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { userRegistered } from '@cord/contracts/events/user';
import { accrueCommissionRpc, COMMISSION_STEP_MICRO, creditRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { weekKey } from '@cord/contracts/rules/days';
import { opsUrlOf } from '@cord/kit/ops-port';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { registered } from '@cord/kit/testing/registered';
import { describe, expect, test } from 'vitest';
import { DAY_LIMITS } from '../ledger/credit-table.js';
import { DAY_MS, eventually, MINUTE_MS, NOON_MS, startFixture } from './fixture.js';

const CORD = 1_000_000n;

const mining = forAllTests(() => startFixture());

const credit = (caller: ServiceName, userId: string, key: string, amountMicro: bigint) => {
  const source = key.slice(0, key.indexOf(':')) as Source;
  const request = { userId, key, source, amountMicro: amountMicro.toString(), reason: 'test' };
  return mining.backend.nats.request(creditRpc(caller), request, { timeoutMs: 15_000, userId });
};
const openBy = (request: { userId: string; discordCreatedAt: number; at: number }) =>
  mining.backend.nats.request(openAccount, request, { timeoutMs: 15_000 });
const refused = (type: string) => ({ status: 422, type });
const later = (type: string) => ({ status: 503, type });
const figure = async () => (await fetch(`${opsUrlOf(mining.replicas[0]?.url ?? '')}/metrics`)).text();

describe('a credit with a service’s password', () => {
  test.each<[string, ServiceName, (user: string) => string, bigint]>([
    ['a second compensation', 'rewards', (user) => `compensation:${user}:2`, 5_000n],
    ['a second reward of the badge', 'rewards', (user) => `cordclaim:again:${user}`, 10_000n],
    ['a claim of a period that does not exist', 'tasks', (user) => `task:x1:${user}:anything`, 10_000n],
    ['a check-in of another century', 'tasks', (user) => `checkin:${user}:1999-01-01:z`, 150n],
    ['a second welcome', 'auth', (user) => `welcome:${user}:2`, 100n],
    ['a second bonus of a newcomer', 'referrals', (user) => `refbonus:more:${user}`, 10n],
    ['a second bonus for one friend', 'referrals', (user) => `refwelcome:${user}:${'f'.repeat(32)}:2`, 86n],
    ['a bonus for being one’s own friend', 'referrals', (user) => `refwelcome:${user}:${user}`, 86n],
    ['a check-in of a day before the account', 'tasks', (user) => `checkin:${user}:2026-11-19`, 150n],
    ['the twentieth daily claim of a new account', 'tasks', (user) => `task:mine-1-hour:${user}:20`, 35n],
    ['a claim of a week long ago', 'tasks', (user) => `task:weekly-mining:${user}:2020-W01`, 200n],
  ])('is rejected under a made-up key: %s', async (_, caller, keyOf, amount) => {
    const { id } = await mining.newUser();
    await expect(credit(caller, id, keyOf(id), amount * CORD)).rejects.toMatchObject(refused('key-not-allowed'));
    expect(await mining.balanceMicro(id)).toBe(0n);
  });

  test.each<[string, ServiceName, (user: string) => string, bigint]>([
    ['a welcome above the account’s age', 'auth', (user) => `welcome:${user}`, 101n * CORD],
    ['a newcomer’s bonus above a tenth of it', 'referrals', (user) => `refbonus:${user}`, 11n * CORD],
    ['a task above the account’s tier', 'tasks', (user) => `task:a:${user}:once`, 10_001n * CORD],
    ['a check-in above the longest streak', 'tasks', (user) => `checkin:${user}:2026-11-21`, 150n * CORD + 1n],
    ['86 CORD and a little', 'referrals', (user) => `refwelcome:${user}:${'f'.repeat(32)}`, 86n * CORD + 1n],
    ['nothing', 'tasks', (user) => `task:a:${user}:once`, 0n],
    ['less than nothing', 'tasks', (user) => `task:a:${user}:once`, -1n],
  ])('is rejected above the limit of its source: %s', async (_, caller, keyOf, amountMicro) => {
    const { id } = await mining.newUser();
    await expect(credit(caller, id, keyOf(id), amountMicro)).rejects.toMatchObject(refused('amount-not-allowed'));
    expect(await mining.balanceMicro(id)).toBe(0n);
  });

  test.each<[string, ServiceName, string]>([
    ['key-not-allowed', 'rewards', 'cordclaim'],
    ['source-not-allowed', 'tasks', 'cordclaim'],
    ['source-not-allowed', 'auth', 'mining'],
  ])(
    'is counted by caller, source and reason when it is rejected, from 0 on: %s of %s',
    async (reason, caller, source) => {
      const { id } = await mining.newUser();
      const line = `cord_ledger_refused_total{caller="${caller}",source="${source}",reason="${reason}",service="mining"}`;
      const count = async () =>
        Number(
          (await figure())
            .split('\n')
            .find((one) => one.startsWith(line))
            ?.split(' ')
            .at(-1),
        );
      const before = await count();
      expect(before).toBeGreaterThanOrEqual(0);
      await expect(credit(caller, id, `${source}:${id}:2`, CORD)).rejects.toBeDefined();
      expect(await count()).toBe(before + 1);
    },
  );
});

describe('the limit of a source per user and day', () => {
  test('caps commission by amount: the total rises to the limit, and further the day after', async () => {
    const limitMicro = COMMISSION_STEP_MICRO + CORD;
    const own = await startFixture({ bounds: { dayLimits: { ...DAY_LIMITS, commission: { micro: limitMicro } } } });
    try {
      const { id } = await own.newUser();
      const report = async (totalMicro: bigint) =>
        BigInt(
          (
            await own.backend.nats.request(
              accrueCommissionRpc,
              { userId: id, totalMicro: totalMicro.toString() },
              { userId: id, timeoutMs: 15_000 },
            )
          ).totalMicro,
        );
      const wantedMicro = 3n * COMMISSION_STEP_MICRO;
      expect(await report(wantedMicro)).toBe(COMMISSION_STEP_MICRO);
      expect(await report(wantedMicro)).toBe(limitMicro);
      await expect(report(wantedMicro)).rejects.toMatchObject(later('ledger-day-limit'));
      expect(await report(limitMicro)).toBe(limitMicro);
      await own.clock.advance(DAY_MS);
      expect(await report(wantedMicro)).toBe(limitMicro + COMMISSION_STEP_MICRO);
      await own.audit();
    } finally {
      await own.stop();
    }
  });
});

describe('credits by honest callers', () => {
  test('count for check-ins of past days, and for a day ahead once the ledger’s clock reaches it', async () => {
    const { id } = await mining.newUser();
    const days = [0, 1, 2].map((n) => new Date(NOON_MS + n * DAY_MS).toISOString().slice(0, 10));
    const keyOf = (n: number) => `checkin:${id}:${days[n]}`;
    await expect(credit('tasks', id, keyOf(1), 55n * CORD)).rejects.toMatchObject(later('ledger-key-early'));
    await mining.clock.advance(2 * DAY_MS);
    for (const n of [2, 0, 1]) await credit('tasks', id, keyOf(n), 55n * CORD);
    expect(await mining.balanceMicro(id)).toBe(165n * CORD);
    await expect(credit('tasks', id, `checkin:${id}:2026-10-01`, 55n * CORD)).rejects.toMatchObject(
      refused('key-not-allowed'),
    );
    await mining.clock.advance(40 * DAY_MS);
    // What was credited is answered for ever.
    expect(await credit('tasks', id, keyOf(0), 55n * CORD)).toMatchObject({ replayed: true });
  });

  test.each([
    ['by sign-in', (userId: string, joinedAt: number) => openBy({ userId, discordCreatedAt: 0, at: joinedAt })],
    [
      'by the event alone',
      (userId: string, joinedAt: number) =>
        mining.publish(userRegistered, userId, 1, registered(joinedAt, { discordCreatedAt: 0 })),
    ],
  ])(
    'count a check-in for each day since the user joined, and none before, when the account opens later, %s',
    async (_, open) => {
      const id = randomId();
      const joinedMs = mining.clock.now() - 5 * DAY_MS;
      const keyOf = (days: number) => `checkin:${id}:${new Date(joinedMs + days * DAY_MS).toISOString().slice(0, 10)}`;
      const early = credit('tasks', id, keyOf(0), 55n * CORD);
      await expect(early).rejects.toMatchObject(later('ledger-unknown-user'));
      await open(id, joinedMs);
      await eventually(() => credit('tasks', id, keyOf(0), 55n * CORD));
      for (const day of [1, 4]) await credit('tasks', id, keyOf(day), 55n * CORD);
      await credit('tasks', id, `task:mine-1-hour:${id}:5`, 35n * CORD);
      expect(await mining.balanceMicro(id)).toBe(200n * CORD);
      await expect(credit('tasks', id, keyOf(-1), 55n * CORD)).rejects.toMatchObject(refused('key-not-allowed'));
    },
  );

  test('count for a claim of this week or the week before, and are deferred for the next week', async () => {
    const { id } = await mining.newUser();
    await mining.clock.advance(7 * DAY_MS);
    const nowMs = mining.clock.now();
    const keyOf = (ms: number) => `task:weekly-mining:${id}:${weekKey(ms)}`;
    await credit('tasks', id, keyOf(nowMs - 7 * DAY_MS), 200n * CORD);
    await credit('tasks', id, keyOf(nowMs), 200n * CORD);
    await expect(credit('tasks', id, keyOf(nowMs + 7 * DAY_MS), 200n * CORD)).rejects.toMatchObject(
      later('ledger-key-early'),
    );
  });

  test('are all accepted on the first day of an account', async () => {
    const { id } = await mining.newUser(8);
    const today = new Date(mining.clock.now()).toISOString().slice(0, 10);
    await credit('auth', id, `welcome:${id}`, 2_300n * CORD);
    await credit('referrals', id, `refbonus:${id}`, 230n * CORD);
    await credit('referrals', id, `refwelcome:${id}:${randomId()}`, 86n * CORD);
    await credit('rewards', id, `compensation:${id}`, 5_000n * CORD);
    await credit('rewards', id, `cordclaim:${id}`, 10_000n * CORD);
    await credit('tasks', id, `checkin:${id}:${today}`, 55n * CORD);
    await credit('tasks', id, `task:social-media-master:${id}:once`, 100_000n * CORD);
    await credit('tasks', id, `task:mine-1-hour:${id}:1`, 350n * CORD);
    await credit('tasks', id, `task:weekly-mining:${id}:${weekKey(mining.clock.now())}`, 2_000n * CORD);
    await mining.clock.advance(MINUTE_MS);
    await mining.audit();
  });
});
