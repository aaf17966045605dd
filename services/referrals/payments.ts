import { withoutPayments } from './domain/commission.js';
import type { Dues } from './dues.js';
import type { ReferralStore } from './store.js';

const BATCH = 256;

/**
 * Drops the payments of commission that the release before has fixed, before anybody tries to credit them
 * (services/mining/ledger/README.md#commission). Each referrer is marked first, so that the total, which holds them, is told.
 */
export async function dropPayments(store: ReferralStore, dues: Pick<Dues, 'mark'>, batch = BATCH): Promise<void> {
  for (const seen = new Set<string>(); ; ) {
    const found = (await store.withPayments(batch)).filter((referrerId) => !seen.has(referrerId));
    for (const referrerId of found) {
      seen.add(referrerId);
      await dues.mark(referrerId);
      await store.members.change(referrerId, (member) => {
        const doc = withoutPayments(member);
        return { doc: doc === member ? null : doc, result: undefined };
      });
    }
    if (found.length === 0) return;
  }
}
