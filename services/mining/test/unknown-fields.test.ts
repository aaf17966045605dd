import { badgePurchased } from '@cord/contracts/events/rewards';
import { anticheatAssessed, userErased } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { accrueCommissionRpc } from '@cord/contracts/rpc/ledger';
import { documentSchema } from '@cord/kit/document-schema';
import { Problem } from '@cord/kit/problem';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { writeAsNewer } from '@cord/kit/testing/unknown-fields';
import { expect, test } from 'vitest';
import type { AccountDoc } from '../store/collections.js';
import { createLedgerStore } from '../store/ledger-store.js';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture, type TestUser } from './fixture.js';

const mining = forAllTests(() => startFixture());

/** Everything that changes documents of a user, and of the service. @param n of how many times it was done before */
async function useAll(user: TestUser, n: number): Promise<void> {
  const { id } = await user.start();
  await mining.clock.advance(MINUTE_MS);
  await user.save(id);
  await mining.credit(user.id, 'task', `task:t${n}:${user.id}:once`, 5n);
  await accrueCommission(user.id, n * 10 + 5);
  await mining.clock.advance(MINUTE_MS);
  await mining.publish(anticheatAssessed, user.id, n + 1, assessed({ factorHundredths: 75 + n }));
  const stored = () => mining.stored.accounts.findOne({ _id: user.id });
  await eventually(async () => expect((await stored())?.factors.antiCheatSeq).toBe(BigInt(n + 1)));
  await mining.clock.advance(2 * HOUR_MS);
  await accrueCommission(user.id, n * 10 + 9);
  await user.call(api.current);
  await user.call(api.deactivate);
  const epoch = { id: 'a', name: 'A', description: '', multiplierHundredths: 100, startAt: 1, endAt: 2 };
  expect(await mining.handEpochs(n + 1, [epoch])).toBe('stored');
}

const accrueCommission = (userId: string, micro: number) =>
  mining.backend.nats.request(
    accrueCommissionRpc,
    { userId, totalMicro: String(micro) },
    { userId, timeoutMs: 15_000 },
  );

test('fields of a newer release in a document survive every change to it', async () => {
  const user = await mining.newUser(3);
  await useAll(user, 0);
  await mining.clock.advance(DAY_MS);
  await useAll(user, 1);
  const newer = await writeAsNewer(mining.backend, 'mining', {
    pass: () => mining.clock.advance(6_000),
    final: ['entries'],
    except: {
      epochs: 'a copy of the table that rewards owns, made anew of each request',
      streams: 'where publishing is',
    },
  });
  expect(newer.collections).toEqual(['accounts', 'days', 'entries', 'sessions']);
  await useAll(user, 2);
  await mining.clock.advance(DAY_MS);
  await useAll(user, 3);
  await mining.publish(badgePurchased, user.id, 1, { orderId: 'o', purchasedAt: 1, transaction: 't' });
  await eventually(async () =>
    expect((await mining.stored.accounts.findOne({ _id: user.id }))?.factors.badge).toBe(true),
  );
  // After a crash of the relay a day goes out once more.
  const days = await mining.stored.days.find({ userId: user.id }).toArray();
  const again = days.map(({ userId, dayKey, bySource, ranMs }) => ({ userId, dayKey, bySource, ranMs }));
  await createLedgerStore(mining.store).putDays(again);
  expect(await newer.lost()).toEqual([]);
  await mining.publish(userErased, user.id, 9, {});
  await eventually(async () =>
    expect((await mining.stored.accounts.findOne({ _id: user.id }))?.erasedAtMs).not.toBeNull(),
  );
  expect(await newer.lost()).toEqual([]);
  await eventually(async () => expect(await newer.changed()).toEqual(expect.arrayContaining(['accounts', 'sessions'])));
});

test('an account with a newer schema gets 503 with its version, and nothing of it is written', async () => {
  const user = await mining.newUser();
  const { id } = await user.start();
  await user.call(api.deactivate);
  const newer = { $set: { schemaVersion: 2 }, $inc: { seq: 1 } };
  await eventually(async () => {
    const { matchedCount } = await mining.stored.accounts.updateOne(
      { _id: user.id, dirtyAt: { $exists: false } },
      newer,
    );
    expect(matchedCount).toBe(1);
  });
  const stored = await mining.stored.accounts.findOne({ _id: user.id });
  await mining.clock.advance(MINUTE_MS);
  const refused = await user.call(api.save, { params: { id: user.id, sessionId: id }, body: {} } as never);
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({
    type: 'newer-document',
    error: expect.stringContaining('account is of schema 2'),
  });
  await expect(mining.credit(user.id, 'task', `task:t:${user.id}:once`, 5n)).rejects.toBeInstanceOf(Error);
  expect(await mining.stored.accounts.findOne({ _id: user.id })).toEqual(stored);
});

test('a schema upgrade is stored before anything is built on it', async () => {
  const user = await mining.newUser();
  const schema = documentSchema<AccountDoc>('account', (doc) => ({ ...doc, announceNextMs: 7 }));
  const store = createLedgerStore(mining.store, { schema });
  expect(await store.read(user.id)).toMatchObject({ userId: user.id, announceNextMs: 7 });
  const stored = await mining.stored.accounts.findOne({ _id: user.id });
  expect(stored).toMatchObject({ schemaVersion: 2, announceNextMs: 7 });
  await expect(createLedgerStore(mining.store).read(user.id)).rejects.toBeInstanceOf(Problem);
});
