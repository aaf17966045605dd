import { epochsRpc } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS, firstChangeMs } from '@cord/contracts/rules/epochs';
import { microFromString } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { EpochTimes } from './ledger/epochs.js';
import type { EpochsInUse } from './ledger/epochs-in-use.js';
import { busy } from './ledger/refusal.js';
import { withProblems } from './problems.js';
import type { Reads } from './store/reads.js';

/** Tries to decide about one table while others are decided. */
const TRIES_MAX = 8;

interface Offered {
  version: bigint;
  epochs: readonly EpochTimes[];
}

type StoredEpochs = Pick<Reads, 'epochs' | 'saveEpochs' | 'refuseEpochs'>;

/**
 * Stores a table, or refuses it for good, by one conditional write: a request that comes again, to whichever replica, gets the same answer. So nothing is paid by a
 * table that came too late for some replicas and in time for others.
 * @returns `late` when it pays otherwise than the stored one within EPOCHS_AHEAD_MS; a table that is older than the stored one is `stored`
 * @throws LedgerRefusal `busy` when others decide all the while
 */
export async function takeEpochs(
  reads: StoredEpochs,
  now: () => number,
  { version, epochs }: Offered,
): Promise<'stored' | 'late'> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await reads.epochs();
    if (stored && stored.version >= version) return 'stored';
    if (stored && (stored.refused ?? 0n) >= version) return 'late';
    const firstMs = stored && firstChangeMs(stored.epochs, epochs);
    if (firstMs !== null && firstMs < now() + EPOCHS_AHEAD_MS) await reads.refuseEpochs(version);
    else await reads.saveEpochs({ _id: 'table', version, epochs: epochs.map(timesOf) }, stored?.version ?? null);
  }
  throw busy();
}

/** Answers rewards, which owns the table: what is stored here holds for every replica (epochs-in-use.ts). @returns what to stop */
export function serveEpochs(
  nats: Pick<Nats, 'serve'>,
  { reads, epochs, now }: { reads: StoredEpochs; epochs: EpochsInUse; now: () => number },
): Consuming {
  return nats.serve(epochsRpc, (request) =>
    withProblems(async () => {
      const offered = { version: microFromString(request.version), epochs: request.epochs };
      const outcome = await takeEpochs(reads, now, offered);
      if (outcome === 'stored') epochs.offer(offered.version, offered.epochs);
      return { outcome };
    }),
  );
}

/** What is stored of an epoch. */
function timesOf({ id, name, multiplierHundredths, startAt, endAt }: EpochTimes) {
  return { id, name, multiplierHundredths, startAt, endAt };
}
