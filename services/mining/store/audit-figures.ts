import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import { type Metrics, one } from '@cord/kit/metrics';
import { shareRunning } from '@cord/kit/shared';
import type { Connection } from 'mongoose';

/** Result of `npx cord audit` (infra/audit), one document. */
interface AuditDoc {
  _id: 'last';
  /** End of the audit, by the kit's clock, ms. */
  atMs: number;
  driftMicro: bigint;
  accounts: number;
}

export const AUDITS = collection<AuditDoc>({ name: 'audits' });

/** Reads the result of the last audit; null before the first. */
export type LastAudit = () => Promise<AuditDoc | null>;

/** Measures drift and age of the last audit; no value before the first. */
export function measureAudit(metrics: Metrics, store: Connection, clock: Pick<Clock, 'now'>): LastAudit {
  const last = shareRunning(() => AUDITS.in(store).findOne({ _id: 'last' }));
  metrics.measured('cord_audit_drift_micro', async () => {
    const found = await last();
    return found ? one(Number(found.driftMicro)) : [];
  });
  metrics.measured('cord_audit_age_seconds', async () => {
    const found = await last();
    return found ? one(Math.max(0, clock.now() - found.atMs) / 1_000) : [];
  });
  return last;
}
