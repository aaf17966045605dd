import { METRIC_COUNT_MAX } from '../bounds.js';
import type { Clock } from '../clock.js';
import { type Metrics, together } from '../metrics.js';
import type { PromisingDocuments } from './promising-documents.js';

/** How many documents wait for the ledger, since when the oldest does, and how many hold parked credits. */
export function measurePromises(
  metrics: Metrics,
  { name, documents, clock }: { name: string; documents: PromisingDocuments; clock: Pick<Clock, 'now'> },
): void {
  const labels = { collection: name };
  const figures = together(() => documents.figures(METRIC_COUNT_MAX));
  metrics.measured('cord_promises_waiting_documents', async () => [{ labels, value: (await figures()).promising }]);
  metrics.measured('cord_promises_parked_documents', async () => [{ labels, value: (await figures()).parking }]);
  metrics.measured('cord_promises_oldest_seconds', async () => {
    const { oldestMs } = await figures();
    return [{ labels, value: oldestMs === null ? 0 : Math.max(0, clock.now() - oldestMs) / 1_000 }];
  });
}
