import type { mongo } from 'mongoose';
import { METRIC_COUNT_MAX } from '../bounds.js';
import type { Clock } from '../clock.js';
import type { Metrics } from '../metrics.js';
import type { OutboxDocument } from './items.js';

interface MeasuredOutbox {
  name: string;
  documents: () => mongo.Collection<OutboxDocument>;
  clock: Pick<Clock, 'now'>;
}

const waiting = (nowMs: number) => ({ dirtyAt: { $gt: 0, $lte: nowMs } });

/** How many documents hold something in their outbox, counted up to ten thousand, and since when the oldest does. */
export function measureOutbox(metrics: Metrics, { name, documents, clock }: MeasuredOutbox): void {
  const labels = { outbox: name };
  metrics.measured('cord_outbox_waiting_documents', async () => [
    // A mark may lie ahead: what the document's next write is to take along is not waiting yet.
    { labels, value: await documents().countDocuments(waiting(clock.now()), { limit: METRIC_COUNT_MAX }) },
  ]);
  metrics.measured('cord_outbox_oldest_seconds', async () => {
    const options = { sort: { dirtyAt: 1 }, projection: { dirtyAt: 1 } } as const;
    const oldest = await documents().findOne(waiting(clock.now()), options);
    return [{ labels, value: oldest?.dirtyAt ? Math.max(0, clock.now() - oldest.dirtyAt) / 1_000 : 0 }];
  });
}

/** How many documents hold credits that the ledger has refused for good. */
export function measureParked(metrics: Metrics, { name, documents }: Omit<MeasuredOutbox, 'clock'>): void {
  metrics.measured('cord_outbox_parked_documents', async () => {
    const value = await documents().countDocuments({ parkedAt: { $gt: 0 } }, { limit: METRIC_COUNT_MAX });
    return [{ labels: { outbox: name }, value }];
  });
}
