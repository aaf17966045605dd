import { exportRpc } from '@cord/contracts/rpc/export';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import { takeWithinSize } from '@cord/kit/plain-json';
import { ledgerEntry, miningSession, nodeStats, updatedUser } from './http/present.js';
import { entriesWaiting, newestFirst } from './ledger/waiting.js';
import type { MiningNode } from './node/node.js';
import type { Reads } from './store/reads.js';

/** Maximum number of entries and sessions in an export, newest first. */
const ENTRIES_MAX = 2_000;
const SESSIONS_MAX = 500;
/** Maximum bytes of JSON for each: they keep the response below NATS's 1 MB limit. An entry may hold a task title of up to 720 bytes. */
const ENTRIES_BYTES_MAX = 650_000;
const SESSIONS_BYTES_MAX = 300_000;

/** Serves everything that mining stores about a user, for the data export. */
export function serveExport(
  nats: Pick<Nats, 'serve'>,
  node: Pick<MiningNode, 'readSettled' | 'history'>,
  reads: Pick<Reads, 'entries'>,
): Consuming {
  return nats.serve(exportRpc('mining'), async ({ userId }) => {
    const seen = await node.readSettled(userId);
    if (!seen) return {};
    const history = await node.history(userId, { limit: SESSIONS_MAX });
    // The account is read before the entries: an entry that moves in between is found twice, never missed.
    const written = await reads.entries(userId, seen.stored.seq + 1n, ENTRIES_MAX);
    const entries = newestFirst(entriesWaiting(seen.stored), written).slice(0, ENTRIES_MAX);
    return {
      account: updatedUser(seen.account, seen.moment),
      node: nodeStats(seen.account, seen.moment),
      sessions: await takeWithinSize(
        SESSIONS_BYTES_MAX,
        history?.sessions.map((session) => miningSession(session, history.moment.nowMs)) ?? [],
      ),
      ledger: await takeWithinSize(ENTRIES_BYTES_MAX, entries.map(ledgerEntry)),
    };
  });
}
