import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { accountState, source } from '../events/balance.js';
import { integerText, timeMs } from '../events/envelope.js';
import { type EpochRow, epochRow, ruleBook } from '../events/rewards.js';
import { id128, slug } from '../http/fields.js';
import { cord } from '../rules/money.js';
import { rpc } from './rpc.js';

/** What one total of commission adds at most, micro-CORD (services/mining/ledger/README.md#commission). */
export const COMMISSION_STEP_MICRO: bigint = cord(1_000_000);

export const creditRequest = z.object({
  userId: id128,
  /** Idempotency key, unique for ever (services/mining/ledger/README.md#credit). */
  key: z.string().min(3).max(200),
  source,
  amountMicro: integerText,
  reason: z.string().max(200),
});
export type CreditRequest = z.infer<typeof creditRequest>;

/** The entry and the account after it. */
export const creditReply = z.object({
  key: z.string(),
  /** Whether this request wrote the entry, or found it written before. */
  replayed: z.boolean(),
  amountMicro: integerText,
  balanceMicro: integerText,
  seq: integerText,
  at: timeMs,
});

/** Type of the refusal of every request for a user who was erased: there is no user to credit, now or later. */
export const ERASED_USER = 'erased-user';

/** Its last token is the caller; NATS lets each service publish its own only. */
export const ALL_CREDITS = 'cord.rpc.v1.ledger.credit.*';

/** One credit subject for each caller, so that NATS permissions separate callers. */
export function creditRpc(caller: ServiceName) {
  const parties = { from: [caller], by: 'mining', byPartition: true, servedAt: ALL_CREDITS } as const;
  return rpc(`ledger.credit.${caller}`, parties, creditRequest, creditReply);
}

/**
 * Reports to the ledger the running total of a referrer's commission. A total that is not larger
 * than the ledger's own changes nothing; one step takes at most COMMISSION_STEP_MICRO, and the reply has how far it came.
 * `mayWait`: of a running node it is written with the account's next write, half a minute after the last one at the latest, and a crash
 * in between loses the report: for a caller who reports the same and more again.
 */
export const accrueCommissionRpc = rpc(
  'ledger.accrue.referrals',
  { from: ['referrals'], by: 'mining', byPartition: true },
  z.object({ userId: id128, totalMicro: integerText, mayWait: z.boolean().optional() }),
  z.object({ totalMicro: integerText, balanceMicro: integerText, seq: integerText }),
);

/**
 * What came to a user from some sources since a time, newest first, at most EARNINGS_MAX; commission that stands open is
 * the first of them. An unknown user has none. The total is of all that came since then.
 */
export const earningsRpc = rpc(
  'ledger.earnings',
  { from: ['tasks', 'referrals', 'notices'], by: 'mining', toEach: true },
  z.object({ userId: id128, sources: z.array(source).min(1), sinceMs: timeMs }),
  z.object({
    earnings: z.array(z.object({ at: timeMs, source, amountMicro: integerText })),
    /** What all of it comes to, also what the list leaves out. */
    totalMicro: integerText,
  }),
);
export const EARNINGS_MAX = 1_000;

/** Opens an account; idempotent. `at` is when the user came: what was promised since then is credited, however late the account opens. */
export const openAccount = rpc(
  'ledger.open.auth',
  { from: ['auth'], by: 'mining' },
  z.object({ userId: id128, discordCreatedAt: timeMs, at: timeMs }),
  z.object({ seq: integerText, created: z.boolean() }),
);

/**
 * The nodes that run now, in groups that earn alike beside the epoch, by their tier at a time. Beyond a bounded number they are a sample, which
 * states how many it stands for.
 */
export const runningRpc = rpc(
  'ledger.running',
  { from: ['rewards'], by: 'mining', toEach: true },
  z.object({ at: timeMs }),
  z.object({
    /** All that run; an estimate where not every one was looked at. */
    running: z.number().int(),
    sampled: z.number().int(),
    isWhole: z.boolean(),
    groups: z.array(
      z.object({
        tierHundredths: z.number().int(),
        antiCheatHundredths: z.number().int(),
        badge: z.boolean(),
        nodes: z.number().int(),
      }),
    ),
  }),
);

/** The ledger pays by the later of two epochs that overlap: a table that has such could not be compared with another one. */
const areApart = (epochs: readonly EpochRow[]): boolean => {
  const inOrder = [...epochs].sort((one, other) => one.startAt - other.startAt);
  const ids = new Set(epochs.map(({ id }) => id));
  return (
    ids.size === epochs.length && inOrder.every(({ startAt }, n) => n === 0 || startAt >= (inOrder[n - 1]?.endAt ?? 0))
  );
};
const isRising = (books: readonly { fromMs: number }[]): boolean =>
  books.every(({ fromMs }, n) => n === 0 || fromMs > (books[n - 1]?.fromMs ?? 0));

/**
 * Hands the ledger the table of rules, epochs and books, before it is published. `stored`: every replica pays by it, or by a later one. `late`: it would pay
 * otherwise too soon (rules/epochs.ts), or another table stands under its version, and it is never stored. Without books the stored ones stay.
 */
export const epochsRpc = rpc(
  'ledger.epochs',
  { from: ['rewards'], by: 'mining', toEach: true },
  z.object({
    version: integerText,
    epochs: z
      .array(epochRow.extend({ id: slug, name: z.string().max(80) }))
      .refine(areApart, 'must be apart, each with an id of its own'),
    books: z.array(ruleBook).refine(isRising, 'must rise').optional(),
  }),
  z.object({
    outcome: z.enum(['stored', 'late']),
    /** The highest version that is stored or refused: what rewards hands over next is above it. */
    version: integerText,
    /** With `late`: what the ledger pays by. */
    table: z.object({ epochs: z.array(epochRow.omit({ description: true })), books: z.array(ruleBook) }).optional(),
  }),
);
export type EpochsReply = z.output<typeof epochsRpc.reply>;

/** The books that the ledger pays by, with those that are to come; by rising `fromMs`. */
export const rulesRpc = rpc(
  'ledger.rules',
  { from: ['auth', 'tasks', 'leaderboard', 'notices'], by: 'mining' },
  z.object({}),
  z.object({ version: integerText, books: z.array(ruleBook).min(1) }),
);

/** What the rate is made of for one user, x 100. */
const factorsState = z.object({
  discordCreatedAt: timeMs,
  tierHundredths: z.number().int(),
  antiCheatHundredths: z.number().int(),
  badge: z.boolean(),
  epochHundredths: z.number().int(),
  /** nano-CORD per minute that a running node of this user earns now. */
  rateNano: integerText,
});

export const accountReply = accountState.extend({
  userId: id128,
  seq: integerText,
  factors: factorsState,
  /** The user was erased: the account is closed, and stays as it stands. */
  erased: z.boolean(),
});

/** The account settled to now, without a write. */
export const accountRpc = rpc(
  'ledger.account',
  { from: ['auth', 'tasks'], by: 'mining' },
  z.object({ userId: id128 }),
  accountReply.nullable(),
);

/** The same for who cannot go on without it: the entry of a code, and the books of a friend who is gone. */
export const friendAccountRpc = rpc(
  'ledger.account.referrals',
  { from: ['referrals'], by: 'mining', toEach: true },
  accountRpc.request,
  accountRpc.reply,
);
