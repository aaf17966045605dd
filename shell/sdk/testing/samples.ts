import type * as supportEndpoints from '@cord/contracts/addresses/support';
import type * as userEndpoints from '@cord/contracts/addresses/users';
import type { ResponseOf } from '@cord/contracts/calls';
import type { MiningSession } from '@cord/contracts/http/mining';
import type { PublicRules } from '@cord/contracts/http/rules';
import type { User } from '@cord/contracts/http/users';
import { FIRST_BOOK, type RuleBook } from '@cord/contracts/rules/rule-book';

/** Saturday 21 November 2026, 11:03:17 UTC: the moment of the pictures in the catalogue. */
export const SAMPLE_NOW_MS = Date.UTC(2026, 10, 21, 11, 3, 17);

const iso = (ms: number) => new Date(ms).toISOString();
const HOUR_MS = 3_600_000;

/** A user with an account age of 5.4 years in epoch Beta, without badge. */
export function sampleUser(changes: Partial<User> = {}): User {
  return {
    id: '0123456789abcdef0123456789abcdef',
    username: 'mara.okafor',
    discriminator: null,
    avatar: null,
    account_age: 5.4,
    join_date: iso(Date.UTC(2026, 9, 3, 9, 30)),
    multiplier: 3.5,
    total_earned: 48_213.57,
    current_balance: 48_213.57,
    lastsavedbalance: 48_213.57,
    weekly_earnings: 1_432.87,
    monthly_earnings: 12_880.92,
    daily_earnings: 425.71,
    referralCode: 'K7M2QX9D',
    referred_by: 'old_lantern',
    referralEarnings: 1_398.55,
    totalReferrals: 7,
    rank: 37,
    last_login_time: iso(SAMPLE_NOW_MS - 4 * HOUR_MS),
    is_node_active: false,
    node_start_time: null,
    tasks_completed: 3,
    daily_checkin_claimed: false,
    hasbadgeofhonor: false,
    comp_claim: false,
    currentEpochId: 'beta',
    epochJoinDate: iso(SAMPLE_NOW_MS - 200 * HOUR_MS),
    totalEpochEarnings: 9_120.4,
    efficiencyMultiplier: 1,
    rate: 1.925,
    balanceSeq: '100',
    balanceAt: iso(SAMPLE_NOW_MS),
    locale: 'en',
    theme: 'system',
    isAdmin: false,
    serverTime: iso(SAMPLE_NOW_MS),
    ...changes,
  };
}

/** A session that has run for 3 h 42 min 17 s and earned 419.33 CORD. */
export function sampleMining(changes: Partial<MiningSession> = {}): MiningSession {
  return {
    id: 'fedcba9876543210fedcba9876543210',
    startedAt: iso(SAMPLE_NOW_MS - (3 * HOUR_MS + 42 * 60_000 + 17_000)),
    endedAt: null,
    earnings: 419.33,
    hashRate: 184.2,
    efficiency: 98,
    rate: 1.925,
    rateNano: '1925000000',
    factors: { tier: 3.5, antiCheat: 1, badge: false, epoch: 1.1, epochId: 'beta' },
    rateUntil: null,
    nextFactors: null,
    nextRateNano: null,
    status: 'active',
    creditedUntil: iso(SAMPLE_NOW_MS),
    leaseUntil: iso(SAMPLE_NOW_MS + 8 * HOUR_MS),
    serverTime: iso(SAMPLE_NOW_MS),
    ...changes,
  };
}

type AnticheatStatus = ResponseOf<typeof supportEndpoints.anticheat>;

/** Network check of a user who is alone at their address. */
export function sampleCheck(changes: Partial<AnticheatStatus> = {}): AnticheatStatus {
  return {
    efficiencyMultiplier: 1,
    penaltyLevel: 0,
    levelName: 'Clean',
    isFlagged: false,
    riskScore: 0,
    totalUsersOnIp: 1,
    otherUsersOnIp: 0,
    userIpCount: 1,
    warningMessage: null,
    cleared: false,
    mayAppeal: false,
    checkedAt: iso(SAMPLE_NOW_MS),
    ...changes,
  };
}

type Settings = ResponseOf<typeof userEndpoints.getSettings>;

/** Settings of a user who has changed nothing. */
export function sampleSettings(changes: Partial<Settings> = {}): Settings {
  return { autoStart: false, notifications: false, notices: {}, quietHours: null, ...changes };
}

/** Rules with a second book in force, with other numbers. */
export function sampleRules(changes: Partial<RuleBook> = {}): PublicRules {
  const first = { ...FIRST_BOOK, announcedAtMs: null, reason: '', sooner: null };
  const fromMs = SAMPLE_NOW_MS - 24 * HOUR_MS;
  const announced = { announcedAtMs: fromMs - 72 * HOUR_MS, reason: 'Numbers change' };
  return { books: [first, { ...first, version: 2, fromMs, ...announced, ...changes }], epochs: [] };
}
