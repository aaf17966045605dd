/* Timings and limits, each with its unit; every such number is defined here. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Mining. For the lease see services/mining/ledger/README.md#accrual. */
export const SAVE_INTERVAL_MS = 10 * SECOND_MS;
/** Save interval while no tab of the browser is visible. */
export const SAVE_UNSEEN_MS = MINUTE_MS;
/** Interval at which a visible page reads its node while the live stream is away; each read is a contact that renews the lease. */
export const NODE_REFETCH_MS = MINUTE_MS;
/** A rate ends for everybody at once: each page waits a random time up to this before it requests how long the next one holds. */
export const RATE_READ_SPREAD_MS = MINUTE_MS;
export const START_DELAY_MS = 1_500;
export const LEASE_MS = 8 * HOUR_MS;
/** Number of UTC days whose hours can be explained, today included. */
export const HOURS_DAYS = 30;

/** Sign-in. */
export const SESSION_MS = 7 * DAY_MS;
/** Maximum age of the sign-in for calls that are `fresh` in their contract. */
export const FRESH_SIGN_IN_MS = 10 * MINUTE_MS;
export const OAUTH_STATE_MS = 10 * MINUTE_MS;
export const LOGIN_SUCCESS_DELAY_MS = SECOND_MS;

/** Anti-cheat: cached for 5 min, re-checked every 30 min. */
export const ANTICHEAT_CACHE_MS = 5 * MINUTE_MS;
export const ANTICHEAT_RECHECK_MS = 30 * MINUTE_MS;

/** Tasks and check-in. */
export const TASK_WINDOW_MS = DAY_MS;
export const TASK_RELOAD_MS = 30 * SECOND_MS;
export const TASK_RELOAD_AFTER_CLAIM_MS = SECOND_MS;
export const TASK_RELOAD_AFTER_REFUSAL_MS = 500;
export const TASK_VISIT_MIN_MS = 5 * SECOND_MS;

/** Server state in the browser. */
export const STATS_STALE_MS = 30 * SECOND_MS;
export const STATS_REFETCH_MS = MINUTE_MS;
export const REFERRALS_STALE_MS = 2 * MINUTE_MS;
export const LEADERBOARD_REFETCH_MS = 30 * SECOND_MS;
export const QUERY_STALE_MS = 5 * MINUTE_MS;
export const QUERY_CACHE_MS = 10 * MINUTE_MS;
export const QUERY_RETRIES = 2;

/** Feedback on the page. */
export const TOAST_LONG_MS = 5 * SECOND_MS;
export const COPY_FEEDBACK_MS = 2 * SECOND_MS;
export const PURCHASE_RESET_MS = 5 * SECOND_MS;

/** SOL price and wallet. */
export const SOL_PRICE_REFRESH_MS = 5 * MINUTE_MS;
export const SOL_PRICE_FALLBACK_USD = 50;
export const WALLET_CONNECT_TIMEOUT_MS = 30 * SECOND_MS;

/** Lists. */
export const MINING_HISTORY_DEFAULT = 10;
export const CHECKIN_HISTORY_DEFAULT_DAYS = 7;
export const LEADERBOARD_DEFAULT = 10;
export const LEADERBOARD_PERIOD_DEFAULT = 100;
export const LEADERBOARD_MAX = 100;
export const LEADERBOARD_SEARCH_MIN = 2;
