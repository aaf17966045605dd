import { overviewEndpoints as endpoints } from '@cord/contracts/http/overview';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import { bucketsOf, spanOf } from '../earnings/buckets.js';
import type { IssuedStore } from '../issued/store.js';
import type { LastAudit } from '../store/audit-figures.js';
import { shownBucket } from './earnings.js';

/**
 * What was credited to all accounts, by UTC day or month. It is counted as replicas write it and kept every few seconds: one that
 * is killed leaves its last seconds out of this picture. The ledger has them; `npm run audit` adds that up.
 */
export function mountIssued(
  http: Http,
  deps: { issued: IssuedStore; flush: () => Promise<void>; lastAudit: LastAudit; now: () => number },
): void {
  const { issued, flush, lastAudit, now } = deps;
  http.route(endpoints.issued, async ({ query: { range } }) => {
    await flush();
    const span = spanOf(range, now());
    const [days, countedSince, audit] = await Promise.all([
      issued.between(span.firstDay, span.lastDay),
      issued.first(),
      lastAudit(),
    ]);
    const buckets = bucketsOf(span, days);
    return {
      range,
      unit: span.unit,
      buckets: buckets.map(shownBucket),
      total: microToNumber(buckets.reduce((sum, { totalMicro }) => sum + totalMicro, 0n)),
      countedSince,
      audit: audit && {
        at: new Date(audit.atMs).toISOString(),
        accounts: audit.accounts,
        drift: microToNumber(BigInt(audit.driftMicro)),
      },
    };
  });
}
