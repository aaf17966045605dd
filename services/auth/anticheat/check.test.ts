import { nodeStopped } from '@cord/contracts/events/node';
import { ANTICHEAT_RECHECK_MS } from '@cord/contracts/rules/timings';
import { randomId } from '@cord/kit/testing/index';
import { createTestDelivery } from '@cord/kit/testing/last-only';
import { minedAt } from '@cord/kit/testing/node-state';
import { beforeAll, describe, expect, it } from 'vitest';
import { hash32 } from '../test/events.js';
import { actsOn, MINUTE_MS, NOON_MS, networkChecksOfTests } from '../test/network-checks.js';
import { allOn } from '../test/node-time.js';
import { createAddressStore } from './addresses.js';
import type { AssessmentStore } from './assessments.js';
import type { NetworkCheck } from './check.js';
import { consumeNodes } from './events.js';
import { historyAfter } from './history.js';
import type { MinedStore } from './mined.js';

const { backend, clock, erased, checkWith, miner, stores } = networkChecksOfTests();
let mined: MinedStore;
let assessments: AssessmentStore;
beforeAll(() => {
  ({ mined, assessments } = stores());
});

describe('the history of a user’s assessments', () => {
  const DAY_MS = 24 * 60 * MINUTE_MS;

  it('gets one line for each change of rate or number, and none for an assessment with the same result', async () => {
    const antiCheat = checkWith();
    const userId = await miner({ past: 61 });
    await antiCheat.nodeChanged(userId);
    await antiCheat.nodeChanged(userId);
    expect(await antiCheat.historyOf(userId)).toEqual([]);
    const others: string[] = [];
    for (let accounts = 2; accounts <= 4; accounts += 1) {
      clock.nowMs += MINUTE_MS;
      others.push(await miner({ past: 61 }));
      await antiCheat.nodeChanged(others.at(-1) ?? '');
    }
    clock.nowMs += MINUTE_MS;
    await antiCheat.forget(others[0] ?? '');
    expect(await antiCheat.historyOf(userId)).toEqual([
      { atMs: NOON_MS + MINUTE_MS, factorHundredths: 100, accounts: 2 },
      { atMs: NOON_MS + 2 * MINUTE_MS, factorHundredths: 75, accounts: 3 },
      { atMs: NOON_MS + 3 * MINUTE_MS, factorHundredths: 50, accounts: 4 },
      { atMs: NOON_MS + 4 * MINUTE_MS, factorHundredths: 75, accounts: 3 },
    ]);
    expect((await antiCheat.heldOf(userId)).assessment).toMatchObject({ history: expect.any(Array) });
    await antiCheat.forget(userId);
    expect(await antiCheat.historyOf(userId)).toEqual([]);
  });

  it('goes back 30 days, keeps the value in force at their start, and never exceeds its bound', () => {
    const stored = { efficiencyHundredths: 100, totalUsersOnIp: 1 };
    const found = (atMs: number, accounts: number) => ({ ...stored, totalUsersOnIp: accounts, checkedAtMs: atMs });
    const at = (day: number) => NOON_MS + day * DAY_MS;
    let history = historyAfter(stored, found(at(0), 2)) ?? [];
    for (const day of [10, 20]) history = historyAfter({ ...stored, history }, found(at(day), day)) ?? [];
    expect(historyAfter({ ...stored, history }, found(at(40), 5))?.map(({ atMs }) => atMs)).toEqual([
      at(10),
      at(20),
      at(40),
    ]);
    expect(historyAfter({ ...stored, history }, found(at(41), 5), 1)).toEqual([
      { atMs: at(41), factorHundredths: 100, accounts: 5 },
    ]);
  });
});

describe('an address where no user counts', () => {
  const MONTH_MS = 31 * 24 * 60 * MINUTE_MS;
  const sweep = (antiCheat: NetworkCheck) => antiCheat.sweep({ lease: async () => true });

  it('is deleted when its last user goes, or 30 days later if it is marked as shared', async () => {
    const antiCheat = checkWith();
    const addresses = createAddressStore(backend.store);
    const [plain, marked] = [await miner({ 'left behind': 61 }), await miner({ campus: 61 })];
    for (const userId of [plain, marked]) await antiCheat.nodeChanged(userId);
    await actsOn(antiCheat).markShared(hash32('campus'), true);
    clock.nowMs += MONTH_MS;
    await sweep(antiCheat);
    expect(await addresses.of(hash32('left behind'))).toBeNull();
    expect(await addresses.of(hash32('campus'))).toMatchObject({ shared: true, users: 0 });
    clock.nowMs += MONTH_MS;
    await sweep(antiCheat);
    expect(await addresses.of(hash32('campus'))).toBeNull();
  });

  it('is deleted within 30 days even if a crash left a stale user count, but stays while a user mines there', async () => {
    const antiCheat = checkWith();
    const addresses = createAddressStore(backend.store);
    await addresses.note(hash32('crashed'), 1, clock.nowMs);
    const stays = await miner({ still: 61 });
    await antiCheat.nodeChanged(stays);
    clock.nowMs += MONTH_MS;
    const again = [{ hash: hash32('still'), ms: 122 * MINUTE_MS, fromRanMs: 0 }];
    await mined.noteAddresses({ userId: stays, seq: 2, atMs: clock.nowMs, addresses: again, day: allOn(clock.nowMs) });
    await sweep(antiCheat);
    expect(await addresses.of(hash32('crashed'))).toBeNull();
    expect(await addresses.of(hash32('still'))).toMatchObject({ users: 1 });
  });
});

describe('the assessments that are due', () => {
  it('include everyone at an address whose 30 days are over: one sweep re-assesses all of them', async () => {
    const antiCheat = checkWith();
    const people = [await miner({ over: 61 }), await miner({ over: 61 }), await miner({ over: 61 })];
    for (const userId of people) await antiCheat.nodeChanged(userId);
    clock.nowMs += 31 * 24 * 60 * MINUTE_MS;
    await antiCheat.sweep({ lease: async () => true });
    expect(await assessments.countAt(hash32('over'))).toBe(0);
  });

  it('include only users who count somewhere, half an hour after their last assessment', async () => {
    const antiCheat = checkWith();
    const [counts, nowhere] = [await miner({ due: 61 }), await miner({ due: 59 })];
    for (const userId of [counts, nowhere]) await antiCheat.nodeChanged(userId);
    const due = async () =>
      (await assessments.dueForCheck(clock.nowMs, 1_000)).filter((id) => [counts, nowhere].includes(id));
    expect(await due()).toEqual([]);
    clock.nowMs += ANTICHEAT_RECHECK_MS;
    expect(await due()).toEqual([counts]);
    await antiCheat.sweep({ lease: async () => true });
    expect(await due()).toEqual([]);
    // After thirty days the user counts nowhere, and is looked at no more.
    clock.nowMs += 31 * 24 * 60 * MINUTE_MS;
    await antiCheat.sweep({ lease: async () => true });
    expect(await assessments.of(counts)).toMatchObject({ addressHash: null, recheckAtMs: null });
    clock.nowMs += 31 * 24 * 60 * MINUTE_MS;
    expect(await due()).toEqual([]);
  });
});

describe('the hour after which the level decides on a referrer’s bonus', () => {
  it('is published once it is mined, across addresses, even for a user who counts nowhere', async () => {
    const antiCheat = checkWith();
    const userId = await miner({ 'at home': 35, 'on the way': 20 });
    await antiCheat.nodeChanged(userId);
    const published = async () => (await assessments.of(userId))?.outbox.map(({ payload }) => payload);
    expect(await published()).toEqual([]);
    const addresses = ['at home', 'on the way'].map((address) => ({
      hash: hash32(address),
      ms: 35 * MINUTE_MS,
      fromRanMs: 0,
    }));
    await mined.noteAddresses({ userId, seq: 2, atMs: clock.nowMs, addresses, day: allOn(clock.nowMs) });
    await antiCheat.nodeChanged(userId);
    expect(await published()).toMatchObject([{ userId, addressKey: null, level: 0, hourMined: true }]);
    await antiCheat.nodeChanged(userId);
    expect(await published()).toHaveLength(1);
  });
});

describe('the time since when the full rate applies', () => {
  it('is set when a clear ends a reduced rate, survives a second clear, and is removed when the clear is reverted', async () => {
    const antiCheat = checkWith();
    const flat = [await miner({ flat: 60 }), await miner({ flat: 60 }), await miner({ flat: 60 })];
    for (const one of flat) await antiCheat.nodeChanged(one);
    const [first, alone] = [String(flat[0]), await miner({ alone: 60 })];
    const since = async (userId: string) => (await antiCheat.standings([userId])).get(userId)?.wholeSinceMs;
    expect([(await antiCheat.status(first)).penaltyLevel, await since(first)]).toEqual([1, undefined]);
    const clearedAt = clock.nowMs;
    expect(await actsOn(antiCheat).clear(first, true)).toMatchObject({ penaltyLevel: 0, wholeSinceMs: clearedAt });
    clock.nowMs += ANTICHEAT_RECHECK_MS;
    await actsOn(antiCheat).clear(first, true);
    expect(await since(first)).toBe(clearedAt);
    expect(await antiCheat.heldOf(first)).toMatchObject({ assessment: { wholeSinceMs: clearedAt } });
    expect(await actsOn(antiCheat).clear(first, false)).toMatchObject({ penaltyLevel: 1, wholeSinceMs: null });
    // Nothing was reduced.
    expect(await actsOn(antiCheat).clear(alone, true)).toMatchObject({ penaltyLevel: 0, wholeSinceMs: null });
    await actsOn(antiCheat).clear(first, true);
    await antiCheat.forget(first);
    expect(await antiCheat.standings([first])).toEqual(new Map());
  });
});

describe('an erased user', () => {
  it('leaves no address and no assessment, wherever a node event interleaves with the erasure', async () => {
    const antiCheat = checkWith();
    for (let at = 1; ; at += 1) {
      const userId = randomId();
      let steps = 0;
      const erasedAt = async () => {
        steps += 1;
        if (steps !== at) return;
        erased.add(userId);
        await antiCheat.forget(userId);
      };
      const deliver = createTestDelivery((nats) =>
        consumeNodes({
          nats,
          isUser: async () => {
            const is = !erased.has(userId);
            await erasedAt();
            return is;
          },
          mined: {
            ...mined,
            async noteAddresses(time) {
              await mined.noteAddresses(time);
              await erasedAt();
            },
          },
          check: {
            ...antiCheat,
            async nodeChanged(id) {
              await antiCheat.nodeChanged(id);
              await erasedAt();
            },
          },
        }),
      );
      const state = minedAt({
        sessionId: userId,
        untilMs: NOON_MS,
        line: hash32('gone'),
        hours: { [hash32('gone')]: 2 },
      });
      await deliver(userId, { kind: nodeStopped, seq: 1, state });
      if (steps < at) return expect(at).toBeGreaterThan(3);
      expect(await antiCheat.status(userId)).toMatchObject({ penaltyLevel: 0 });
      await actsOn(antiCheat).clear(userId, true);
      expect([at, await antiCheat.heldOf(userId)]).toEqual([at, { assessment: null, addresses: [] }]);
    }
  });
});

describe('an operator’s clear', () => {
  it('keeps the full rate for 90 days, ends at the next assessment after that, and can be repeated', async () => {
    const antiCheat = checkWith();
    const crowd = async () => {
      const users = await Promise.all(Array.from({ length: 4 }, () => miner({ hall: 61 })));
      for (const userId of users) await antiCheat.nodeChanged(userId);
      return users;
    };
    const [userId = ''] = await crowd();
    expect((await actsOn(antiCheat).clear(userId, true)).efficiencyHundredths).toBe(100);
    const clearedMs = clock.nowMs;
    const DAY_MS = 86_400_000;
    const sweptAt = async (ms: number) => {
      clock.nowMs = ms;
      // The others, and this one, mine there still.
      await crowd();
      await mined.noteAddresses({
        userId,
        seq: ms,
        atMs: clock.nowMs,
        addresses: [{ hash: hash32('hall'), ms: ms - NOON_MS + 61 * MINUTE_MS, fromRanMs: 0 }],
        day: allOn(clock.nowMs),
      });
      await antiCheat.sweep({ lease: async () => true });
      return assessments.of(userId);
    };
    expect(await sweptAt(clearedMs + 90 * DAY_MS - 1)).toMatchObject({ cleared: true, efficiencyHundredths: 100 });
    const after = await sweptAt(clearedMs + 90 * DAY_MS + ANTICHEAT_RECHECK_MS);
    expect(after).toMatchObject({ cleared: false, penaltyLevel: expect.any(Number) });
    expect(after?.efficiencyHundredths).toBeLessThan(100);
    const again = await actsOn(antiCheat).clear(userId, true);
    expect(again).toMatchObject({
      cleared: true,
      efficiencyHundredths: 100,
      clearedUntilMs: clock.nowMs + 90 * DAY_MS,
    });
  });
});
