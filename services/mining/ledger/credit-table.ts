import type { ServiceName } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { LARGEST_CREDIT_MICRO as MOST } from '@cord/contracts/rules/bonuses';
import { cord } from '@cord/contracts/rules/money';

/**
 * Who may credit what, and up to how many micro-CORD at once. It is the ledger's own table: what a service's manifest declares of its
 * credits gives it no right here. Commission is not among it: it comes as a total that rises.
 */
export const CREDIT_TABLE: Readonly<Partial<Record<ServiceName, Readonly<Partial<Record<Source, bigint>>>>>> = {
  auth: { welcome: MOST.welcome },
  tasks: { task: MOST.task, checkin: MOST.checkin },
  referrals: { refbonus: MOST.refbonus, refwelcome: MOST.refwelcome },
  rewards: { compensation: MOST.compensation, cordclaim: MOST.cordclaim },
};

/** What one user's UTC day takes of a source at most. */
export interface DayLimit {
  /** Number of credits; absent for a source that accrues. */
  readonly credits?: number;
  /** micro-CORD. */
  readonly micro: bigint;
}

/** Sources that others credit; mining is the ledger's own. */
export type DayLimits = Readonly<Partial<Record<Source, DayLimit>>>;

/**
 * What one user's UTC day takes of each source at most. The limits are above what honest callers credit: what comes late after an
 * outage of a week, and a referrer of ten million CORD a day. What is above is refused for now, so that an honest promise is kept
 * the day after, and counted, so that an alert fires: a stolen password of a service is worth so much a day.
 */
export const DAY_LIMITS: DayLimits = {
  welcome: { credits: 1, micro: MOST.welcome },
  refbonus: { credits: 1, micro: MOST.refbonus },
  compensation: { credits: 1, micro: MOST.compensation },
  cordclaim: { credits: 1, micro: MOST.cordclaim },
  checkin: { credits: 8, micro: 8n * MOST.checkin },
  task: { credits: 1_000, micro: 2n * MOST.task },
  refwelcome: { credits: 1_000, micro: 1_000n * MOST.refwelcome },
  commission: { micro: cord(10_000_000) },
  correction: { credits: 4, micro: 4n * MOST.correction },
} satisfies Record<Exclude<Source, 'mining'>, DayLimit>;
