import { describe, expect, it } from 'vitest';
import { creditOf, startCreditsFixture } from '../test/credits-fixture.js';
import { randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import type { ParkedPlace } from './documents.js';

const at = forAllTests(() => startCreditsFixture());

/** A document with parked credits, marked as `park` marks it: with the time of the first. */
async function parked(since: number, credits: number): Promise<string[]> {
  const userId = randomId();
  const made = Array.from({ length: credits }, (_, n) => ({
    ...creditOf(userId, n + 1),
    refusal: 'amount-not-allowed',
    message: 'Too much',
    parkedAtMs: since + n,
  }));
  await at.insert(userId, [], { parked: made, parkedAt: since });
  return made.map(({ key }) => key);
}

describe('the list of parked credits', () => {
  it('is read to its end page by page, each credit once, even within one document or one moment', async () => {
    const latest = await parked(3_000, 2);
    const together = [...(await parked(2_000, 3)), ...(await parked(2_000, 1)), ...(await parked(2_000, 2))].sort();
    const first = await parked(1_000, 1);
    const keeper = at.keeper();
    for (const limit of [1, 2, 4, 20]) {
      const keys: string[] = [];
      for (let after: ParkedPlace | null = null; ; ) {
        const page = (await keeper.parked({ after, limit })).slice(0, limit);
        keys.push(...page.map(({ key }) => key));
        const last = page.at(-1);
        if (!last) break;
        after = { since: last.since, key: last.key };
      }
      expect([limit, keys]).toEqual([limit, [...first, ...together, ...latest.sort()]]);
    }
  });

  it('removes a stale mark, and continues after it', async () => {
    const id = randomId();
    await at.insert(id, [], { parked: [], parkedAt: 500 });
    expect(await at.keeper().parked({ after: null, limit: 1 })).toMatchObject([{ since: 1_000 }]);
    expect(await at.holders().findOne({ _id: id })).not.toHaveProperty('parkedAt');
  });
});
