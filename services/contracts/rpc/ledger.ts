import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { accountState, source } from '../events/balance.js';
import { integerText, timeMs } from '../events/envelope.js';
import { type EpochRow, epochRow, ruleBook } from '../events/rewards.js';
import { id128, slug } from '../http/fields.js';
import { cord } from '../rules/money.js';
import { rpc } from './rpc.js';

/** Maximum step of a commission total, micro-CORD (services/mining/ledger/README.md#commission). */
export const COMMISSION_STEP_MICRO: bigint = cord(1_000_000);

export const creditRequest = z.object({
  userId: id128,
  /** Idempotency key, unique forever (services/mining/ledger/README.md#credit). */
  key: z.string().min(3).max(200),
  source,
  amountMicro: integerText,
  reason: z.string().max(200),
});
export type CreditRequest = z.infer<typeof creditRequest>;

/** The entry, and the account after it. */
export const creditReply = z.object({
  key: z.string(),
  /** True when the entry existed already and this request did not write it. */
  replayed: z.boolean(),
  amountMicro: integerText,
  balanceMicro: integerText,
  seq: integerText,
  at: timeMs,
});

/** Problem type of every request for an erased user: there is no user to credit, now or later. */
export const ERASED_USER = 'erased-user';

/** Subject filter of all credits. The last token is the caller; NATS lets each service publish only its own. */
export const ALL_CREDITS = 'cord.rpc.v1.ledger.credit.*';

/** One credit subject per caller, so that NATS permissions separate callers. */
export function creditRpc(caller: ServiceName) {
  const parties = { from: [caller], by: 'mining', byPartition: true, servedAt: ALL_CREDITS } as const;
  return rpc(`ledger.credit.${caller}`, parties, creditRequest, creditReply);
}

/**
 * Reports the running total of a referrer's commission to the ledger. A total not above the ledger's own changes nothing. One step adds
 * at most COMMISSION_STEP_MICRO; the reply has the total reached. `mayWait`: for a running node it is written with the account's next
 * write, at most half a minute after the last one. A crash in between loses the report, so the caller must repeat it.
 */
export const accrueCommissionRpc = rpc(
  'ledger.accrue.referrals',
  { from: ['referrals'], by: 'mining', byPartition: true },
  z.object({ userId: id128, totalMicro: integerText, mayWait: z.boolean().optional() }),
  z.object({ totalMicro: integerText, balanceMicro: integerText, seq: integerText }),
);

/**
 * A user's earnings from some sources since a time, newest first, at most EARNINGS_MAX; open commission is first. An
 * unknown user has none. The total covers all earnings since then.
 */
export const earningsRpc = rpc(
  'ledger.earnings',
  { from: ['tasks', 'referrals', 'notices'], by: 'mining', toEach: true },
  z.object({ userId: id128, sources: z.array(source).min(1), sinceMs: timeMs }),
  z.object({
    earnings: z.array(z.object({ at: timeMs, source, amountMicro: integerText })),
    /** Total of all earnings, including those that the list omits. */
    totalMicro: integerText,
  }),
);
export const EARNINGS_MAX = 1_000;

/** Opens an account; idempotent. `at` is when the user joined: credits promised since then are made, however late the account opens. */
export const openAccount = rpc(
  'ledger.open.auth',
  { from: ['auth'], by: 'mining' },
  z.object({ userId: id128, discordCreatedAt: timeMs, at: timeMs }),
  z.object({ seq: integerText, created: z.boolean() }),
);

/**
 * The running nodes, in groups with equal factors apart from the epoch, by their tier at a time. Above a bound they are a sample,
 * and the reply has the total.
 */
export const runningRpc = rpc(
  'ledger.running',
  { from: ['rewards'], by: 'mining', toEach: true },
  z.object({ at: timeMs }),
  z.object({
    /** All running nodes; an estimate when sampled. */
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

/** The ledger pays by the later of two overlapping epochs, so a table with overlaps could not be compared with another one. */
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
 * Hands the table of rules, epochs and books, to the ledger before it is published. `stored`: every replica pays by it, or by a later one.
 * `late`: it would change payments too soon (rules/epochs.ts), or its version holds another table; it is never stored. Without books the
 * stored ones stay.
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
    /** The highest version stored or refused; the next table from rewards needs a higher one. */
    version: integerText,
    /** With `late`: the table that the ledger pays by. */
    table: z.object({ epochs: z.array(epochRow.omit({ description: true })), books: z.array(ruleBook) }).optional(),
  }),
);
export type EpochsReply = z.output<typeof epochsRpc.reply>;

/** The books that the ledger pays by, future ones included; by rising `fromMs`. */
export const rulesRpc = rpc(
  'ledger.rules',
  { from: ['auth', 'tasks', 'leaderboard', 'notices'], by: 'mining' },
  z.object({}),
  z.object({ version: integerText, books: z.array(ruleBook).min(1) }),
);

/** Factors of one user's rate, x 100. */
const factorsState = z.object({
  discordCreatedAt: timeMs,
  tierHundredths: z.number().int(),
  antiCheatHundredths: z.number().int(),
  badge: z.boolean(),
  epochHundredths: z.number().int(),
  /** Current rate of this user's node while running, nano-CORD per minute. */
  rateNano: integerText,
});

export const accountReply = accountState.extend({
  userId: id128,
  seq: integerText,
  factors: factorsState,
  /** The user was erased: the account is closed and no longer changes. */
  erased: z.boolean(),
});

/** The account settled to now, without writing it. */
export const accountRpc = rpc(
  'ledger.account',
  { from: ['auth', 'tasks'], by: 'mining' },
  z.object({ userId: id128 }),
  accountReply.nullable(),
);

/** The same for a caller that cannot continue without it: entering a code, and the books of a friend who was erased. */
export const friendAccountRpc = rpc(
  'ledger.account.referrals',
  { from: ['referrals'], by: 'mining', toEach: true },
  accountRpc.request,
  accountRpc.reply,
);
