import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, integerText, openEnum, timeMs } from './envelope.js';

/** The source of a credit (services/mining/ledger/README.md#credit). */
export const SOURCES = [
  'mining',
  'welcome',
  'task',
  'checkin',
  'commission',
  'refbonus',
  'refwelcome',
  'compensation',
  'cordclaim',
  'correction',
] as const;
export type Source = (typeof SOURCES)[number];
export const source = z.enum(SOURCES);

/** Sources that count for the day, week and month rankings (services/contracts/rules/README.md#rankings). */
export const RANKED_SOURCES: readonly Source[] = ['mining', 'task', 'checkin', 'commission'];
/** Sources on which a referrer earns commission (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export const COMMISSION_SOURCES: readonly Source[] = ['mining', 'task', 'checkin'];

/** Total of one day, week or month, which `key` names. An older key means 0 in the current period. */
const periodTotal = z.object({
  key: z.string(),
  micro: integerText,
  /** The part that came from mining. */
  miningMicro: integerText,
  /** When the total was reached, ms: on a tie the earlier one ranks first. */
  reachedAt: timeMs,
});

/** The node in the ledger account. */
const nodeState = z.object({
  status: openEnum(['idle', 'active', 'paused']),
  sessionId: id128.nullable(),
  startedAt: timeMs.nullable(),
  creditedUntil: timeMs.nullable(),
  leaseUntil: timeMs.nullable(),
  /** nano-CORD per minute while active, else 0. */
  rateNano: integerText,
  /** Credited node time of all sessions, the running one included, ms. */
  ranMs: z.number().int(),
});

/** The whole account after a change, not a delta. All amounts in micro-CORD. */
export const accountState = z.object({
  balance: integerText,
  total: integerText,
  totalReachedAt: timeMs,
  day: periodTotal,
  week: periodTotal,
  month: periodTotal,
  /** Totals by source. A newer release may credit from a source unknown to this release. */
  bySource: z.record(z.string(), integerText),
  node: nodeState,
  epoch: z.object({ id: z.string().nullable(), joinedAt: timeMs.nullable(), micro: integerText }),
});
export type AccountState = z.infer<typeof accountState>;

export const balanceChanged = eventKind('balance', 'changed', 1_728, accountState.shape);
