import type { ServiceName } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { LARGEST_CREDIT_MICRO as MOST } from '@cord/contracts/rules/bonuses';
import { cord } from '@cord/contracts/rules/money';

/**
 * Who may credit which source, and the maximum per credit, micro-CORD. The table is the ledger's own: a service's
 * manifest gives no right here. Commission is missing: it is reported as a rising total.
 */
export const CREDIT_TABLE: Readonly<Partial<Record<ServiceName, Readonly<Partial<Record<Source, bigint>>>>>> = {
  auth: { welcome: MOST.welcome },
  tasks: { task: MOST.task, checkin: MOST.checkin },
  referrals: { refbonus: MOST.refbonus, refwelcome: MOST.refwelcome },
  rewards: { compensation: MOST.compensation, cordclaim: MOST.cordclaim },
};

/** Maximum credits of a source in one user's UTC day. */
export interface DayLimit {
  /** Number of credits; absent for a source that accrues. */
  readonly credits?: number;
  /** micro-CORD. */
  readonly micro: bigint;
}

/** Sources credited by other services; mining is the ledger's own. */
export type DayLimits = Readonly<Partial<Record<Source, DayLimit>>>;

/**
 * Maximum per source in one user's UTC day. The limits exceed honest use: late credits after an outage of a week, and a
 * referrer of ten million CORD a day. Credits above are refused temporarily, so that an honest credit succeeds the next
 * day. They are counted and raise an alert. This caps the daily gain from a service's stolen password.
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
