import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import { beforeEach, describe, expect, it } from 'vitest';
import { OUTBOX_AHEAD_MS_MAX } from '../bounds.js';
import { conflict, notFound, refused } from '../problem.js';
import { creditOf, startCreditsFixture } from '../test/credits-fixture.js';
import { randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { withoutOutbox } from './items.js';

const at = forAllTests(() => startCreditsFixture());
beforeEach(() => at.reset());

describe('credits in an outbox', () => {
  it('for an erased user are requested once, and nothing stays behind', async () => {
    const userId = randomId();
    const credit = creditOf(userId, 1);
    at.refusals.set(credit.key, notFound(ERASED_USER, 'User not found'));
    await at.insert(userId, [credit]);
    const keeper = at.keeper();
    await at.settleAll(keeper);
    await at.settleAll(keeper);
    expect(at.requested.get(credit.key)).toBe(1);
    expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, outbox: [] });
    expect(await keeper.parked({ after: null, limit: 10 })).toEqual([]);
  });

  it('with a next try set by a clock a day ahead are made at once; others wait for their time', async () => {
    const [ahead, waiting] = [creditOf(randomId(), 1), creditOf(randomId(), 1)];
    const nowMs = at.clock.now();
    await at.insert(ahead.userId, [ahead], { dirtyAt: nowMs + 86_400_000 });
    await at.insert(waiting.userId, [waiting], { dirtyAt: nowMs + OUTBOX_AHEAD_MS_MAX });
    expect(await at.keeper().sweepOnce()).toBe(1);
    expect([at.entries.has(ahead.key), at.entries.has(waiting.key)]).toEqual([true, false]);
  });

  it.each([conflict('key-conflict', 'Used before'), refused('amount-not-allowed', 'Too much')])(
    'that are permanently refused ($type) are parked with the reason, listed, and not requested again',
    async (refusal) => {
      const userId = randomId();
      const [bad, good] = [creditOf(userId, 1), creditOf(userId, 2)];
      at.refusals.set(bad.key, refusal);
      await at.insert(userId, [bad, good]);
      const keeper = at.keeper();
      await at.settleAll(keeper);
      await at.settleAll(keeper);
      expect([at.requested.get(bad.key), at.entries.has(good.key)]).toEqual([1, true]);
      expect(await keeper.parked({ after: null, limit: 10 })).toEqual([
        {
          ...bad,
          refusal: refusal.type,
          message: refusal.message,
          parkedAtMs: expect.any(Number),
          since: expect.any(Number),
        },
      ]);
      expect(await at.holders().findOne({ _id: userId })).not.toHaveProperty('dirtyAt');
    },
  );

  it('with a schema of a newer release stay unchanged, and block no others', async () => {
    const userId = randomId();
    const [newer, known] = [{ ...creditOf(userId, 1), schemaVersion: 2 }, creditOf(userId, 2)];
    await at.insert(userId, [newer, known]);
    const keeper = at.keeper();
    await at.settleAll(keeper);
    expect([at.requested.get(newer.key), at.entries.has(known.key)]).toEqual([undefined, true]);
    expect(await at.holders().findOne({ _id: userId })).toMatchObject({ outbox: [newer] });
  });

  it('that were parked are made on an admin’s retry when the ledger accepts them, and else parked again', async () => {
    const userId = randomId();
    const credit = creditOf(userId, 1);
    at.refusals.set(credit.key, refused('amount-not-allowed', 'Too much'));
    await at.insert(userId, [credit]);
    const keeper = at.keeper();
    expect(await keeper.settle(userId, credit)).toBeNull();
    expect(await keeper.retryParked(credit.key)).toBe('parked');
    at.refusals.set(credit.key, 'away');
    expect(await keeper.retryParked(credit.key)).toBe('pending');
    at.refusals.clear();
    expect(await keeper.retryParked(credit.key)).toBeNull();
    await at.settleAll(keeper);
    expect(at.entries.get(credit.key)).toBe(credit.amountMicro);
    expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, outbox: [], parked: [] });
  });

  it('are requested with growing delays while the ledger is away, and keep their age', async () => {
    const userId = randomId();
    const credit = creditOf(userId, 1);
    at.refusals.set(credit.key, 'away');
    const sinceMs = at.clock.now();
    await at.insert(userId, [credit]);
    const keeper = at.keeper();
    const requests: number[] = [];
    for (let second = 0; second < 180; second++) {
      await at.clock.advance(1_000);
      await keeper.sweepOnce();
      requests.push(at.requested.get(credit.key) ?? 0);
    }
    const gaps = waitsBetween(requests);
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    expect(gaps.at(-1)).toBe(60);
    expect((await at.holders().findOne({ _id: userId }))?.dirtyAt).toBe(sinceMs);
    at.refusals.clear();
    await at.settleAll(keeper);
    expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, outbox: [] });
  });

  it.each([1, 256])('are made although %i documents with stale marks come before them', async (orphans) => {
    for (let n = 0; n < orphans; n++) await at.insert(randomId(), []);
    const userId = randomId();
    await at.clock.advance(1);
    await at.insert(userId, [creditOf(userId, 1)]);
    const keeper = at.keeper({ batch: orphans });
    await at.settleAll(keeper);
    await keeper.sweepOnce();
    expect(at.entries.size).toBe(1);
    expect(await at.holders().countDocuments({ dirtyAt: { $gt: 0 } })).toBe(0);
  });

  it('of a full batch that fail do not block the next batch', async () => {
    const failing = randomId();
    at.refusals.set(creditOf(failing, 1).key, 'away');
    await at.insert(failing, [creditOf(failing, 1)]);
    await at.clock.advance(1);
    const userId = randomId();
    await at.insert(userId, [creditOf(userId, 1)]);
    const keeper = at.keeper({ batch: 1 });
    keeper.start();
    await at.clock.advance(60_000);
    await keeper.stop();
    expect(at.entries.has(creditOf(userId, 1).key)).toBe(true);
  });

  it('leave nothing in an erased document', () => {
    const credit = creditOf(randomId(), 1);
    const parked = [{ ...credit, refusal: 'x', message: 'x', parkedAtMs: 1 }];
    const owing = { _id: 'a', outbox: [credit], dirtyAt: 1, parked, parkedAt: 1 };
    expect(withoutOutbox(owing)).toEqual({ _id: 'a' });
  });
});

/** Seconds between two requests, from the number of requests after each second. */
function waitsBetween(requests: number[]): number[] {
  const times = requests.flatMap((count, second) => (count > (requests[second - 1] ?? 0) ? [second] : []));
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}
