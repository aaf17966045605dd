import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import { type Metrics, one } from '@cord/kit/metrics';
import type { Connection } from 'mongoose';

/** What `npx cord data export` leaves behind (infra/dev/backup), one document. */
interface BackupDoc {
  _id: 'last';
  /** The instant whose data the backup has, by the machine's clock. */
  atMs: number;
}

export const BACKUPS = collection<BackupDoc>({ name: 'backups' });

/** How old the data of the last backup are; nothing before the first. */
export function measureBackup(metrics: Metrics, store: Connection, clock: Pick<Clock, 'now'>): void {
  metrics.measured('cord_backup_age_seconds', async () => {
    const last = await BACKUPS.in(store).findOne({ _id: 'last' });
    return last ? one(Math.max(0, clock.now() - last.atMs) / 1_000) : [];
  });
}
