import { type EpochsReply, epochsRpc, rulesRpc } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS, firstChangeMs, type PayTable } from '@cord/contracts/rules/epochs';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { isPossible } from '@cord/kit/nats/possible';
import { refused } from '@cord/kit/problem';
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
/** What became of a table, and what is paid by then: this one, a later one, or the one before where it is late. */
interface Decided {
  outcome: EpochsReply['outcome'];
  stored: StoredTable;
}

/**
 * Stores a table, or refuses it for good, by one conditional write: a request that comes again, to whichever replica, gets the same answer. So nothing is paid by a
 * table that came too late for some replicas and in time for others. Late is what pays otherwise than the stored one within EPOCHS_AHEAD_MS, or by another book within
 * BOOKS_AHEAD_MS; and what pays otherwise than the one that stands under its version.
 * @throws LedgerRefusal `busy` when others decide all the while; Problem 422 for a version that no document can have by now
 */
export async function takeEpochs(
  reads: StoredEpochs,
  now: () => number,
  { version, epochs, books }: Offered,
): Promise<Decided> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await reads.epochs();
    // As of an event (kit/nats/possible.ts): whoever is rewards for a while leaves its owner versions to rise to.
    if (!isPossible(version, now())) throw refused('version-too-far', `No table has version ${version} yet`);
    const known = stored?.books ?? FIRST_BOOKS;
    const offered = { epochs, books: books ?? known };
    const paid = stored && { epochs: stored.epochs, books: known };
    if (stored && stored.version >= version) {
      const isAnother = stored.version === version && paid !== null && firstChangeMs(paid, offered) !== null;
      return { outcome: isAnother ? 'late' : 'stored', stored };
    }
    if (stored && decidedOf(stored) >= version) return { outcome: 'late', stored };
    if (paid && isLate(paid, offered, now())) await reads.refuseEpochs(version);
    else
      await reads.saveEpochs(
        { _id: 'table', version, ...offered, epochs: epochs.map(timesOf) },
        stored?.version ?? null,
      );
  }
  throw busy();
}

/** The highest version that is stored or refused. */
function decidedOf(stored: StoredTable | null): bigint {
  const { version = 0n, refused: late } = stored ?? {};
  return late !== undefined && late > version ? late : version;
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
        const { outcome, stored } = await takeEpochs(reads, now, offered);
        epochs.offer(stored.version, stored.epochs, stored.books);
        const reply = { outcome, version: microToString(decidedOf(stored)) };
        if (outcome === 'stored') return reply;
        return { ...reply, table: { epochs: stored.epochs, books: [...(stored.books ?? FIRST_BOOKS)] } };
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
