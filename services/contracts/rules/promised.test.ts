import { expect, test } from 'vitest';
import * as bonuses from './bonuses.js';
import * as timings from './timings.js';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

/** Values promised to users (README.md#timings): other tests use the constants, so their numbers are fixed here. */
const PROMISED = {
  SAVE_INTERVAL_MS: 10 * SECOND,
  SAVE_UNSEEN_MS: MINUTE,
  START_DELAY_MS: 1_500,
  LEASE_MS: 8 * HOUR,
  HOURS_DAYS: 30,
  SESSION_MS: 7 * DAY,
  FRESH_SIGN_IN_MS: 10 * MINUTE,
  OAUTH_STATE_MS: 10 * MINUTE,
  LOGIN_SUCCESS_DELAY_MS: SECOND,
  ANTICHEAT_CACHE_MS: 5 * MINUTE,
  ANTICHEAT_RECHECK_MS: 30 * MINUTE,
  TASK_WINDOW_MS: 24 * HOUR,
  TASK_RELOAD_MS: 30 * SECOND,
  TASK_RELOAD_AFTER_CLAIM_MS: SECOND,
  TASK_RELOAD_AFTER_REFUSAL_MS: 500,
  TASK_VISIT_MIN_MS: 5 * SECOND,
  STATS_STALE_MS: 30 * SECOND,
  STATS_REFETCH_MS: MINUTE,
  REFERRALS_STALE_MS: 2 * MINUTE,
  LEADERBOARD_REFETCH_MS: 30 * SECOND,
  QUERY_STALE_MS: 5 * MINUTE,
  QUERY_CACHE_MS: 10 * MINUTE,
  QUERY_RETRIES: 2,
  TOAST_LONG_MS: 5 * SECOND,
  COPY_FEEDBACK_MS: 2 * SECOND,
  PURCHASE_RESET_MS: 5 * SECOND,
  SOL_PRICE_REFRESH_MS: 5 * MINUTE,
  SOL_PRICE_FALLBACK_USD: 50,
  WALLET_CONNECT_TIMEOUT_MS: 30 * SECOND,
  MINING_HISTORY_DEFAULT: 10,
  CHECKIN_HISTORY_DEFAULT_DAYS: 7,
  LEADERBOARD_DEFAULT: 10,
  LEADERBOARD_PERIOD_DEFAULT: 100,
  LEADERBOARD_MAX: 100,
  LEADERBOARD_SEARCH_MIN: 2,
};

/** Likewise each fixed amount (README.md#commission-and-referral-bonuses): micro-CORD, ms, lamports. */
const PAID = {
  REFERRER_BONUS_MICRO: 86_000_000n,
  REFERRER_BONUS_AFTER_MS: 10 * MINUTE,
  CORD_CLAIM_MICRO: 10_000_000_000n,
  COMPENSATION_MICRO: 5_000_000_000n,
  BADGE_PRICE_LAMPORTS: 20_000_000n,
};

test('every time and limit that a user meets has the promised value', () => {
  expect({ ...timings }).toMatchObject(PROMISED);
});

test('every fixed bonus, claim and price has the promised value', () => {
  expect({ ...bonuses }).toMatchObject(PAID);
});
