import { beforeEach, describe, expect, it } from 'vitest';
import { creditOf, type Keeper, type Kill, startCreditsFixture } from '../test/credits-fixture.js';
import { randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';

const at = forAllTests(() => startCreditsFixture());
beforeEach(() => at.reset());

/** More than any life below takes. */
const STEPS_MAX = 40;

/** Runs a life killed before and after each of its steps in turn, until one comes to its end. */
async function killedAtEveryStep(life: (kill: Kill | undefined) => Promise<Keeper>): Promise<void> {
  for (const when of ['before', 'after'] as const) {
    for (let step = 0; ; step++) {
      expect(step).toBeLessThan(STEPS_MAX);
      await at.reset();
      if (!(await life({ step, when })).wasKilled()) break;
    }
  }
}

/** Every credit was credited once and noted, and the document holds no mark. */
async function expectKept(userId: string, credits: number): Promise<void> {
  const expected = Array.from({ length: credits }, (_, n) => creditOf(userId, n + 1));
  expect(Object.fromEntries(at.entries)).toEqual(
    Object.fromEntries(expected.map(({ key, amountMicro }) => [key, amountMicro])),
  );
  expect([...at.noted].sort()).toEqual(expected.map(({ key }) => key).sort());
  expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, outbox: [] });
}

describe('credits in an outbox, killed at any step', () => {
  it.each([1, 3])('%i of one document, settled at once, are credited once each and leave no mark', async (credits) => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      const made = Array.from({ length: credits }, (_, n) => creditOf(userId, n + 1));
      await at.insert(userId, made);
      const first = at.keeper({ kill });
      for (const credit of made) await first.settle(userId, credit);
      await at.settleAll(at.keeper());
      await expectKept(userId, credits);
      return first;
    });
  });

  it('lose and duplicate nothing when killed twice in a row', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      await at.insert(userId, [creditOf(userId, 1), creditOf(userId, 2)]);
      const first = at.keeper({ kill });
      await first.settle(userId, creditOf(userId, 1));
      await at.clock.advance(120_000);
      await at
        .keeper({ kill })
        .sweepOnce()
        .catch(() => undefined);
      await at.settleAll(at.keeper());
      await expectKept(userId, 2);
      return first;
    });
  });

  it('are parked once after a refusal, in the outbox or among the parked, never in both', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      const credit = creditOf(userId, 1);
      at.entries.set(credit.key, 7n);
      await at.insert(userId, [credit]);
      const first = at.keeper({ kill });
      await first.settle(userId, credit);
      const between = await at.holders().findOne({ _id: userId });
      expect((between?.outbox ?? []).length + (between?.parked ?? []).length).toBe(1);
      await at.settleAll(at.keeper());
      const left = await at.holders().findOne({ _id: userId });
      expect(left).toMatchObject({ outbox: [], parked: [{ ...credit, refusal: 'key-conflict' }] });
      expect(left).not.toHaveProperty('dirtyAt');
      return first;
    });
  });

  it('retried by an admin are parked or in the outbox, and credited once in the end', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      const credit = creditOf(userId, 1);
      const parked = { ...credit, refusal: 'amount-not-allowed', message: 'Too much', parkedAtMs: at.clock.now() };
      await at.holders().insertOne({ _id: userId, outbox: [], parked: [parked], parkedAt: at.clock.now() });
      const first = at.keeper({ kill });
      await first.retryParked(credit.key).catch(() => undefined);
      const next = at.keeper();
      await next.retryParked(credit.key);
      await at.settleAll(next);
      expect(at.entries.get(credit.key)).toBe(credit.amountMicro);
      expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, outbox: [], parked: [] });
      return first;
    });
  });

  it('leave no mark after two concurrent settles of one document', async () => {
    const userId = randomId();
    await at.insert(userId, [creditOf(userId, 1), creditOf(userId, 2)]);
    let both: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => {
      both = resolve;
    });
    // The first write of each waits for the other's.
    const beforeWrite = async (n: number) => {
      if (n === 1) both();
      if (n < 2) await looked;
    };
    const keeper = at.keeper({ beforeWrite });
    await Promise.all([keeper.settle(userId, creditOf(userId, 1)), keeper.settle(userId, creditOf(userId, 2))]);
    await expectKept(userId, 2);
  });
});
