import { balanceChanged } from '@cord/contracts/events/balance';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { accountRpc, openAccount } from '@cord/contracts/rpc/ledger';
import { dayKey } from '@cord/contracts/rules/days';
import { call, randomId } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { registered, serveRegistrations } from '@cord/kit/testing/registered';
import { describe, expect, test } from 'vitest';
import { DAY_MS, eventually, MINUTE_MS, startFixture } from './test/fixture.js';

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
  test('an epoch that begins during a session changes the rate, exact to the millisecond', async () => {
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

  test('a table stored by another replica is used from the next step on', async () => {
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

  test('an erased user keeps the ledger entries, earns nothing more, and leaves no event in the streams', async () => {
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
  test('a credit publishes the whole state at once', async () => {
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
});

describe('requests to the ledger', () => {
  test('opening an account is idempotent and keeps the existing balance', async () => {
    const user = await mining.newUser();
    await mining.credit(user.id, 'task', `task:a:${user.id}:once`, 5n);
    const again = await mining.backend.nats.request(openAccount, { userId: user.id, discordCreatedAt: 0, at: 0 });
    expect(again.created).toBe(false);
    expect(await mining.balanceMicro(user.id)).toBe(5n);
  });

  test('a caller may credit only its own sources, within its limit, under keys that name source and user', async () => {
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
    for (const bad of ['task:other', `checkin:${user.id}`, `task:${randomId()}`, `welcome:${user.id}`]) {
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

  test('a credit before the account is open gets 503, and the same key credits once it is open', async () => {
    const userId = randomId();
    const credit = () => mining.credit(userId, 'task', `task:a:${userId}:once`, 5n);
    await expect(credit()).rejects.toMatchObject({ status: 503, type: 'ledger-unknown-user' });
    await mining.backend.nats.request(openAccount, { userId, discordCreatedAt: 0, at: 0 });
    expect(await credit()).toBe(5n);
    expect(await mining.balanceMicro(userId)).toBe(5n);
  });

  test('the first call or credit, ahead of every event, opens the account once with the registration from auth', async () => {
    const [caller, credited] = [randomId(), randomId()];
    const state = registered(mining.clock.now(), { discordCreatedAt: 7 });
    const auth = stopAfterTest(
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

  test('an account erased before it was open cannot be opened by a later event or request', async () => {
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
