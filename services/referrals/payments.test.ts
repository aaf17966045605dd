import { describe, expect, test } from 'vitest';
import { PAYER_BOUNDS } from './payer.js';
import { dropPayments } from './payments.js';
import { account, beginning, FRIEND, NOW_MS, paidTo, processOf, REFERRER, timePasses } from './test/world.js';

describe('a referrer as the release before left it', () => {
  const KEY = `commission:${REFERRER}:1`;
  const bonus = { key: 'refbonus:x', userId: REFERRER, source: 'refbonus' as const, amountMicro: 9n, reason: '' };
  const payment = { key: KEY, userId: REFERRER, source: 'commission' as const, amountMicro: 40n, reason: '' };
  const refusal = { refusal: 'source-not-allowed', message: '', parkedAtMs: 1 };
  const pending = { n: 1n, fromMicro: 0n, toMicro: 40n };
  const dueAt = NOW_MS;

  test.each([
    ['a payment pending that the ledger has never seen', 0n, { promised: [payment], promisedAt: 1, dueAt }, pending],
    ['a payment in the ledger whose answer was lost', 40n, { promised: [payment], promisedAt: 1, dueAt }, pending],
    ['a payment beside a bonus', 0n, { promised: [payment, bonus], promisedAt: 1, promisedSince: 1, dueAt }, pending],
    ['a payment parked, and no mark', 0n, { parked: [{ ...payment, ...refusal }], parkedAt: 1 }, pending],
    ['half paid, nothing pending', 40n, { dueAt }, null],
    ['more in the ledger than its own record says', 100n, { dueAt }, null],
  ])('%s: the total comes whole, once, to the micro-CORD', async (_name, inLedgerMicro, promises, pendingThen) => {
    const world = await beginning(PAYER_BOUNDS);
    const { books, store, dues, payer } = processOf(world);
    await books.takeAccount(FRIEND, account(2n, 1_009n));
    const found = world.disk.members.get(REFERRER);
    if (!found) throw new Error('no referrer');
    const { taken: _taken, toldAt: _told, dueAt: _due, ...member } = found;
    const paidMicro = pendingThen === null && inLedgerMicro > 0n ? 40n : 0n;
    const commission = { n: pendingThen ? 0n : 1n, paidMicro, pending: pendingThen };
    world.disk.members.set(REFERRER, { ...member, ...promises, commission });
    world.ledger.set(REFERRER, inLedgerMicro);

    await dropPayments(store, dues, 1);
    await payer.payDue();
    expect(paidTo(world, REFERRER)).toBe(100n);
    const after = world.disk.members.get(REFERRER);
    expect(after?.commission).toEqual({ paidMicro: 100n });
    const kept = 'promisedSince' in promises;
    expect([after?.promised, after?.parked, after?.parkedAt]).toEqual([
      kept ? [bonus] : undefined,
      undefined,
      undefined,
    ]);
    expect([after?.promisedAt, after?.promisedSince]).toEqual(kept ? [1, 1] : [undefined, undefined]);
    await books.takeAccount(FRIEND, account(3n, 1_010n));
    await timePasses(world);
    expect(paidTo(world, REFERRER)).toBe(101n);
  });

  test('an old replica that fixes one more payment beside this release: it goes, and the total comes once', async () => {
    const world = await beginning(PAYER_BOUNDS);
    const { books } = processOf(world);
    await books.takeAccount(FRIEND, account(2n, 1_000n));
    const member = world.disk.members.get(REFERRER);
    if (!member) throw new Error('no referrer');
    // As it writes: fixed and promised, the mark stands; the ledger refuses the single credit.
    const fixed = { ...member, promised: [payment], promisedAt: 1, commission: { n: 0n, paidMicro: 0n, pending } };
    world.disk.members.set(REFERRER, { ...fixed, seq: member.seq + 1n });
    await timePasses(world);
    expect(paidTo(world, REFERRER)).toBe(100n);
    expect(world.disk.members.get(REFERRER)?.promised).toBeUndefined();
  });
});
