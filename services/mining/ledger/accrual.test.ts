import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contactStep, startStep, stopStep } from '../node/steps.js';
import { type Account, newAccount } from './account.js';
import { missedMiningMicro } from './accrual.js';
import { epochTable, NO_EPOCHS } from './epochs.js';
import { badgeStep } from './factors.js';
import { settle } from './settle.js';

const USER = 'b'.repeat(32);
const NOON_MS = Date.UTC(2026, 10, 21, 12);
const UNIT = 60_000_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Thirty days in every tier are shown in the proof. */
const DAYS = Number(process.env.ACCRUAL_DAYS ?? 3);
const SAVE_EVERY_MS = 10_000;

function running(createdAtMs: number, nowMs: number, epochs = NO_EPOCHS): Account {
  const account = newAccount(USER, createdAtMs, nowMs);
  return relayed(startStep(account, { sessionId: 's'.repeat(32), addressHash: null }, { nowMs, epochs }));
}

/** As after the relay: the outbox is empty. */
function relayed(account: Account): Account {
  return { ...account, outbox: [], announceSeq: null };
}

const mined = (account: Account) => account.totals.bySource.mining ?? 0n;

describe('days of mining with a save every 10 s', () => {
  for (const tier of FIRST_BOOK.tiers) {
    test(`credit exactly floor(rate x time) in the tier from ${tier.fromYears} years`, () => {
      const createdAtMs = NOON_MS - tier.fromYears * YEAR_MS - 60 * DAY_MS;
      let account = running(createdAtMs, NOON_MS);
      let savedMicro = 0n;
      for (let save = 1; save <= (DAYS * DAY_MS) / SAVE_EVERY_MS; save += 1) {
        const nowMs = NOON_MS + save * SAVE_EVERY_MS;
        const after = contactStep(account, { nowMs, epochs: NO_EPOCHS });
        savedMicro += after.balanceMicro - account.balanceMicro;
        account = after.outbox.length > 0 ? relayed(after) : after;
      }
      const dueMicro = (5n * 100n ** 3n * BigInt(tier.hundredths) * BigInt(DAYS * DAY_MS)) / UNIT;
      expect(account.balanceMicro).toBe(dueMicro);
      expect(savedMicro).toBe(dueMicro);
    });
  }
});

describe('a node’s earnings', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 2 * HOUR_MS }), { minLength: 1, maxLength: 60 });

  test('do not depend on when the node is saved', () => {
    const createdAtMs = NOON_MS - 3 * YEAR_MS + 5 * HOUR_MS;
    const epochs = epochTable(1n, [
      {
        id: 'a',
        name: 'a',
        multiplierHundredths: 110,
        startAt: NOON_MS + 1_234,
        endAt: NOON_MS + DAY_MS,
      },
    ]);
    fc.assert(
      fc.property(steps, (gapsMs) => {
        let nowMs = NOON_MS;
        let often = running(createdAtMs, nowMs, epochs);
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          often = relayed(contactStep(often, { nowMs, epochs }));
        }
        let once = running(createdAtMs, NOON_MS, epochs);
        once = { ...once, node: { ...once.node, leaseUntilMs: Number.MAX_SAFE_INTEGER } };
        once = settle(once, { nowMs, epochs });
        expect(mined(often)).toBe(mined(once));
        expect(often.node.carry).toBe(once.node.carry);
        expect(often.totals.day).toEqual({ ...once.totals.day, reachedAtMs: often.totals.day.reachedAtMs });
      }),
    );
  });

  test('end with the lease, 8 h after the last contact, and the node pauses', () => {
    const account = running(NOON_MS, NOON_MS);
    const late = contactStep(account, { nowMs: NOON_MS + 20 * HOUR_MS, epochs: NO_EPOCHS });
    expect(late.node.status).toBe('paused');
    expect(mined(late)).toBe(240_000_000n);
    const later = contactStep(late, { nowMs: NOON_MS + 30 * HOUR_MS, epochs: NO_EPOCHS });
    expect(later).toBe(late);
  });

  test('are zero while the clock stands still or runs back, and lastAt never moves back', () => {
    const account = contactStep(running(NOON_MS, NOON_MS), { nowMs: NOON_MS + 60_000, epochs: NO_EPOCHS });
    const back = contactStep(account, { nowMs: NOON_MS, epochs: NO_EPOCHS });
    expect(back.balanceMicro).toBe(account.balanceMicro);
    expect(back.node.lastAtMs).toBe(account.node.lastAtMs);
    const on = contactStep(back, { nowMs: NOON_MS + 120_000, epochs: NO_EPOCHS });
    expect(mined(on)).toBe(1_000_000n);
  });

  test('change their rate at the tier birthday, to the millisecond', () => {
    const birthdayMs = NOON_MS + 90_000;
    const account = running(birthdayMs - YEAR_MS, NOON_MS);
    const after = settle(account, { nowMs: NOON_MS + 150_000, epochs: NO_EPOCHS });
    expect(mined(after)).toBe((90_000n * 500n * 1000n + 60_000n * 600n * 1000n) / 60_000n);
  });

  test('equal what a pause of the same time shows as missed, across epochs and the tier birthday, to the micro', () => {
    const epochs = epochTable(2n, [
      { id: 'a', name: 'a', multiplierHundredths: 110, startAt: NOON_MS + 1_234, endAt: NOON_MS + HOUR_MS },
      { id: 'b', name: 'b', multiplierHundredths: 133, startAt: NOON_MS + 5 * HOUR_MS, endAt: NOON_MS + DAY_MS },
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * DAY_MS }), (ms) => {
        const begun = running(NOON_MS - 3 * YEAR_MS + 2 * HOUR_MS, NOON_MS, epochs);
        const awake = { ...begun, node: { ...begun.node, leaseUntilMs: Number.MAX_SAFE_INTEGER } };
        const nowMs = NOON_MS + ms;
        expect(missedMiningMicro(NOON_MS, nowMs, begun.factors, epochs)).toBe(mined(settle(awake, { nowMs, epochs })));
      }),
    );
  });

  test('before midnight count for the old day, week and month', () => {
    const midnightMs = Date.UTC(2026, 5, 1);
    const account = running(midnightMs - HOUR_MS, midnightMs - HOUR_MS);
    const after = settle(account, { nowMs: midnightMs + 2 * HOUR_MS, epochs: NO_EPOCHS });
    expect(mined(after)).toBe(90_000_000n);
    for (const period of [after.totals.day, after.totals.week, after.totals.month]) {
      expect(period.micro).toBe(60_000_000n);
      expect(period.miningMicro).toBe(60_000_000n);
      expect(period.ranMs).toBe(2 * HOUR_MS);
    }
    expect(after.totals.day.key).toBe('2026-06-01');
  });
});

describe('the outbox', () => {
  test('gets one entry for each clock hour that has ended', () => {
    const account = running(NOON_MS, NOON_MS + 1_800_000);
    const after = settle(account, { nowMs: NOON_MS + 3 * HOUR_MS + 1_800_000, epochs: NO_EPOCHS });
    const entries = after.outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
    expect(entries.map((entry) => entry.amountMicro)).toEqual([15_000_000n, 30_000_000n, 30_000_000n]);
    expect(after.open.amountMicro).toBe(15_000_000n);
    expect(after.balanceMicro).toBe(90_000_000n);
  });

  test('leaves mining open when it is nearly full, and loses nothing', () => {
    let account = newAccount(USER, NOON_MS, NOON_MS);
    let nowMs = NOON_MS;
    for (let hour = 0; hour < 200; hour += 1) {
      account = startStep(account, { sessionId: 's'.repeat(32), addressHash: null }, { nowMs, epochs: NO_EPOCHS });
      nowMs += HOUR_MS;
      account = contactStep(account, { nowMs, epochs: NO_EPOCHS });
    }
    // A day that is over comes by the calendar: it and what stood open in it always find room.
    const days = account.outbox.filter((item) => item.kind === 'day');
    expect(days).toHaveLength(8);
    expect(account.outbox.length - 2 * days.length).toBeLessThanOrEqual(64);
    expect(account.balanceMicro).toBe(200n * 30_000_000n);
    const waiting = account.outbox.reduce(
      (sum, item) => sum + (item.kind === 'entry' ? item.entry.amountMicro : 0n),
      0n,
    );
    expect(waiting + account.open.amountMicro).toBe(account.balanceMicro);
  });
});

describe('the node', () => {
  const at = (nowMs: number) => ({ nowMs, epochs: NO_EPOCHS });
  const second = { sessionId: 't'.repeat(32), addressHash: null };

  test('does not change when stopped a second time', () => {
    const stopped = stopStep(running(NOON_MS, NOON_MS), at(NOON_MS + 60_000));
    expect(mined(stopped)).toBe(500_000n);
    expect(stopStep(stopped, at(NOON_MS + 120_000))).toBe(stopped);
  });

  test('earns to the end of its lease when started after it, and runs as a new session', () => {
    const started = startStep(running(NOON_MS, NOON_MS), second, at(NOON_MS + 20 * HOUR_MS));
    expect(mined(started)).toBe(240_000_000n);
    expect(started.node).toMatchObject({ status: 'active', sessionId: 't'.repeat(32), sessionMicro: 0n });
    const verbs = started.outbox.flatMap((item) => (item.kind === 'node' ? [item.verb] : []));
    expect(verbs).toEqual(['paused', 'started']);
  });
});

describe('a change of the rule book', () => {
  const changeMs = NOON_MS + 1_234_567;
  const second = {
    ...FIRST_BOOK,
    version: 2,
    fromMs: changeMs,
    baseNano: 700_000_000,
    badgeHundredths: 120,
    tiers: [...FIRST_BOOK.tiers.slice(0, 3), { fromYears: 3, hundredths: 330 }],
  };
  const epochs = epochTable(1n, [], [FIRST_BOOK, second]);
  const createdAtMs = NOON_MS - 4 * YEAR_MS;

  test('during a save pays each part by its own book, in separate entries with their facts', () => {
    const begun = badgeStep(running(createdAtMs, NOON_MS, epochs), { nowMs: NOON_MS, epochs });
    const saved = stopStep(contactStep(begun, { nowMs: NOON_MS + 30 * 60_000, epochs }), {
      nowMs: NOON_MS + 30 * 60_000,
      epochs,
    });
    // 0.5 x 2.5 x 1.05 and 0.7 x 3.3 x 1.2
    const [wasNano, isNano] = [1_312_500_000n, 2_772_000_000n];
    const [wasMs, isMs] = [1_234_567n, 1_800_000n - 1_234_567n];
    const units = wasNano * wasMs + isNano * isMs;
    expect(mined(saved)).toBe(units / UNIT);
    const facts = saved.outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry.facts] : []));
    expect(facts).toEqual([`${wasNano} ${wasMs} 0`, `${isNano} ${isMs} ${(wasNano * wasMs) % UNIT}`]);
  });

  test('pays the same however often the node is saved around it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1, maxLength: 20 }), (gapsMs) => {
        let nowMs = NOON_MS;
        let often = running(createdAtMs, nowMs, epochs);
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          often = relayed(contactStep(often, { nowMs, epochs }));
        }
        const once = settle(running(createdAtMs, NOON_MS, epochs), { nowMs, epochs });
        expect([mined(often), often.node.carry]).toEqual([mined(once), once.node.carry]);
      }),
    );
  });
});
