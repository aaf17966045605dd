import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { createTestSdk, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';

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

const user = sampleUser();
export const OWN = sampleEntry(137, {
  userId: user.id,
  username: 'Mara Okafor',
  period_earned: 48_213.57,
  account_age: 5.4,
  hasbadgeofhonor: false,
});
export const AHEAD = sampleEntry(136, { period_earned: 49_417.65 });

/** An sdk whose leaderboard answers. */
export function rankingsSdk(entries: LeaderboardEntry[] = sampleRanking(100), options: TestSdkOptions = {}): TestSdk {
  const sdk = createTestSdk(options);
  sdk.api
    .on(leaderboardEndpoints.list, ({ query }) => {
      const search = query?.search?.toLowerCase();
      return search === undefined ? entries : entries.filter((each) => each.username.toLowerCase().includes(search));
    })
    .on(leaderboardEndpoints.me, { entry: OWN, neighbours: [AHEAD, OWN] })
    .on(leaderboardEndpoints.stats, { totalMiners: 1_284, activeMiners: 212, total_earned: 7_912_483.2 });
  return sdk;
}
