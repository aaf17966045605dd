import { accrue } from '@cord/contracts/rules/rate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accruedMicro } from './interpolate';
import { createServerClock } from './server-clock';

/** A server that accrues exactly as the ledger does (services/mining/ledger/README.md#accrual) and handles saves. */
function createServer(rateNano: bigint, startMs: number, leaseMs: number) {
  let carry = 0n;
  let creditedMicro = 0n;
  let creditedUntilMs = startMs;
  const leaseUntilMs = startMs + leaseMs;
  return {
    save(nowMs: number) {
      const ms = Math.max(0, Math.min(nowMs, leaseUntilMs) - creditedUntilMs);
      const settled = accrue({ rateNano, ms, carry });
      carry = settled.carry;
      creditedMicro += settled.micro;
      creditedUntilMs += ms;
      return { creditedMicro, creditedUntilMs, leaseUntilMs };
    },
  };
}

const step = fc.record({
  /** Real time before the next event, ms. */
  waitMs: fc.integer({ min: 0, max: 40_000 }),
  what: fc.constantFrom('look', 'save'),
  thereMs: fc.integer({ min: 0, max: 3_000 }),
  backMs: fc.integer({ min: 0, max: 3_000 }),
});

test('the shown number never drops and equals the server’s at each save, whatever the clocks and the network do', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 50_000_000n, max: 7_000_000_000n }),
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.integer({ min: 1_000, max: 300_000 }),
      fc.array(step, { minLength: 1, maxLength: 60 }),
      (rateNano, skewMs, leaseMs, steps) => {
        let trueMs = 1_795_000_000_000;
        const server = createServer(rateNano, trueMs, leaseMs);
        const clock = createServerClock(() => trueMs + skewMs);
        let known = server.save(trueMs);
        clock.observe({ serverMs: trueMs, resolutionMs: 1, sentMs: trueMs + skewMs, receivedMs: trueMs + skewMs });
        let shown = 0n;
        const look = () => known.creditedMicro + accruedMicro({ rateNano, ...known }, clock.now());

        for (const { waitMs, what, thereMs, backMs } of steps) {
          trueMs += waitMs;
          if (what === 'save') {
            const sentMs = trueMs + skewMs;
            trueMs += thereMs;
            const answer = server.save(trueMs);
            const serverMs = trueMs;
            trueMs += backMs;
            expect(look()).toBeGreaterThanOrEqual(shown);
            clock.observe({ serverMs, resolutionMs: 1, sentMs, receivedMs: trueMs + skewMs });
            known = answer;
            const atTheSave = known.creditedMicro + accruedMicro({ rateNano, ...known }, known.creditedUntilMs);
            expect(atTheSave).toBe(answer.creditedMicro);
          }
          const now = look();
          if (what === 'look') expect(now).toBeGreaterThanOrEqual(shown);
          shown = now;
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the shown number is never ahead of what the server would credit at that moment', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 7_000_000_000n }),
      fc.integer({ min: 0, max: 100_000_000 }),
      fc.bigInt({ min: 0n, max: 59_999_999n }),
      (rateNano, ms, carry) => {
        const accrual = { rateNano, creditedUntilMs: 0, leaseUntilMs: Number.POSITIVE_INFINITY };
        expect(accruedMicro(accrual, ms)).toBeLessThanOrEqual(accrue({ rateNano, ms, carry }).micro);
      },
    ),
  );
});

test('a node earns nothing after its lease, and nothing before its last credit', () => {
  const accrual = { rateNano: 600_000_000n, creditedUntilMs: 10_000, leaseUntilMs: 70_000 };
  expect(accruedMicro(accrual, 70_000)).toBe(600_000n);
  expect(accruedMicro(accrual, 9_000_000)).toBe(600_000n);
  expect(accruedMicro(accrual, 5_000)).toBe(0n);
});

test('when the next rate is known, the shown number follows it from its start, exactly as the server accrues', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 7_000_000_000n }),
      fc.bigInt({ min: 1n, max: 7_000_000_000n }),
      fc.integer({ min: -10_000, max: 100_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (rateNano, nextNano, fromMs, ms) => {
        const next = { rateNano: nextNano, fromMs };
        const turnMs = Math.max(0, Math.min(fromMs, ms));
        const first = accrue({ rateNano, ms: turnMs, carry: 0n });
        const second = accrue({ rateNano: nextNano, ms: ms - turnMs, carry: first.carry });
        const accrual = { rateNano, creditedUntilMs: 0, leaseUntilMs: Number.POSITIVE_INFINITY, next };
        expect(accruedMicro(accrual, ms)).toBe(first.micro + second.micro);
      },
    ),
  );
});
