import { type EpochsReply, epochsRpc, rulesRpc } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS, firstChangeMs, type PayTable } from '@cord/contracts/rules/epochs';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import { FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { isPossibleVersion } from '@cord/kit/nats/possible-version';
import { refused } from '@cord/kit/problem';
import type { Refreshed } from '@cord/kit/shared';
import type { EpochTimes } from './ledger/epochs.js';
import type { EpochsInUse } from './ledger/epochs-in-use.js';
import { busy } from './ledger/refusal.js';
import { withProblems } from './problems.js';
import type { Reads } from './store/reads.js';

/** Maximum number of attempts to store one table under concurrent writes. */
const TRIES_MAX = 8;
/** A book must be stored at least this long before it begins, ms: until then others may pay by older replies (kit/rules.ts). */
const BOOKS_AHEAD_MS = RULES_AGE_MS_MAX + EPOCHS_AHEAD_MS;

interface Offered {
  version: bigint;
  epochs: readonly EpochTimes[];
  /** Absent when the caller has none: the stored books stay. */
  books?: readonly RuleBook[] | undefined;
}

type StoredTable = NonNullable<Awaited<ReturnType<Reads['epochs']>>>;
type StoredEpochs = Pick<Reads, 'epochs' | 'saveEpochs' | 'refuseEpochs'>;
/** The outcome for an offered table, and the table in force: this one, a later one, or the former one when this is late. */
interface Decided {
  outcome: EpochsReply['outcome'];
  stored: StoredTable;
}

/**
 * Stores a table, or refuses it for good, by one conditional write. A repeated request gets the same reply from every
 * replica, so no replica pays by a table that was late for others. A table is late when it changes the pay within
 * EPOCHS_AHEAD_MS, or changes the book within BOOKS_AHEAD_MS, or differs from the stored table of its version.
 * @throws LedgerRefusal `busy` after too many concurrent writes; Problem 422 for a version that is too high to be possible
 */
export async function storeEpochs(
  reads: StoredEpochs,
  now: () => number,
  { version, epochs, books }: Offered,
): Promise<Decided> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await reads.epochs();
    // Same check as for events (kit/nats/possible-version.ts): an impostor of rewards cannot use up the versions of the real one.
    if (!isPossibleVersion(version, now())) throw refused('version-too-far', `No table has version ${version} yet`);
    const known = stored?.books ?? FIRST_BOOKS;
    const offered = { epochs, books: books ?? known };
    const paid = stored && { epochs: stored.epochs, books: known };
    if (stored && stored.version >= version) {
      const isAnother = stored.version === version && paid !== null && firstChangeMs(paid, offered) !== null;
      return { outcome: isAnother ? 'late' : 'stored', stored };
    }
    if (stored && highestDecided(stored) >= version) return { outcome: 'late', stored };
    if (paid && isLate(paid, offered, now())) await reads.refuseEpochs(version);
    else
      await reads.saveEpochs(
        { _id: 'table', version, ...offered, epochs: epochs.map(timesOf) },
        stored?.version ?? null,
      );
  }
  throw busy();
}

/** Returns the highest version that is stored or refused. */
function highestDecided(stored: StoredTable | null): bigint {
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
  fresh: Pick<Refreshed, 'ensureFresh'>;
  now: () => number;
}

/**
 * Serves rewards, which owns the table, and services that pay by its books. The stored table holds for every replica (epochs-in-use.ts).
 * @returns what to stop
 */
export function serveEpochs(nats: Pick<Nats, 'serve'>, { reads, epochs, fresh, now }: Serving): Consuming[] {
  return [
    nats.serve(epochsRpc, (request) =>
      withProblems(async () => {
        const offered = { ...request, version: microFromString(request.version) };
        const { outcome, stored } = await storeEpochs(reads, now, offered);
        epochs.offer(stored.version, stored.epochs, stored.books);
        const reply = { outcome, version: microToString(highestDecided(stored)) };
        if (outcome === 'stored') return reply;
        return { ...reply, table: { epochs: stored.epochs, books: [...(stored.books ?? FIRST_BOOKS)] } };
      }),
    ),
    nats.serve(rulesRpc, () =>
      withProblems(async () => {
        await fresh.ensureFresh();
        const { version, books } = epochs.table();
        return { version: microToString(version), books: [...books] };
      }),
    ),
  ];
}

/** Picks the stored fields of an epoch. */
function timesOf({ id, name, multiplierHundredths, startAt, endAt }: EpochTimes) {
  return { id, name, multiplierHundredths, startAt, endAt };
}
