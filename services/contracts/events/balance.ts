import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, integerText, openEnum, timeMs } from './envelope.js';

/** Where a credit comes from (services/mining/ledger/README.md#credit). */
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
/** Sources on which the referrer earns commission (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export const COMMISSION_SOURCES: readonly Source[] = ['mining', 'task', 'checkin'];

/** A period total: the key is that of the day, week or month; an older key means 0 in the present one. */
const periodTotal = z.object({
  key: z.string(),
  micro: integerText,
  /** Of which mining alone. */
  miningMicro: integerText,
  /** When the total was reached, ms: ties rank by who was first. */
  reachedAt: timeMs,
});

/** The node as the ledger account holds it. */
const nodeState = z.object({
  status: openEnum(['idle', 'active', 'paused']),
  sessionId: id128.nullable(),
  startedAt: timeMs.nullable(),
  creditedUntil: timeMs.nullable(),
  leaseUntil: timeMs.nullable(),
  /** nano-CORD per minute while active, else 0. */
  rateNano: integerText,
  /** ms of node time in all ended and running sessions, as credited. */
  ranMs: z.number().int(),
});

/** The whole account after a change: state, not a delta. All amounts in micro-CORD. */
export const accountState = z.object({
  balance: integerText,
  total: integerText,
  totalReachedAt: timeMs,
  day: periodTotal,
  week: periodTotal,
  month: periodTotal,
  /** By source; a newer release may credit from one that this release does not have. */
  bySource: z.record(z.string(), integerText),
  node: nodeState,
  epoch: z.object({ id: z.string().nullable(), joinedAt: timeMs.nullable(), micro: integerText }),
});
export type AccountState = z.infer<typeof accountState>;

export const balanceChanged = eventKind('balance', 'changed', 1_728, accountState.shape);
