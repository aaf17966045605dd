import { expect, test } from 'vitest';
import * as bonuses from './bonuses.js';
import * as timings from './timings.js';

const [ofTimings, ofBonuses] = [{ ...timings }, { ...bonuses }];

/** The numbers of the specification, as its text has them: a constant that is changed by mistake is no longer the product. */
test.each<[keyof typeof timings, number]>([
  // Mining: save 10 s, once a minute while no tab is seen, start delay 1.5 s, lease 8 h.
  ['SAVE_INTERVAL_MS', 10_000],
  ['SAVE_UNSEEN_MS', 60_000],
  ['START_DELAY_MS', 1_500],
  ['LEASE_MS', 28_800_000],
  // Session 7 days, OAuth state 10 min, login success 1 s.
  ['SESSION_MS', 604_800_000],
  ['OAUTH_STATE_MS', 600_000],
  ['LOGIN_SUCCESS_DELAY_MS', 1_000],
  // Anti-cheat cached 5 min, checked again every 30 min.
  ['ANTICHEAT_CACHE_MS', 300_000],
  ['ANTICHEAT_RECHECK_MS', 1_800_000],
  // Tasks: window 24 h, reload every 30 s, 1 s after a claim, 0.5 s after a refusal, 5 s from visit to claim.
  ['TASK_WINDOW_MS', 86_400_000],
  ['TASK_RELOAD_MS', 30_000],
  ['TASK_RELOAD_AFTER_CLAIM_MS', 1_000],
  ['TASK_RELOAD_AFTER_REFUSAL_MS', 500],
  ['TASK_VISIT_MIN_MS', 5_000],
  // Global stats stale after 30 s, fetched every 60 s; referrals stale after 2 min; leaderboard every 30 s.
  ['STATS_STALE_MS', 30_000],
  ['STATS_REFETCH_MS', 60_000],
  ['REFERRALS_STALE_MS', 120_000],
  ['LEADERBOARD_REFETCH_MS', 30_000],
  // Data: retry 2, stale 5 min, cache 10 min.
  ['QUERY_STALE_MS', 300_000],
  ['QUERY_CACHE_MS', 600_000],
  ['QUERY_RETRIES', 2],
  // Toasts 4 s or 5 s, copy feedback 2 s, purchase button 5 s.
  ['TOAST_SHORT_MS', 4_000],
  ['TOAST_LONG_MS', 5_000],
  ['COPY_FEEDBACK_MS', 2_000],
  ['PURCHASE_RESET_MS', 5_000],
  // SOL price every 5 min, fallback 50; wallet 30,000 ms.
  ['SOL_PRICE_REFRESH_MS', 300_000],
  ['SOL_PRICE_FALLBACK_USD', 50],
  ['WALLET_CONNECT_TIMEOUT_MS', 30_000],
  // 10 sessions, 7 days of check-ins, 10 or 100 of the leaderboard, a search from 2 characters.
  ['MINING_HISTORY_DEFAULT', 10],
  ['CHECKIN_HISTORY_DEFAULT_DAYS', 7],
  ['LEADERBOARD_DEFAULT', 10],
  ['LEADERBOARD_PERIOD_DEFAULT', 100],
  ['LEADERBOARD_MAX', 100],
  ['LEADERBOARD_SEARCH_MIN', 2],
])('%s is %d, as specified', (name, specified) => {
  expect(ofTimings[name]).toBe(specified);
});

test.each<[keyof typeof bonuses, number | bigint]>([
  // 86 CORD for each friend who has run a node for 10 minutes in total.
  ['REFERRER_BONUS_MICRO', 86_000_000n],
  ['REFERRER_BONUS_AFTER_MS', 600_000],
  // 10,000 CORD for badge holders, 5,000 CORD of compensation, a badge for 20,000,000 lamports.
  ['CORD_CLAIM_MICRO', 10_000_000_000n],
  ['COMPENSATION_MICRO', 5_000_000_000n],
  ['BADGE_PRICE_LAMPORTS', 20_000_000n],
])('%s is %d, as specified', (name, specified) => {
  expect(ofBonuses[name]).toBe(specified);
});
