import type { ListedUser, UserClaim, UserNetwork } from '@cord/contracts/http/admin';
import type { MiningSession } from '@cord/contracts/http/mining';
import type { BadgeOrder } from '@cord/contracts/http/rewards';
import { at, problem, SAMPLE_NOW_MS, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { TRAIL } from '../audit/audit.fixtures';
import { sampleCase, supportSdk } from '../support/support.fixtures';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const agoOf = (ms: number) => new Date(SAMPLE_NOW_MS - ms).toISOString();

export const HARBOUR_ID = `6f1d90b244ce8a17${'0'.repeat(16)}`;
const ADDRESS = `8ae1${'0'.repeat(24)}04f2`;

export function listedUser(username: string, changes: Partial<ListedUser> = {}): ListedUser {
  return {
    id: HARBOUR_ID,
    username,
    account_age: 9.1,
    joinedAt: agoOf(100 * 24 * HOUR_MS),
    lastSignInAt: agoOf(3 * HOUR_MS),
    isAdmin: false,
    network: { penaltyLevel: 0, efficiencyMultiplier: 1, cleared: false },
    ...changes,
  };
}

export const USERS: readonly ListedUser[] = [
  listedUser('harbour_77', { network: { penaltyLevel: 2, efficiencyMultiplier: 0.5, cleared: false } }),
  listedUser('harbourlight', { id: 'b'.repeat(32), network: null }),
  listedUser('ines.ops', { id: 'c'.repeat(32), isAdmin: true }),
];

export function sampleNetwork(changes: Partial<UserNetwork> = {}): UserNetwork {
  const one = (key: string, users: number, hours: number, counts: boolean) => ({
    ...{ key, users, counts, shared: false, seenAt: agoOf(MINUTE_MS) },
    ...{ level: users > 3 ? 2 : 0, minedMs: hours * HOUR_MS, lastMinedAt: agoOf(counts ? 0 : 18 * 24 * HOUR_MS) },
  });
  return {
    addresses: [one(ADDRESS, 4, 212, true), one(`51c7${'0'.repeat(24)}e90a`, 1, 3, false)],
    cleared: false,
    checkedAt: agoOf(8 * MINUTE_MS),
    ...changes,
  };
}

const SOURCES = ['mining', 'mining', 'task', 'checkin', 'commission'] as const;

export const ENTRIES = Array.from({ length: 12 }, (_, n) => {
  const source = SOURCES[n % SOURCES.length] ?? 'mining';
  return {
    id: `${source}:${HARBOUR_ID}:${1_246 - n}`,
    seq: String(1_246 - n),
    at: agoOf(n * 40 * MINUTE_MS),
    source,
    amount: 165 - n * 7.5,
    balance: 88_377.77 - n * 140,
    reason: source === 'task' ? 'Mine for an hour' : '',
    ...{ n: String(1_246 - n), facts: '', hash: '' },
  };
});

function sampleMined(n: number, changes: Partial<MiningSession> = {}): MiningSession {
  const startedAt = agoOf((n * 11 + 3) * HOUR_MS);
  return {
    ...{ id: String(n).repeat(32), startedAt, endedAt: agoOf(n * 11 * HOUR_MS), earnings: 495 - n * 61.5 },
    ...{ hashRate: 231, efficiency: 50, rate: 2.75, rateNano: '2750000000' },
    ...{ rateUntil: null, nextFactors: null, nextRateNano: null },
    factors: { tier: 10, antiCheat: 0.5, badge: false, epoch: 1.1, epochId: 'beta' },
    ...{ status: 'ended', creditedUntil: agoOf(n * 11 * HOUR_MS), leaseUntil: null, serverTime: agoOf(0) },
    ...changes,
  };
}

export const MINED: readonly MiningSession[] = [
  sampleMined(1, { status: 'active', endedAt: null }),
  sampleMined(2, { status: 'paused' }),
  ...[3, 4, 5].map((n) => sampleMined(n)),
];

export function sampleOrder(n: number, changes: Partial<BadgeOrder> = {}): BadgeOrder {
  return {
    ...{ id: String(n).repeat(32), reference: '4'.repeat(44), lamports: 20_000_000, treasury: '5'.repeat(44) },
    ...{ walletAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', usd: 3.12, usdAt: agoOf(n * HOUR_MS) },
    ...{ estimate: false, createdAt: agoOf(n * HOUR_MS), expiresAt: agoOf(n * HOUR_MS - 900_000) },
    ...{ status: 'expired', transactionHash: null, reason: null, why: null, refunds: [] },
    ...changes,
  };
}

const PAID = `5hQ2${'m'.repeat(80)}x9Ke`;
const LATE: BadgeOrder = sampleOrder(2, { status: 'refund', transactionHash: PAID });
export const ORDERS: readonly BadgeOrder[] = [
  sampleOrder(1, { status: 'pending' }),
  {
    ...LATE,
    refunds: [
      {
        ...{ id: 'd'.repeat(32), orderId: LATE.id, transactionHash: PAID, walletAddress: LATE.walletAddress ?? '' },
        ...{ lamports: LATE.lamports, reason: 'order-expired', at: agoOf(HOUR_MS), status: 'open' },
        ...{ returnTransaction: null, returnedAt: null },
      },
    ],
  },
  sampleOrder(3),
];

export const CLAIMS: readonly UserClaim[] = [
  {
    ...{ kind: 'compensation', amount: 5_000, claimedAt: agoOf(72 * HOUR_MS), pending: false },
    refusal: 'already-claimed',
  },
  { kind: 'cordclaim', amount: 10_000, claimedAt: null, pending: false, refusal: 'no-badge' },
];

/** A sample record of the account harbour_77. */
export function sampleAccount(changes: Record<string, unknown> = {}) {
  const { text: _text, ...filed } = sampleCase(2);
  return {
    ...sampleUser({ id: HARBOUR_ID, username: 'harbour_77', rate: 2.75, rank: 22, is_node_active: true }),
    anticheat: {
      ...{ efficiencyMultiplier: 0.5, penaltyLevel: 2, levelName: 'Level 2', isFlagged: true, riskScore: 50 },
      ...{ totalUsersOnIp: 4, otherUsersOnIp: 3, userIpCount: 2, warningMessage: null, cleared: false },
      ...{ mayAppeal: true, checkedAt: agoOf(8 * MINUTE_MS) },
    },
    addressKey: ADDRESS,
    support: [{ ...filed, text: '' }],
    streak: { days: 8, today: true },
    ...changes,
  };
}

/** An sdk of an operator who has Users open, with a sample account. */
export function usersSdk(open: string | null = null, options: TestSdkOptions = {}): TestSdk {
  const sdk = supportSdk(null, options);
  sdk.tabs.setParam('admin', 'view', 'users');
  sdk.tabs.setParam('admin', 'user', open);
  sdk.api
    .on(at.admin.users, ({ query }) => ({
      users: USERS.filter(
        ({ username, isAdmin }) =>
          username.startsWith(query?.search?.toLowerCase() ?? '') && (query?.role === undefined || isAdmin),
      ),
      nextCursor: null,
    }))
    .on(at.support.userDetail, ({ params }) => {
      if (params?.id !== HARBOUR_ID) throw problem(404, 'User not found', 'no-such-user');
      return sampleAccount();
    })
    .on(at.admin.network, sampleNetwork())
    .on(at.admin.ledger, ({ query: { source, cursor } = {} }) => {
      const entries = ENTRIES.filter((entry) => source === undefined || entry.source === source);
      const from = cursor ? entries.findIndex(({ seq }) => Number(seq) < Number(cursor)) : 0;
      const shown = entries.slice(from, from + 8);
      const nextCursor = (from + 8 < entries.length && shown.at(-1)?.seq) || null;
      return { entries: shown, open: 33, count: source === undefined ? 1_246 : entries.length, nextCursor };
    })
    .on(at.admin.mining, ({ query }) => ({
      sessions: query?.cursor ? MINED.slice(3) : MINED.slice(0, 3),
      nextCursor: query?.cursor ? null : '1764230400000',
    }))
    .on(at.admin.orders, { orders: [...ORDERS], nextCursor: null })
    .on(at.admin.claims, { claims: [...CLAIMS] })
    .on(at.admin.sessions, {
      sessions: [
        { createdAt: agoOf(HOUR_MS), expiresAt: agoOf(-HOUR_MS), lastSeenAt: agoOf(0), device: 'Chrome on Windows' },
        {
          createdAt: agoOf(9 * HOUR_MS),
          expiresAt: agoOf(-HOUR_MS),
          lastSeenAt: agoOf(HOUR_MS),
          device: 'Safari on iOS',
        },
      ],
    })
    .on(at.admin.endSessions, { ended: 2 })
    .on(at.support.audit, { entries: [...TRAIL], nextCursor: null, missing: [] });
  return sdk;
}
