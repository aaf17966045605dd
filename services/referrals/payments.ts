import { withoutPayments } from './domain/commission.js';
import type { Dues } from './dues.js';
import type { ReferralStore } from './store.js';

const BATCH = 256;

/**
 * Drops the payments of commission that the release before has fixed, before anybody tries to credit them (money.md,
 * Commission accrues). Each referrer is marked first, so that the total, which holds them, is told.
 */
export async function dropPayments(store: ReferralStore, dues: Pick<Dues, 'mark'>, batch = BATCH): Promise<void> {
  for (let after = ''; ; ) {
    const found = await store.withPayments(after, batch);
    for (const referrerId of found) {
      await dues.mark(referrerId);
      await store.members.change(referrerId, (member) => {
        const doc = withoutPayments(member);
        return { doc: doc === member ? null : doc, result: undefined };
      });
    }
    const last = found.at(-1);
    if (last === undefined || found.length < batch) return;
    after = last;
  }
}
