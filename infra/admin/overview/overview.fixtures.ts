import type { EarningsRange } from '@cord/contracts/http/mining';
import type { IssuedOverTime, OperatorsOverview, PausedNode } from '@cord/contracts/http/overview';
import { at, createTestSdk, SAMPLE_NOW_MS, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const agoOf = (ms: number) => new Date(SAMPLE_NOW_MS - ms).toISOString();

/** An overview without problems. */
export function sampleOverview(changes: Partial<OperatorsOverview> = {}): OperatorsOverview {
  return {
    at: new Date(SAMPLE_NOW_MS).toISOString(),
    requests: [
      { kind: 'appeal', open: 3, more: false, priority: 0, oldestAt: agoOf(320 * MINUTE_MS) },
      { kind: 'refund', open: 2, more: false, priority: 1, oldestAt: agoOf(64 * MINUTE_MS) },
      { kind: 'support', open: 0, more: false, priority: 0, oldestAt: null },
    ],
    crowdedAddresses: 6,
    parkedCredits: { count: 0, more: false, oldestAt: null, missing: [] },
    deadLetters: 0,
    streams: ['BALANCE', 'DEAD', 'NODES', 'REFERRALS', 'REWARDS', 'TASKS', 'USERS'].map((name, n) => ({
      name: `CORD_${name}`,
      messages: n === 1 ? 0 : 1_302 * (n + 1),
      bytes: n === 1 ? 0 : 1_302 * (n + 1) * 700,
      limitBytes: 864_000_000,
    })),
    clientErrors: [],
    switchesOff: [],
    ...changes,
  };
}

/** Issued CORD that rises and falls by week. */
export function sampleIssued(range: EarningsRange, changes: Partial<IssuedOverTime> = {}): IssuedOverTime {
  const unit = range === '12m' ? 'month' : 'day';
  const count = { '7d': 7, '30d': 30, '12m': 12 }[range];
  const buckets = Array.from({ length: count }, (_, n) => {
    const back = count - 1 - n;
    const day = new Date(SAMPLE_NOW_MS - back * (unit === 'day' ? DAY_MS : 30 * DAY_MS));
    const swell = 1 + 0.35 * Math.sin(n / 2.1) + n / count;
    const mining = Math.floor(151_000 * swell);
    const parts = {
      mining,
      checkin: Math.floor(mining / 8),
      tasks: Math.floor(mining / 9),
      commission: 4_980 + n * 61,
    };
    const claims = n % 6 === 4 ? 10_000 : 0;
    const total = Object.values(parts).reduce((sum, part) => sum + part, claims);
    return { key: day.toISOString().slice(0, unit === 'day' ? 10 : 7), ...parts, claims, total, ranMs: 0 };
  });
  return {
    range,
    unit,
    buckets,
    total: buckets.reduce((sum, { total }) => sum + total, 0),
    countedSince: '2025-03-04',
    inAll: 9_480_120.5,
    audit: { at: agoOf(72 * MINUTE_MS), accounts: 1_302, drift: 0 },
    root: {
      day: '2026-11-20',
      at: agoOf(653 * MINUTE_MS),
      accounts: 1_302,
      size: 118,
      late: false,
      memo: null,
      witnesses: [],
    },
    ...changes,
  };
}

/** Two outages: one without an excused day, one of an evening. */
export const SAMPLE_OUTAGES = {
  outages: [
    { from: '2026-11-19T22:10:00.000Z', to: '2026-11-19T22:55:00.000Z', days: ['2026-11-19'] },
    { from: '2026-11-12T09:00:00.000Z', to: '2026-11-12T09:04:10.000Z', days: [] },
  ],
  days: [{ dayKey: '2026-11-19', reason: 'outage', kept: 214 }],
};

/** Nodes that paused in the outage of the evening: the first page of two. */
export const SAMPLE_PAUSED: { nodes: PausedNode[]; nextCursor: string | null } = {
  nodes: [
    { userId: 'a1'.repeat(16), pausedAt: '2026-11-19T22:51:00.000Z', runs: true, corrected: null },
    { userId: 'b2'.repeat(16), pausedAt: '2026-11-19T22:30:00.000Z', runs: false, corrected: 12.5 },
  ],
  nextCursor: '1763591400000',
};
export const SAMPLE_OUTAGE_NODES = {
  outages: [
    { from: '2026-11-19T22:10:00.000Z', paused: 12, corrected: 1 },
    { from: '2026-11-12T09:00:00.000Z', paused: 0, corrected: 0 },
  ],
};

/** An sdk of an operator whose services all respond. */
export function overviewSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = createTestSdk({ user: sampleUser({ isAdmin: true }), ...options });
  sdk.tabs.current.set('admin');
  sdk.api
    .on(at.overview.overview, sampleOverview())
    .on(at.overview.issued, ({ query }) => sampleIssued(query?.range ?? '30d'))
    .on(at.leaderboard.global, { activeMiners: 219, totalMiners: 1_302, totalMined: 7_912_483.2, onlineNow: 94 })
    .on(at.checkin.outages, { outages: [], days: [] })
    .on(at.overview.outageNodes, { outages: [] })
    .on(at.overview.pausedNodes, SAMPLE_PAUSED)
    .on(at.rewards.refunds, { refunds: [], nextCursor: null });
  return sdk;
}
