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

/** Reports the age of the oldest document with something in its outbox. */
export function measureOutbox(metrics: Metrics, { name, documents, clock }: MeasuredOutbox): void {
  metrics.measured('cord_outbox_oldest_seconds', async () => {
    const options = { sort: { dirtyAt: 1 }, projection: { dirtyAt: 1 } } as const;
    // A mark in the future waits for the document's next write and does not count.
    const oldest = await documents().findOne({ dirtyAt: { $gt: 0, $lte: clock.now() } }, options);
    return [
      { labels: { outbox: name }, value: oldest?.dirtyAt ? Math.max(0, clock.now() - oldest.dirtyAt) / 1_000 : 0 },
    ];
  });
}

/** Reports the number of documents with permanently refused credits. */
export function measureParked(metrics: Metrics, { name, documents }: Omit<MeasuredOutbox, 'clock'>): void {
  metrics.measured('cord_outbox_parked_documents', async () => {
    const value = await documents().countDocuments({ parkedAt: { $gt: 0 } }, { limit: METRIC_COUNT_MAX });
    return [{ labels: { outbox: name }, value }];
  });
}
