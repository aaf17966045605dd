import type { LeaderboardEntry, MinerPlaces } from '@cord/contracts/http/leaderboard';
import type { PublicUser } from '@cord/contracts/http/users';
import { PERIODS } from '@cord/contracts/rules/days';
import { at, createTestSdk, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';

const NAMES = [
  'halvard',
  'Priya N.',
  'old_lantern',
  'dusk_harbor',
  'tomasz.w',
  'the_very_long_discord_name_of_32',
  'Jiří Dvořák',
  'BlueHeron',
  'renata_',
  'kofi.mensah',
];

export function sampleEntry(rank: number, changes: Partial<LeaderboardEntry> = {}): LeaderboardEntry {
  const earned = Math.floor((312_480.12 / rank ** 0.6) * 100) / 100;
  return {
    rank,
    userId: rank.toString(16).padStart(32, 'a'),
    username: NAMES[rank - 1] ?? `miner_${rank}`,
    avatar: null,
    total_earned: earned,
    account_age: Math.max(0.3, 9.8 - rank * 0.2),
    is_node_active: rank % 3 !== 0,
    daily_earnings: 0,
    weekly_earnings: 0,
    monthly_earnings: 0,
    period_earned: earned,
    hasbadgeofhonor: rank % 4 === 1,
    multiplier: rank < 5 ? 10 : 3.5,
    ...changes,
  };
}

export function sampleRanking(count: number): LeaderboardEntry[] {
  return Array.from({ length: count }, (_, index) => sampleEntry(index + 1));
}

/** Public data of a miner. */
export function samplePerson(entry: LeaderboardEntry, changes: Partial<PublicUser> = {}): PublicUser {
  return {
    id: entry.userId,
    username: entry.username,
    avatar: entry.avatar,
    account_age: 6.2,
    join_date: new Date(Date.UTC(2026, 7, 11, 9)).toISOString(),
    total_earned: entry.total_earned,
    hasbadgeofhonor: entry.hasbadgeofhonor,
    is_node_active: entry.is_node_active,
    rank: entry.rank,
    ...changes,
  };
}

/** The miner at all-time rank 8. */
export const EIGHTH = sampleEntry(8, { total_earned: 89_740.2, hasbadgeofhonor: true, is_node_active: true });
export const EIGHTHS_PLACES: MinerPlaces = {
  ranks: [
    { period: 'all-time', rank: 8, earned: 89_740.2 },
    { period: 'monthly', rank: 6, earned: 46_210.33 },
    { period: 'weekly', rank: 4, earned: 12_880.07 },
    { period: 'daily', rank: null, earned: 0 },
  ],
  neighbours: [6, 7, 8, 9, 10].map((rank) => (rank === 8 ? EIGHTH : sampleEntry(rank))),
};

/** Ranks of a miner who has earned nothing yet. */
export const UNRANKED_PLACES: MinerPlaces = {
  ranks: PERIODS.map((period) => ({ period, rank: null, earned: 0 })),
  neighbours: [],
};

const user = sampleUser();
export const OWN = sampleEntry(137, {
  userId: user.id,
  username: 'Mara Okafor',
  period_earned: 48_213.57,
  account_age: 5.4,
  hasbadgeofhonor: false,
});
export const AHEAD = sampleEntry(136, { period_earned: 49_417.65 });

/** An sdk with a leaderboard service. */
export function rankingsSdk(entries: LeaderboardEntry[] = sampleRanking(100), options: TestSdkOptions = {}): TestSdk {
  const sdk = createTestSdk(options);
  sdk.api
    .on(at.leaderboard.list, ({ query }) => {
      const search = query?.search?.toLowerCase();
      return search === undefined ? entries : entries.filter((each) => each.username.toLowerCase().includes(search));
    })
    .on(at.leaderboard.me, { entry: OWN, neighbours: [AHEAD, OWN] })
    .on(at.leaderboard.miner, EIGHTHS_PLACES)
    .on(at.users.get, samplePerson(EIGHTH))
    .on(at.leaderboard.global, { totalMiners: 1_284, activeMiners: 212, totalMined: 7_912_483.2, onlineNow: 94 });
  return sdk;
}
