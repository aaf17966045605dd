import { ANTICHEAT_RECHECK_MS } from '@cord/contracts/rules/timings';
import { beforeAll, describe, expect, it } from 'vitest';
import { hash32 } from '../test/events.js';
import { actsOn, MINUTE_MS, networkChecksOfTests } from '../test/network-checks.js';
import { allOn } from '../test/node-time.js';
import { createAddressStore } from './addresses.js';
import type { AssessmentStore } from './assessments.js';
import { type CrowdBounds, createCheck, type NetworkCheck } from './check.js';
import type { MinedStore } from './mined.js';

const SMALLEST: CrowdBounds = { assessed: 1, counted: 1 };

const { backend, clock, checkWith, miner, stores } = networkChecksOfTests();
let mined: MinedStore;
let assessments: AssessmentStore;
beforeAll(() => {
  ({ mined, assessments } = stores());
});

describe('the number of accounts at an address', () => {
  it('is right after two arrive concurrently, even if the first one is stored last', async () => {
    const addresses = createAddressStore(backend.store);
    let [block, release] = [() => {}, () => {}];
    const blocked = new Promise<void>((resolve) => {
      block = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    const note: typeof addresses.note = async (...noted) => {
      if (isFirst) {
        isFirst = false;
        block();
        await released;
      }
      await addresses.note(...noted);
    };
    const withNote = { ...addresses, note };
    const slow = createCheck({
      ...{ mined, assessments, addresses: withNote, isUser: async () => true },
      ...{ relay: () => undefined, now: () => clock.nowMs },
    });
    const [one, other] = [await miner({ meeting: 61 }), await miner({ meeting: 61 })];
    const first = slow.nodeChanged(one);
    await blocked;
    await slow.nodeChanged(other);
    release();
    await first;
    expect(await addresses.usersNoted(hash32('meeting'))).toBe(2);
  });
});

describe('an account that arrives or leaves', () => {
  /** A check that is cut short after it has stored an assessment, the first time. */
  function cutShort(): NetworkCheck {
    const addresses = createAddressStore(backend.store);
    let isFirst = true;
    const note: typeof addresses.note = async (...noted) => {
      if (isFirst) {
        isFirst = false;
        throw new Error('cut short');
      }
      await addresses.note(...noted);
    };
    const withNote = { ...addresses, note };
    return createCheck({
      ...{ mined, assessments, addresses: withNote, isUser: async () => true },
      ...{ relay: () => undefined, now: () => clock.nowMs },
    });
  }
  const twice = async (act: () => Promise<void>) => {
    await expect(act()).rejects.toThrow('cut short');
    await act();
  };
  const noted = (address: string) => createAddressStore(backend.store).usersNoted(hash32(address));
  const rate = async (userId: string) => (await assessments.of(userId))?.efficiencyHundredths;

  it('changes the rate of the others even if the node event is redelivered after a crash', async () => {
    const [stays, second, third] = [await miner({ inn: 61 }), await miner({ inn: 61 }), await miner({ inn: 61 })];
    for (const userId of [stays, second]) await checkWith().nodeChanged(userId);
    let check = cutShort();
    await twice(() => check.nodeChanged(third));
    expect([await rate(stays), await noted('inn')]).toEqual([75, 3]);

    const elsewhere = [{ hash: hash32('other inn'), ms: 200 * MINUTE_MS, fromRanMs: 0 }];
    await mined.noteAddresses({
      userId: third,
      seq: 2,
      atMs: clock.nowMs,
      addresses: elsewhere,
      day: allOn(clock.nowMs),
    });
    check = cutShort();
    await twice(() => check.nodeChanged(third));
    expect([await rate(stays), await noted('inn'), await noted('other inn')]).toEqual([100, 2, 1]);
    expect((await assessments.of(third))?.moved).toBeUndefined();
  });

  it('changes the rate of the others when an erasure resumes, or at the next sweep if the account counts nowhere', async () => {
    const [stays, second, third] = [await miner({ hut: 61 }), await miner({ hut: 61 }), await miner({ hut: 61 })];
    for (const userId of [stays, second, third]) await checkWith().nodeChanged(userId);
    expect(await rate(stays)).toBe(75);
    let check = cutShort();
    await twice(() => check.forget(third));
    expect([await rate(stays), await noted('hut'), await assessments.of(third)]).toEqual([100, 2, null]);

    await mined.removeUser(second);
    check = cutShort();
    await expect(check.nodeChanged(second)).rejects.toThrow('cut short');
    expect(await noted('hut')).toBe(2);
    clock.nowMs += ANTICHEAT_RECHECK_MS;
    await check.sweep({ lease: async () => true });
    expect([await noted('hut'), await assessments.of(second)]).toMatchObject([1, { recheckAtMs: null }]);
  });
});

// Last: a check of all of them would check this crowd, too.
describe('a crowd at one address', () => {
  it.each([
    ['as they are', undefined],
    ['at their smallest', SMALLEST],
  ])('is counted in full for everyone, even if only few are counted per call (bounds %s)', async (name, crowd) => {
    const antiCheat = checkWith(crowd);
    const users: string[] = [];
    for (let n = 1; n <= 12; n += 1) {
      const userId = await miner({ [`crowd ${name}`]: 60 });
      users.push(userId);
      await antiCheat.nodeChanged(userId);
      expect((await assessments.of(userId))?.totalUsersOnIp).toBe(n);
    }
    for (const userId of users) {
      clock.nowMs += ANTICHEAT_RECHECK_MS;
      expect(await antiCheat.status(userId)).toMatchObject({ totalUsersOnIp: 12, penaltyLevel: 4 });
    }
  });
});

describe('a mark on an address as shared', () => {
  const levels = async (users: readonly string[]) =>
    Promise.all(users.map(async (userId) => (await assessments.of(userId))?.penaltyLevel));
  const crowdAt = async (address: string) => {
    const users = [await miner({ [address]: 61 }), await miner({ [address]: 61 }), await miner({ [address]: 61 })];
    for (const userId of users) await checkWith().nodeChanged(userId);
    expect(await levels(users)).toEqual([1, 1, 1]);
    return users.sort();
  };

  it('assesses a few accounts within the call and all others in the next sweep', async () => {
    const antiCheat = checkWith({ assessed: 2, counted: 64 });
    const users = await crowdAt('ballroom');
    expect(await actsOn(antiCheat).markShared(hash32('ballroom'), true)).toBe(true);
    expect(await levels(users)).toEqual([0, 0, 1]);
    await antiCheat.sweep({ lease: async () => true });
    expect(await levels(users)).toEqual([0, 0, 0]);
    expect(await actsOn(antiCheat).markShared(hash32('nowhere'), true)).toBe(false);
  });

  it.each([
    ['is being assessed', 'library', async (users: string[]) => users[0] ?? ''],
    ['comes', 'hostel', () => miner({ hostel: 61 })],
  ])('applies to an account that %s while the mark is set', async (_name, address, one) => {
    const userId = await one(await crowdAt(address));
    let isMarked = false;
    const change: AssessmentStore['change'] = async (...changed) => {
      if (!isMarked) {
        isMarked = true;
        await actsOn(checkWith({ assessed: 0, counted: 64 })).markShared(hash32(address), true);
      }
      return assessments.change(...changed);
    };
    const meanwhile = createCheck({
      ...{ mined, assessments: { ...assessments, change }, addresses: createAddressStore(backend.store) },
      ...{ isUser: async () => true, relay: () => undefined, now: () => clock.nowMs },
    });
    await meanwhile.nodeChanged(userId);
    expect(await levels([userId])).toEqual([0]);
  });
});
