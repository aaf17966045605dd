import type { mongo } from 'mongoose';
import pLimit from 'p-limit';
import { awaitAll } from '../batches.js';
import {
  OUTBOX_AHEAD_MS_MAX,
  SWEEP_BACKOFF_DOCUMENTS_MAX,
  SWEEP_BACKOFF_MS_MAX,
  SWEEP_BACKOFF_MS_MIN,
  SWEEP_BATCH,
  SWEEP_BATCHES_MAX,
  SWEEP_EVERY_MS,
  SWEEP_IN_FLIGHT_MAX,
  SWEEP_LEASE_MS,
  SWEEP_OLDER_THAN_MS,
  SWEEP_SCAN_MAX,
} from '../bounds.js';
import type { Clock } from '../clock.js';
import type { SharedLeases } from '../lease.js';
import type { Log } from '../log.js';
import { lru } from '../lru.js';
import type { Metrics } from '../metrics.js';
import type { Nats } from '../nats.js';
import { periodic, type Turn } from '../periodic.js';
import { dueTimes, isDue, readDue } from '../store/due.js';
import { firstMatching } from '../store/first-matching.js';

interface SweeperOptions {
  /** Name of the lease, in logs and in figures: `outbox.records`. */
  name: string;
  documents: () => mongo.Collection<{ _id: string }>;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics | undefined;
  /** Documents per batch. */
  batch?: number | undefined;
  /**
   * Delivers one document's items.
   * @throws when some remain: the document then backs off
   */
  deliver: (id: string) => Promise<unknown>;
  /** While NATS is away there is nothing to do. */
  nats: Pick<Nats, 'connected' | 'onReconnect'>;
}

/**
 * Delivers what the writing replica did not: outboxes of documents with a `dirtyAt` older than 5 s, by its sparse index, 256 per batch. The
 * replica with the lease sweeps, and checks the lease before each document. A failed document backs off in this process's memory and blocks
 * no other: when as many back off as one read covers, the next read continues behind them. All backoffs end when NATS is back, and when a
 * failed document succeeds, because the cause is then gone for the others too.
 */
export function createSweeper(options: SweeperOptions) {
  const { name, documents, clock, leases, log, metrics, batch = SWEEP_BATCH, deliver, nats } = options;
  const backoff = lru<string, { tries: number; nextAtMs: number }>(SWEEP_BACKOFF_DOCUMENTS_MAX);
  const limit = pLimit(SWEEP_IN_FLIGHT_MAX);
  /** Number of documents before the start of the next read. */
  let readBefore = 0;

  const timesAt = (nowMs: number) => dueTimes(nowMs, OUTBOX_AHEAD_MS_MAX, nowMs - SWEEP_OLDER_THAN_MS);
  const dueIds = async (nowMs: number): Promise<string[]> => {
    let read = 0;
    const mayTry = (id: string) => {
      read += 1;
      return (backoff.get(id)?.nextAtMs ?? 0) <= nowMs;
    };
    const found = await readDue('dirtyAt', timesAt(nowMs), batch, (filter, most) => {
      const marked = documents()
        .find(filter as mongo.Filter<{ _id: string }>, { projection: { _id: 1 } })
        .sort({ dirtyAt: 1 })
        .skip(readBefore);
      return firstMatching(marked, most, mayTry);
    });
    // Not a full batch: all that was read is in it or backs off. After the last document the next read starts over.
    if (found.length < batch) readBefore = read < SWEEP_SCAN_MAX ? 0 : readBefore + SWEEP_SCAN_MAX;
    return found.map(({ _id }) => _id);
  };
  /** When nothing is due, the turn rests until something can be: a mark written from now on is due SWEEP_OLDER_THAN_MS later. */
  const isAnyDue = async (nowMs: number, { rest }: Turn): Promise<boolean> => {
    const marks = documents() as unknown as mongo.Collection<{ _id: string; dirtyAt: number }>;
    const times = timesAt(nowMs);
    const first = await marks.findOne({ dirtyAt: { $gt: 0 } }, { sort: { dirtyAt: 1 }, projection: { dirtyAt: 1 } });
    if (first && isDue(first.dirtyAt, times)) return true;
    if (first && (await marks.findOne({ dirtyAt: { $gt: times.aheadMs } }, { projection: { _id: 1 } }))) return true;
    rest(Math.min(SWEEP_OLDER_THAN_MS, first ? first.dirtyAt + SWEEP_OLDER_THAN_MS - nowMs : Number.POSITIVE_INFINITY));
    return false;
  };
  /** Makes all due for one more attempt. Their attempts keep counting: another failure waits as long as before. */
  const endWaits = (): void => {
    for (const wait of backoff.values()) wait.nextAtMs = 0;
  };
  const isDelivered = async (id: string, { lease }: Turn): Promise<boolean> => {
    if (!nats.connected() || !(await lease())) return false;
    try {
      await deliver(id);
      if (backoff.delete(id)) endWaits();
      return true;
    } catch (err) {
      if (!nats.connected()) return false;
      const tries = (backoff.get(id)?.tries ?? 0) + 1;
      const waitMs = Math.min(SWEEP_BACKOFF_MS_MAX, SWEEP_BACKOFF_MS_MIN * 2 ** Math.min(tries - 1, 16));
      backoff.set(id, { tries, nextAtMs: clock.now() + waitMs });
      log.warn({ err, name, id, tries, waitMs }, 'the outbox of a document could not be delivered');
      return false;
    }
  };
  const sweep = async (turn: Turn): Promise<{ looked: number; delivered: number }> => {
    const nothing = { looked: 0, delivered: 0 };
    if (!nats.connected()) return nothing;
    const nowMs = clock.now();
    // Check before the lease: when nothing is due, nothing is written.
    if (!(await isAnyDue(nowMs, turn)) || !(await turn.lease())) return nothing;
    const ids = await dueIds(nowMs);
    const delivered = await awaitAll(ids.map((id) => limit(() => isDelivered(id, turn))));
    return { looked: ids.length, delivered: delivered.filter((done) => done).length };
  };
  const sweeps = periodic(
    { clock, log, leases, metrics },
    {
      name,
      everyMs: SWEEP_EVERY_MS,
      leaseMs: SWEEP_LEASE_MS,
      async run(turn) {
        // Continues without a pause while batches are full.
        for (let batches = 0; batches < SWEEP_BATCHES_MAX; batches++) {
          if ((await sweep(turn)).looked < batch) return;
        }
      },
    },
  );
  const offReconnect = nats.onReconnect(endWaits);
  return {
    /** Sweeps one batch. @returns number of fully delivered documents */
    sweepOnce: async () => (await sweeps.inTurn(sweep)).delivered,
    start: sweeps.start,
    stop() {
      offReconnect();
      return sweeps.stop();
    },
  };
}
