import { balanceChanged } from '@cord/contracts/events/balance';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { anticheatAssessed, userErased, userRegistered } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { accountRpc, creditRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { dayKey } from '@cord/contracts/rules/days';
import type { Problem } from '@cord/kit/problem';
import { call, randomId } from '@cord/kit/testing/index';
import { forAllTests, untilTestEnds } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { registered, serveRegistrations } from '@cord/kit/testing/registered';
import { describe, expect, test } from 'vitest';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture } from './test/fixture.js';

const mining = forAllTests(() => startFixture());

const iso = (ms: number) => new Date(ms).toISOString();

async function account(userId: string) {
  const found = await mining.backend.nats.request(accountRpc, { userId });
  if (!found) throw new Error('no such account');
  return found;
}

async function announced(userId: string) {
  const message = await mining.backend.nats.jsm.streams.getMessage('CORD_BALANCE', {
    last_by_subj: `cord.balance.v1.changed.${userId}`,
  });
  return balanceChanged.schema.parse(message?.json());
}

describe('events of other services', () => {
  test('a badge in the middle of a session pays the old rate up to it and 5 % more after it', async () => {
    const user = await mining.newUser();
    await user.start();
    await mining.clock.advance(MINUTE_MS);
    await mining.publish(badgePurchased, user.id, 1, {
      orderId: 'o1',
      purchasedAt: mining.clock.now(),
      transaction: 't',
    });
    await eventually(async () =>
      expect((await account(user.id)).factors).toMatchObject({ badge: true, rateNano: '525000000' }),
    );
    await mining.clock.advance(MINUTE_MS);
    expect(await mining.balanceMicro(user.id)).toBe(1_025_000n);
    const { entries } = (await user.call(api.ledger)).body;
    expect(entries.map(({ amount, reason }) => [amount, reason])).toEqual([[0.5, 'Mining at 0.5 CORD/min']]);
  });

  test('a penalty holds from its event on, and an older assessment does not come back', async () => {
    const user = await mining.newUser();
    await user.start();
    await mining.clock.advance(MINUTE_MS);
    await mining.publish(anticheatAssessed, user.id, 7, assessed({ factorHundredths: 50 }));
    await eventually(async () => expect((await account(user.id)).factors.antiCheatHundredths).toBe(50));
    await mining.publish(anticheatAssessed, user.id, 6, assessed({ factorHundredths: 100 }));
    await mining.publish(badgePurchased, user.id, 8, {
      orderId: 'o2',
      purchasedAt: mining.clock.now(),
      transaction: 't',
    });
    await eventually(async () => expect((await account(user.id)).factors.badge).toBe(true));
    expect((await account(user.id)).factors.antiCheatHundredths).toBe(50);
    await mining.clock.advance(MINUTE_MS);
    expect(await mining.balanceMicro(user.id)).toBe(500_000n + 262_500n);
    const session = (await user.call(api.current)).body;
    expect(session).toMatchObject({ efficiency: 50, factors: { antiCheat: 0.5, badge: true } });
  });

  test('an epoch that begins in the middle of a session is integrated, to the millisecond', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    const startAt = mining.clock.now() + 90_000;
    const beta = {
      id: 'beta',
      name: 'Beta',
      description: '',
      multiplierHundredths: 110,
      startAt,
      endAt: startAt + 15 * DAY_MS,
    };
    await mining.handEpochs(2, [beta]);
    // Present beforehand in each answer with the rate, so that no request comes in between.
    const begins = { rateUntil: iso(startAt), nextFactors: { epoch: 1.1, epochId: 'beta', tier: 1 } };
    await eventually(async () => expect((await user.call(api.rate)).body).toMatchObject(begins));
    expect((await user.call(api.current)).body).toMatchObject(begins);
    expect(await user.save(session.id)).toMatchObject({ rateUntil: iso(startAt), session: begins });
    await mining.clock.advance(3 * MINUTE_MS);
    const saved = await user.save(session.id);
    expect(saved.rateUntil).toBe(iso(beta.endAt));
    expect(saved.newBalance).toBe(0.75 + 0.825);
    expect(saved.session?.factors).toMatchObject({ epoch: 1.1, epochId: 'beta' });
    expect(saved.updatedUser).toMatchObject({ currentEpochId: 'beta', totalEpochEarnings: 0.825 });
    expect(await mining.handEpochs(1, [])).toBe('stored');
    expect(await mining.handEpochs(3, [])).toBe('late');
    expect(await mining.handEpochs(4, [{ ...beta, endAt: mining.clock.now() + MINUTE_MS }])).toBe('stored');
    await mining.clock.advance(MINUTE_MS);
    expect((await account(user.id)).factors.epochHundredths).toBe(100);
  });

  test('a table that another replica has stored is read from there, and holds from the next step on', async () => {
    const own = await startFixture({ bounds: { epochsAgeMs: 0 } });
    try {
      const user = await own.newUser();
      const session = await user.start();
      const startAt = own.clock.now() + MINUTE_MS;
      const epoch = { id: 'cut-off', name: 'Cut off', multiplierHundredths: 200, startAt, endAt: startAt + DAY_MS };
      await own.stored.epochs.updateOne(
        { _id: 'table' },
        { $set: { version: 99n, epochs: [epoch] } },
        { upsert: true },
      );
      await own.clock.advance(2 * MINUTE_MS);
      expect((await user.save(session.id)).newBalance).toBe(0.5 + 1);
    } finally {
      await own.stop();
    }
  });

  test('a registration opens the account when the request for it was lost', async () => {
    const userId = randomId();
    const nowMs = mining.clock.now();
    const late = registered(nowMs, { username: 'late', discordCreatedAt: nowMs - 1, welcomeMicro: '100000000' });
    await mining.publish(userRegistered, userId, 1, late);
    await eventually(async () => expect((await account(userId)).balance).toBe('0'));
  });

  test('an erased user keeps the entries, earns nothing more, and leaves no event behind', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    await mining.clock.advance(MINUTE_MS);
    await user.call(api.stopB);
    await user.start();
    await mining.clock.advance(MINUTE_MS);
    await eventually(async () => expect(await mining.stored.sessions.findOne({ _id: session.id })).not.toBeNull());
    await eventually(() => announced(user.id));
    await mining.publish(userErased, user.id, 9, {});
    const stored = await eventually(async () => {
      const doc = await mining.stored.accounts.findOne({ _id: user.id });
      expect(doc?.erasedAtMs).not.toBeNull();
      expect(doc?.outbox).toEqual([]);
      return doc;
    });
    expect(stored?.factors.discordCreatedAtMs).toBe(0);
    expect(stored?.balanceMicro).toBe(1_000_000n);
    await eventually(async () => expect(await mining.stored.sessions.countDocuments({ userId: user.id })).toBe(0));
    const { streams } = mining.backend.nats.jsm;
    for (const [stream, thing] of [
      ['CORD_BALANCE', 'balance'],
      ['CORD_NODES', 'node'],
    ] as const) {
      await eventually(async () => {
        const { state } = await streams.info(stream, { subjects_filter: `cord.${thing}.v1.*.${user.id}` });
        expect(state.subjects ?? {}).toEqual({});
      });
    }
    const late = mining.credit(user.id, 'task', `task:t:${user.id}:once`, 1n);
    await expect(late).rejects.toMatchObject({ status: 404, type: 'erased-user' });
    expect((await user.call(api.start)).status).toBe(404);
    await mining.audit();
  });
});

describe('events of mining', () => {
  test('a credit is announced at once with the whole state', async () => {
    const user = await mining.newUser();
    await user.start();
    await mining.clock.advance(MINUTE_MS);
    await mining.credit(user.id, 'checkin', `checkin:${user.id}:${dayKey(mining.clock.now())}`, 55_000_000n);
    const event = await eventually(async () => {
      const state = await announced(user.id);
      expect(state.balance).toBe('55500000');
      return state;
    });
    expect(event).toMatchObject({
      total: '55500000',
      bySource: { mining: '500000', checkin: '55000000' },
      day: { micro: '55500000', miningMicro: '500000' },
      node: { status: 'active', rateNano: '500000000', ranMs: MINUTE_MS },
    });
    expect(BigInt(event.seq)).toBe(BigInt((await account(user.id)).seq));
  });

  test('mining alone is announced at most once in thirty seconds, and the newest state in the end', async () => {
    const user = await mining.newUser();
    const { id } = await user.start();
    const seen: string[] = [];
    const sub = mining.backend.nats.nc.subscribe(`cord.balance.v1.changed.${user.id}`, {
      callback: (_, message) => {
        seen.push(message.json<{ balance: string }>().balance);
      },
    });
    for (let n = 0; n < 12; n += 1) {
      await mining.clock.advance(10_000);
      await user.save(id);
    }
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(3));
    await user.call(api.stopB);
    await eventually(() => expect(seen.at(-1)).toBe('1000000'));
    expect(seen.length).toBeLessThanOrEqual(6);
    sub.unsubscribe();
  });
});

describe('the ledger’s requests', () => {
  test('open is idempotent and keeps what stands', async () => {
    const user = await mining.newUser();
    await mining.credit(user.id, 'task', `task:a:${user.id}:once`, 5n);
    const again = await mining.backend.nats.request(openAccount, { userId: user.id, discordCreatedAt: 0, at: 0 });
    expect(again.created).toBe(false);
    expect(await mining.balanceMicro(user.id)).toBe(5n);
  });

  test('the same key credits once, and another amount under it is refused', async () => {
    const user = await mining.newUser();
    const key = `task:a:${user.id}:once`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => mining.credit(user.id, 'task', key, 7_000_000n)),
    );
    expect(new Set(answers)).toEqual(new Set([7_000_000n]));
    await mining.clock.advance(HOUR_MS);
    const request = { userId: user.id, key, source: 'task' as const, amountMicro: '7000000', reason: 'test' };
    expect(await mining.backend.nats.request(creditRpc('tasks'), request)).toMatchObject({
      replayed: true,
      amountMicro: '7000000',
    });
    await expect(mining.credit(user.id, 'task', key, 8_000_000n)).rejects.toMatchObject({
      status: 409,
      type: 'key-conflict',
    });
    expect(await mining.balanceMicro(user.id)).toBe(7_000_000n);
  });

  test('a caller may credit its own sources only, within its limit, under keys that name source and user', async () => {
    const user = await mining.newUser();
    const key = (source: string) => `${source}:${user.id}`;
    for (const [source, amount, caller, type] of [
      ['welcome', 1n, 'tasks', 'source-not-allowed'],
      ['mining', 1n, 'tasks', 'source-not-allowed'],
      ['task', 1n, 'auth', 'source-not-allowed'],
      ['checkin', 150_000_001n, 'tasks', 'amount-not-allowed'],
      ['checkin', 0n, 'tasks', 'amount-not-allowed'],
      ['checkin', -1n, 'tasks', 'amount-not-allowed'],
    ] as const) {
      await expect(mining.credit(user.id, source, key(source), amount, caller)).rejects.toMatchObject({
        status: 422,
        type,
      });
    }
    for (const bad of ['task:other', `checkin:${user.id}`, `task:${randomId()}`]) {
      await expect(mining.credit(user.id, 'task', bad, 1n)).rejects.toMatchObject({
        status: 422,
        type: 'key-not-allowed',
      });
    }
    await expect(mining.credit(randomId(), 'task', `task:a:${user.id}:once`, 1n)).rejects.toMatchObject({
      type: 'key-not-allowed',
    });
    const unknown = randomId();
    await expect(mining.credit(unknown, 'task', `task:a:${unknown}:once`, 1n)).rejects.toMatchObject({
      status: 503,
      type: 'ledger-unknown-user',
    });
    expect(await mining.balanceMicro(user.id)).toBe(0n);
  });

  test('a credit that comes before the account is open is one for later: the same key credits once it is', async () => {
    const userId = randomId();
    const credit = () => mining.credit(userId, 'task', `task:a:${userId}:once`, 5n);
    await expect(credit()).rejects.toMatchObject({ status: 503, type: 'ledger-unknown-user' });
    await mining.backend.nats.request(openAccount, { userId, discordCreatedAt: 0, at: 0 });
    expect(await credit()).toBe(5n);
    expect(await mining.balanceMicro(userId)).toBe(5n);
  });

  test('a first call or credit ahead of every event opens the account by what auth answers, once', async () => {
    const [caller, credited] = [randomId(), randomId()];
    const state = registered(mining.clock.now(), { discordCreatedAt: 7 });
    const auth = untilTestEnds(
      await serveRegistrations(mining.backend.nats, (id) => ([caller, credited].includes(id) ? state : null)),
    );
    const token = await mining.signer.sign(caller, { nowMs: mining.clock.now() });
    const url = mining.replicas[0]?.url ?? '';
    expect((await call(url, api.start, { params: { id: caller }, token })).status).toBe(200);
    expect(await mining.credit(credited, 'task', `task:a:${credited}:once`, 5n)).toBe(5n);
    for (const userId of [caller, credited]) {
      expect((await mining.stored.accounts.findOne({ _id: userId }))?.factors.discordCreatedAtMs).toBe(7);
      await mining.publish(userRegistered, userId, 1, { ...state, discordCreatedAt: 8 });
    }
    expect(auth.requested).toEqual([caller, credited]);
    const stranger = randomId();
    await expect(mining.credit(stranger, 'task', `task:a:${stranger}:once`, 1n)).rejects.toMatchObject({
      status: 503,
      type: 'ledger-unknown-user',
    });
    expect(await mining.stored.accounts.findOne({ _id: stranger })).toBeNull();
  });

  test('of who is erased before auth answers a first call the account opens closed, and stays so', async () => {
    const userId = randomId();
    let answer: (state: ReturnType<typeof registered>) => void = () => undefined;
    const auth = untilTestEnds(
      await serveRegistrations(mining.backend.nats, () => new Promise((resolve) => (answer = resolve))),
    );
    const credit = () => mining.credit(userId, 'task', `task:a:${userId}:once`, 5n);
    const first = credit().then(
      () => null,
      (err: Problem) => err,
    );
    await eventually(async () => expect(auth.requested).toEqual([userId]));
    await mining.publish(userErased, userId, 2, {});
    await eventually(async () => {
      expect((await mining.stored.accounts.findOne({ _id: userId }))?.erasedAtMs).toEqual(expect.any(Number));
    });
    answer(registered(mining.clock.now(), { discordCreatedAt: 7 }));
    // On a busy machine the answer comes too late for the first credit.
    expect(['erased-user', 'ledger-unknown-user']).toContain((await first)?.type);
    await expect(credit()).rejects.toMatchObject({ status: 404, type: 'erased-user' });
    expect((await mining.stored.accounts.findOne({ _id: userId }))?.factors.discordCreatedAtMs).toBe(0);
  });

  test('of who is erased before the account is open nothing opens it any more', async () => {
    const userId = randomId();
    await mining.publish(userErased, userId, 2, {});
    await eventually(async () => {
      expect((await mining.stored.accounts.findOne({ _id: userId }))?.erasedAtMs).toEqual(expect.any(Number));
    });
    const late = registered(mining.clock.now(), { username: 'late', welcomeMicro: '100000000' });
    await mining.publish(userRegistered, userId, 1, late);
    await mining.backend.nats.request(openAccount, { userId, discordCreatedAt: 7, at: 0 });
    const credit = mining.credit(userId, 'task', `task:a:${userId}:once`, 5n);
    await expect(credit).rejects.toMatchObject({ status: 404, type: 'erased-user' });
    expect((await mining.stored.accounts.findOne({ _id: userId }))?.factors.discordCreatedAtMs).toBe(0);
  });
});
