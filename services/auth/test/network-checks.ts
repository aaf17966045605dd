import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, beforeEach } from 'vitest';
import { createAddressStore } from '../anticheat/addresses.js';
import { type AssessmentStore, createAssessmentStore } from '../anticheat/assessments.js';
import { type CrowdBounds, createCheck, type NetworkCheck } from '../anticheat/check.js';
import { createMinedStore, type MinedStore } from '../anticheat/mined.js';
import { data } from '../data.js';
import { hash32 } from './events.js';
import { allOn } from './node-time.js';

export const NOON_MS = Date.UTC(2026, 10, 21, 12);
export const MINUTE_MS = 60_000;

/** Sets up the network check on a separate store, with a clock that starts at noon in each test. */
export function networkChecksOfTests() {
  const backend = forAllTests(() => startTestStore({ data }));
  const clock = { nowMs: NOON_MS };
  const erased = new Set<string>();
  let mined: MinedStore;
  let assessments: AssessmentStore;
  beforeAll(() => {
    mined = createMinedStore(backend.store);
    assessments = createAssessmentStore(backend.store);
  });
  beforeEach(() => {
    clock.nowMs = NOON_MS;
  });

  function checkWith(crowd?: CrowdBounds): NetworkCheck {
    return createCheck({
      ...{ mined, assessments, addresses: createAddressStore(backend.store), relay: () => undefined },
      ...{ isUser: async (userId) => !erased.has(userId), now: () => clock.nowMs, ...(crowd ? { crowd } : {}) },
    });
  }

  /** Creates a user with these mined minutes by address. */
  async function miner(minutes: Record<string, number>): Promise<string> {
    const userId = randomId();
    const addresses = Object.entries(minutes).map(([address, count]) => ({
      hash: hash32(address),
      ms: count * MINUTE_MS,
      fromRanMs: 0,
    }));
    await mined.noteAddresses({ userId, seq: 1, atMs: clock.nowMs, addresses, day: allOn(clock.nowMs) });
    return userId;
  }

  /** Available once they are open. */
  const stores = () => ({ mined, assessments });
  return { backend, clock, erased, checkWith, miner, stores };
}

/** Actions of an admin based on the current state. */
export const actsOn = (check: NetworkCheck) => ({
  clear: async (userId: string, cleared: boolean) =>
    check.clear(userId, cleared, (await check.standings([userId])).get(userId) ?? { cleared: false }),
  markShared: async (addressHash: string, shared: boolean) =>
    check.markShared(addressHash, shared, await check.address(addressHash)),
});
