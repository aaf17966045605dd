import type { mongo } from 'mongoose';
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
  SWEEP_PARTS,
} from '../bounds.js';
import type { Clock } from '../clock.js';
import type { SharedLeases } from '../lease.js';
import type { Log } from '../log.js';
import { createLru } from '../lru.js';
import type { Metrics } from '../metrics.js';
import type { OutboxDocument } from '../outbox.js';
import { type Mine, periodic, type Turn } from '../periodic.js';
import { createSlots } from '../slots.js';
import { anyDue, dueTimes, readDue } from '../store/due.js';
import { mineAmong } from '../store/mine-among.js';

interface SweeperOptions {
  name: string;
  documents: () => mongo.Collection<OutboxDocument>;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics | undefined;
  /** Gives out one document's events. */
  relay: (id: string) => Promise<void>;
  /** While NATS is away there is nothing to do. */
  isUp: () => boolean;
}

export interface Sweeper {
  sweepOnce(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Gives out what the writing replica did not: the replicas share the documents by parts;
 * documents older than 5 s by the sparse index on dirtyAt, 256 a batch; a document that fails waits longer each time.
 */
export function createSweeper({ name, documents, clock, leases, log, metrics, relay, isUp }: SweeperOptions): Sweeper {
  const backoff = createLru<string, { tries: number; nextAtMs: number }>(SWEEP_BACKOFF_DOCUMENTS_MAX);
  const slots = createSlots(SWEEP_IN_FLIGHT_MAX);

  const timesAt = (nowMs: number) => dueTimes(nowMs, OUTBOX_AHEAD_MS_MAX, nowMs - SWEEP_OLDER_THAN_MS);
  const dueIds = async (mine: Mine, nowMs: number): Promise<string[]> => {
    const isDue = (id: string) => mine(id) && (backoff.get(id)?.nextAtMs ?? 0) <= nowMs;
    const found = await readDue('dirtyAt', timesAt(nowMs), SWEEP_BATCH, (filter, most) =>
      mineAmong(
        documents()
          .find(filter, { projection: { _id: 1 } })
          .sort({ dirtyAt: 1 }),
        most,
        isDue,
      ),
    );
    return found.map(({ _id }) => _id);
  };

  /** @returns 1 when the document's events went out, 0 when it must wait */
  const relayOne = async (id: string, nowMs: number): Promise<number> => {
    try {
      await relay(id);
      backoff.delete(id);
      return 1;
    } catch (err) {
      if (!isUp()) return 0;
      const tries = (backoff.get(id)?.tries ?? 0) + 1;
      const waitMs = Math.min(SWEEP_BACKOFF_MS_MAX, SWEEP_BACKOFF_MS_MIN * 2 ** Math.min(tries - 1, 16));
      backoff.set(id, { tries, nextAtMs: nowMs + waitMs });
      log.warn({ err, outbox: name, id, tries, waitMs }, 'events of a document could not be given out');
      return 0;
    }
  };

  const sweep = async (turn: Turn): Promise<number> => {
    if (!isUp()) return 0;
    const nowMs = clock.now();
    // The look comes before the leases: where nothing is due, nothing is written.
    if ((await documents().findOne(anyDue('dirtyAt', timesAt(nowMs)), { projection: { _id: 1 } })) === null) return 0;
    const mine = await turn.mine();
    if (!mine) return 0;
    const ids = await dueIds(mine, nowMs);
    const done = await Promise.all(ids.map((id) => slots.run(() => (isUp() ? relayOne(id, nowMs) : 0))));
    return done.reduce<number>((sum, one) => sum + one, 0);
  };
  const sweeps = periodic(
    { clock, log, leases, metrics },
    {
      name: `outbox.${name}`,
      everyMs: SWEEP_EVERY_MS,
      leaseMs: SWEEP_LEASE_MS,
      parts: SWEEP_PARTS,
      async run(turn) {
        // On at once while batches are full.
        for (let batches = 0; batches < SWEEP_BATCHES_MAX; batches++) {
          if ((await sweep(turn)) < SWEEP_BATCH) return;
        }
      },
    },
  );
  return { sweepOnce: () => sweeps.inTurn(sweep), start: sweeps.start, stop: sweeps.stop };
}
