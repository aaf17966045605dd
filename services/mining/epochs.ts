import { epochsRpc, rulesRpc } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS, firstChangeMs, type PayTable } from '@cord/contracts/rules/epochs';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { Refreshed } from '@cord/kit/shared';
import type { EpochTimes } from './ledger/epochs.js';
import type { EpochsInUse } from './ledger/epochs-in-use.js';
import { busy } from './ledger/refusal.js';
import { withProblems } from './problems.js';
import type { Reads } from './store/reads.js';

/** Tries to decide about one table while others are decided. */
const TRIES_MAX = 8;
/** A book is stored before any answer from which others may still pay as it begins (kit/rules.ts), ms. */
const BOOKS_AHEAD_MS = RULES_AGE_MS_MAX + EPOCHS_AHEAD_MS;

interface Offered {
  version: bigint;
  epochs: readonly EpochTimes[];
  /** Absent from a caller that has none: the stored ones stay. */
  books?: readonly RuleBook[] | undefined;
}

type StoredTable = NonNullable<Awaited<ReturnType<Reads['epochs']>>>;
type StoredEpochs = Pick<Reads, 'epochs' | 'saveEpochs' | 'refuseEpochs'>;

/**
 * Stores a table, or refuses it for good, by one conditional write: a request that comes again, to whichever replica, gets the same answer. So nothing is paid by a
 * table that came too late for some replicas and in time for others.
 * @returns the stored table: this one, or a later one; null when this one is late, which is when it pays otherwise than the stored one within
 *   EPOCHS_AHEAD_MS, or by another book within BOOKS_AHEAD_MS
 * @throws LedgerRefusal `busy` when others decide all the while
 */
export async function takeEpochs(
  reads: StoredEpochs,
  now: () => number,
  { version, epochs, books }: Offered,
): Promise<StoredTable | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await reads.epochs();
    if (stored && stored.version >= version) return stored;
    if (stored && (stored.refused ?? 0n) >= version) return null;
    const known = stored?.books ?? FIRST_BOOKS;
    const offered = { epochs, books: books ?? known };
    if (stored && isLate({ epochs: stored.epochs, books: known }, offered, now())) await reads.refuseEpochs(version);
    else
      await reads.saveEpochs(
        { _id: 'table', version, ...offered, epochs: epochs.map(timesOf) },
        stored?.version ?? null,
      );
  }
  throw busy();
}

function isLate(before: PayTable, offered: PayTable, nowMs: number): boolean {
  const firstMs = firstChangeMs(before, offered) ?? Number.POSITIVE_INFINITY;
  const bookMs = firstChangeMs(before, { ...offered, epochs: before.epochs }) ?? Number.POSITIVE_INFINITY;
  return firstMs < nowMs + EPOCHS_AHEAD_MS || bookMs < nowMs + BOOKS_AHEAD_MS;
}

interface Serving {
  reads: StoredEpochs;
  epochs: EpochsInUse;
  fresh: Pick<Refreshed, 'demand'>;
  now: () => number;
}

/**
 * Answers rewards, which owns the table, and services that pay by its books: what is stored here holds for every replica (epochs-in-use.ts).
 * @returns what to stop
 */
export function serveEpochs(nats: Pick<Nats, 'serve'>, { reads, epochs, fresh, now }: Serving): Consuming[] {
  return [
    nats.serve(epochsRpc, (request) =>
      withProblems(async () => {
        const offered = { ...request, version: microFromString(request.version) };
        const stored = await takeEpochs(reads, now, offered);
        if (!stored) return { outcome: 'late' };
        epochs.offer(stored.version, stored.epochs, stored.books);
        return { outcome: 'stored' };
      }),
    ),
    nats.serve(rulesRpc, () =>
      withProblems(async () => {
        await fresh.demand();
        const { version, books } = epochs.table();
        return { version: microToString(version), books: [...books] };
      }),
    ),
  ];
}

/** What is stored of an epoch. */
function timesOf({ id, name, multiplierHundredths, startAt, endAt }: EpochTimes) {
  return { id, name, multiplierHundredths, startAt, endAt };
}
