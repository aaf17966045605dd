import * as at from '@cord/contracts/addresses/admin';
import * as support from '@cord/contracts/addresses/support';
import type { ListedUser, UserNetwork } from '@cord/contracts/http/admin';
import { problem, SAMPLE_NOW_MS, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
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
    ...{ level: users > 3 ? 2 : 0, minedMs: hours * HOUR_MS },
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
  };
});

/** What is there of the account of harbour_77. */
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
    ...changes,
  };
}

/** An sdk of an operator who has Users open, with an account of its own. */
export function usersSdk(open: string | null = null, options: TestSdkOptions = {}): TestSdk {
  const sdk = supportSdk(null, options);
  sdk.tabs.setParam('admin', 'view', 'users');
  sdk.tabs.setParam('admin', 'user', open);
  sdk.api
    .on(at.users, ({ query }) => ({
      users: USERS.filter(
        ({ username, isAdmin }) =>
          username.startsWith(query?.search?.toLowerCase() ?? '') && (query?.role === undefined || isAdmin),
      ),
      nextCursor: null,
    }))
    .on(support.userDetail, ({ params }) => {
      if (params?.id !== HARBOUR_ID) throw problem(404, 'User not found', 'no-such-user');
      return sampleAccount();
    })
    .on(at.network, sampleNetwork())
    .on(at.ledger, ({ query }) =>
      query?.cursor
        ? { entries: ENTRIES.slice(8), open: 33, nextCursor: null }
        : { entries: ENTRIES.slice(0, 8), open: 33, nextCursor: '1239' },
    )
    .on(at.sessions, {
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
    .on(at.endSessions, { ended: 2 })
    .on(support.audit, { entries: [...TRAIL], nextCursor: null, missing: [] });
  return sdk;
}
