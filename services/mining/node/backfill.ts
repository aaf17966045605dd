import type { Backfill } from '@cord/kit/migration/plan';
import { forgetsAtMs } from '../ledger/addresses.js';
import type { AccountDoc } from '../store/models.js';

/** When nodes that stopped before this release are to forget their addresses. One that runs gets the mark as it stops. */
export const addressesToForget: Backfill = {
  name: 'addresses-to-forget',
  async each(store, document, hold) {
    const { _id, seq, node, forgetAtMs } = document as AccountDoc;
    const dueMs = forgetsAtMs(node);
    if (dueMs === null || forgetAtMs !== undefined) return;
    await hold();
    // Whoever has written meanwhile has marked it.
    await store.collection<AccountDoc>('accounts').updateOne({ _id, seq }, { $set: { forgetAtMs: dueMs } });
  },
};
