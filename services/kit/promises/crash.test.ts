import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Keeper,
  type Kill,
  type PromisesFixture,
  promise,
  startPromisesFixture,
} from '../test/promises-fixture.js';
import { randomId } from '../testing/index.js';

let at: PromisesFixture;
beforeAll(async () => {
  at = await startPromisesFixture();
});
afterAll(() => at.stop());
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

/** Every promise was credited once and noted, and the document holds no mark. */
async function expectKept(userId: string, credits: number): Promise<void> {
  const expected = Array.from({ length: credits }, (_, n) => promise(userId, n + 1));
  expect(Object.fromEntries(at.entries)).toEqual(
    Object.fromEntries(expected.map(({ key, amountMicro }) => [key, amountMicro])),
  );
  expect([...at.noted].sort()).toEqual(expected.map(({ key }) => key).sort());
  expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, promised: [] });
}

describe('promised credits, killed at any step', () => {
  it.each([1, 3])('%i of one document, settled at once: each stands once and no mark stays', async (credits) => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      const promised = Array.from({ length: credits }, (_, n) => promise(userId, n + 1));
      await at.insert(userId, promised);
      const first = at.keeper({ kill });
      for (const credit of promised) await first.settle(userId, credit);
      await at.settleAll(at.keeper());
      await expectKept(userId, credits);
      return first;
    });
  });

  it('in a sweep, with the smallest batch: the next process makes up for it', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      await at.insert(userId, [promise(userId, 1), promise(userId, 2)]);
      await at.clock.advance(5_000);
      const first = at.keeper({ kill, batch: 1 });
      await first.sweepOnce().catch(() => undefined);
      await at.settleAll(at.keeper({ batch: 1 }));
      await expectKept(userId, 2);
      return first;
    });
  });

  it('twice in a row: still nothing is lost or doubled', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      await at.insert(userId, [promise(userId, 1), promise(userId, 2)]);
      const first = at.keeper({ kill });
      await first.settle(userId, promise(userId, 1));
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

  it('while a refusal is parked: it is parked once, with the promise or without it never', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      const credit = promise(userId, 1);
      at.entries.set(credit.key, 7n);
      await at.insert(userId, [credit]);
      const first = at.keeper({ kill });
      await first.settle(userId, credit);
      const between = await at.holders().findOne({ _id: userId });
      expect((between?.promised ?? []).length + (between?.parked ?? []).length).toBe(1);
      await at.settleAll(at.keeper());
      const left = await at.holders().findOne({ _id: userId });
      expect(left).toMatchObject({ promised: [], parked: [{ ...credit, refusal: 'key-conflict' }] });
      expect(left).not.toHaveProperty('promisedAt');
      return first;
    });
  });

  it('while an admin tries a parked one again: it is parked or promised, and stands once in the end', async () => {
    await killedAtEveryStep(async (kill) => {
      const userId = randomId();
      const credit = promise(userId, 1);
      const parked = { ...credit, refusal: 'amount-not-allowed', message: 'Too much', parkedAtMs: at.clock.now() };
      await at.holders().insertOne({ _id: userId, promised: [], parked: [parked], parkedAt: at.clock.now() });
      const first = at.keeper({ kill });
      await first.retryParked(credit.key).catch(() => undefined);
      const next = at.keeper();
      await next.retryParked(credit.key);
      await at.settleAll(next);
      expect(at.entries.get(credit.key)).toBe(credit.amountMicro);
      expect(await at.holders().findOne({ _id: userId })).toEqual({ _id: userId, promised: [], parked: [] });
      return first;
    });
  });

  it('a lost answer of the ledger is asked for again under the same key, and is the same credit', async () => {
    const userId = randomId();
    await at.insert(userId, [promise(userId, 1)]);
    const first = at.keeper({ kill: { step: 0, when: 'after' } });
    expect(await first.settle(userId, promise(userId, 1))).toBeNull();
    expect(at.entries.size).toBe(1);
    await at.settleAll(at.keeper());
    expect(at.asked.get(promise(userId, 1).key)).toBe(2);
    await expectKept(userId, 1);
  });

  it('two settles of one document at once, each before the other has seen it: no mark stays behind', async () => {
    const userId = randomId();
    await at.insert(userId, [promise(userId, 1), promise(userId, 2)]);
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
    await Promise.all([keeper.settle(userId, promise(userId, 1)), keeper.settle(userId, promise(userId, 2))]);
    await expectKept(userId, 2);
  });
});
