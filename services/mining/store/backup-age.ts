import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import { type Metrics, one } from '@cord/kit/metrics';
import type { Connection } from 'mongoose';

/** Mark of the last `npx cord data export` (infra/dev/backup), one document. */
interface BackupDoc {
  _id: 'last';
  /** The instant of the exported data, by the machine's clock, ms. */
  atMs: number;
}

export const BACKUPS = collection<BackupDoc>({ name: 'backups' });

/** Measures the age of the last backup's data; no value before the first. */
export function measureBackup(metrics: Metrics, store: Connection, clock: Pick<Clock, 'now'>): void {
  metrics.measured('cord_backup_age_seconds', async () => {
    const last = await BACKUPS.in(store).findOne({ _id: 'last' });
    return last ? one(Math.max(0, clock.now() - last.atMs) / 1_000) : [];
  });
}
