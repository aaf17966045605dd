import type { Backfill } from '@cord/kit/migration/plan';
import { isBonusOpen } from './domain/friend.js';
import { MEMBERS, type Member } from './store.js';

/**
 * Friends of whom something was held before this release: the sweep counts them once more, and that gives them their place. A bonus that only
 * might be held is looked at as well.
 */
export const holdsToList: Backfill = {
  name: 'holds-to-list',
  async each(store, document, hold) {
    const { _id, seq, friend, holdKey, passingAt } = document as Member;
    if (!friend || holdKey !== undefined || passingAt !== undefined) return;
    const mayHold = friend.heldMicro !== undefined || friend.released || isBonusOpen(friend);
    if (!mayHold) return;
    await hold();
    // Whoever has written meanwhile has given it its place.
    await store.collection<Member>(MEMBERS).updateOne({ _id, seq }, { $set: { passingAt: 0 } });
  },
};
