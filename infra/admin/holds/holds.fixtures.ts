import type { Hold } from '@cord/contracts/http/referrals';
import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

const HOUR_MS = 3_600_000;
const agoOf = (hours: number) => new Date(SAMPLE_NOW_MS - hours * HOUR_MS).toISOString();

export function sampleHold(n: number, changes: Partial<Hold> = {}): Hold {
  return {
    friendId: n.toString(16).padStart(32, 'f'),
    friend: 'kofi_b',
    referrerId: n.toString(16).padStart(32, 'e'),
    referrer: 'Mara Okafor',
    state: 'held',
    since: agoOf(50),
    linkedAt: agoOf(60),
    sharesAddress: true,
    level: 2,
    friendRanMs: 52 * HOUR_MS,
    commission: 38.39,
    bonus: 86,
    paid: 0,
    ...changes,
  };
}

export const HOLDS: readonly Hold[] = [
  sampleHold(1),
  sampleHold(2, {
    friend: 'finn.h',
    commission: 0,
    level: 0,
    friendRanMs: HOUR_MS / 3,
    since: agoOf(3),
  }),
  sampleHold(3, {
    friend: 'e_harbour',
    referrer: 'harbour_77',
    bonus: 0,
    commission: 212.5,
    paid: 86,
    since: agoOf(2),
  }),
  sampleHold(4, { friend: 'gus', sharesAddress: false, bonus: 0, commission: 0, since: agoOf(1) }),
];

const AFTER = { release: 'released', refuse: 'refused', hold: 'held' } as const;

/** An sdk of an operator who has Held bonuses open. Decisions are kept. */
export function holdsSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  sdk.tabs.setParam('admin', 'view', 'holds');
  const holds = new Map(HOLDS.map((hold) => [hold.friendId, hold]));
  sdk.api
    .on(at.referrals.holds, ({ query }) => ({
      holds: [...holds.values()].filter(({ state }) => state === (query?.state ?? 'held')),
      nextCursor: null,
    }))
    .on(at.referrals.decideHold, ({ params, body }) => {
      const before = holds.get(params?.friendId ?? '') as Hold;
      const after = { ...before, state: AFTER[body?.decision ?? 'hold'], since: agoOf(0) };
      holds.set(after.friendId, after);
      return after;
    });
  return sdk;
}
