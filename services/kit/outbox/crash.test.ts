import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Nats } from '../nats.js';
import { item, startOutboxFixture } from '../test/outbox-fixture.js';
import { randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';

const at = forAllTests(() => startOutboxFixture());
beforeEach(() => at.reset());

describe('a crash at any point', () => {
  type Step = { do: 'write' | 'relay' | 'sweep'; crash: 'before publish' | 'after publish' | 'after entry' | 'never' };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('write', 'write', 'relay', 'sweep'),
    crash: fc.constantFrom('never', 'never', 'before publish', 'after publish', 'after entry'),
  });

  it('loses and duplicates nothing, and the document ends clean', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
        const userId = randomId();
        await at.insert(userId, []);
        await at.accounts().updateOne({ _id: userId }, { $unset: { dirtyAt: '' } });
        let crash: Step['crash'] = 'never';
        const entries = new Set<string>();
        const publish: Nats['publish'] = async (subject, payload, msgId) => {
          if (crash === 'before publish') throw new Error('crashed');
          const ack = await at.backend.nats.publish(subject, payload, msgId);
          if (crash === 'after publish') throw new Error('crashed');
          return ack;
        };
        const relay = at.outboxOver(at.natsWith(publish), {
          beforePublish: async (_document, { key }) => {
            entries.add(key);
            if (crash === 'after entry') throw new Error('crashed');
          },
        });
        let written = 0;
        for (const one of steps) {
          crash = one.crash;
          if (one.do === 'write') {
            written += 1;
            const added = item(userId, written) as never;
            await at
              .accounts()
              .updateOne({ _id: userId }, { $push: { outbox: added }, $set: { dirtyAt: at.clock.now() } });
          }
          if (one.do === 'relay') await relay.relayNow(userId);
          if (one.do === 'sweep') {
            await at.clock.advance(120_000);
            await relay.sweepOnce();
          }
          const stored = await at.accounts().findOne({ _id: userId });
          const waiting = (stored?.outbox ?? []).map(({ key }) => key);
          const out = new Set((await at.amountsPublished(userId)).map((amount) => `claim:${userId}:${amount}`));
          for (let n = 1; n <= written; n++) {
            const key = `claim:${userId}:${n}`;
            expect(waiting.includes(key) || out.has(key), `${key} is neither waiting nor out`).toBe(true);
            if (!waiting.includes(key)) expect(entries.has(key), `${key} left without its entry`).toBe(true);
          }
          expect(stored?.dirtyAt !== undefined).toBe(waiting.length > 0);
        }
        crash = 'never';
        await at.clock.advance(120_000);
        await relay.sweepOnce();
        expect(await at.amountsPublished(userId)).toEqual(Array.from({ length: written }, (_, n) => String(n + 1)));
        expect(await at.accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 1n, outbox: [] });
      }),
      { numRuns: 40 },
    );
  });
});
