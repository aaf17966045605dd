import type { Connection } from 'mongoose';
import type { Metrics } from '../metrics.js';

/**
 * Measures how long each operation holds a store connection, and how often none was available. It uses the pool's events,
 * because those of each command would cost a tenth of a small command.
 * @returns the connections in use, each with its checkout time, ms of `performance.now()`
 */
export function measureStore(metrics: Metrics, store: Connection): ReadonlyMap<string, number> {
  const seconds = metrics.histogram('cord_store_duration_seconds');
  for (const outcome of ['done', 'unavailable']) seconds.zero({ outcome });
  const done = seconds.labels({ outcome: 'done' });
  const unavailable = seconds.labels({ outcome: 'unavailable' });
  const sinceMs = new Map<string, number>();
  const place = ({ address, connectionId }: { address: string; connectionId: unknown }) => `${address} ${connectionId}`;
  const client = store.getClient();
  client.on('connectionCheckedOut', (event) => sinceMs.set(place(event), performance.now()));
  client.on('connectionCheckedIn', (event) => {
    const at = place(event);
    const startMs = sinceMs.get(at);
    sinceMs.delete(at);
    if (startMs !== undefined) done.observe((performance.now() - startMs) / 1_000);
  });
  client.on('connectionClosed', (event) => sinceMs.delete(place(event)));
  client.on('connectionCheckOutFailed', ({ durationMS }) => unavailable.observe(durationMS / 1_000));
  return sinceMs;
}
