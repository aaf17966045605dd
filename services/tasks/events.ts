import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, consumeEach, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import { withFriends, withNode, withProfile } from './domain/facts.js';
import type { TaskRecord } from './domain/record.js';
import { type RecordDocument, type TaskStore, toRecord } from './store.js';

const reads = READS.tasks;

interface ProfileEvent {
  userId: string;
  discordCreatedAt: number;
  joinedAt: number;
  returning: boolean;
}

/** Stores auth's profile of a user; ignores erased users. */
export function takeProfile(
  store: TaskStore,
  { userId, discordCreatedAt, joinedAt, returning }: ProfileEvent,
): Promise<void> {
  const profile = { discordCreatedAtMs: discordCreatedAt, joinedAtMs: joinedAt, returning };
  return applier(store)(userId, (record) => withProfile(record, profile));
}

/** Consumes the events that progress is derived from: nodes, referrals and users. */
export function listen(nats: Pick<Nats, 'consume'>, store: TaskStore, erase: Kit['erase']): Consuming[] {
  const apply = applier(store);
  const nodeEvent = (running: boolean) => async (event: Parameters<typeof withNode>[1] & { userId: string }) =>
    apply(event.userId, (record) => withNode(record, event, running));
  const profile = (event: ProfileEvent) => takeProfile(store, event);

  return consumeEach(nats, [
    on(reads.nodeStarted, nodeEvent(true)),
    on(reads.nodePaused, nodeEvent(false)),
    on(reads.nodeStopped, nodeEvent(false)),
    on(reads.referralLinked, async (event) =>
      apply(event.userId, (record) => withFriends(record, BigInt(event.seq), event.totalReferrals)),
    ),
    on(reads.userRegistered, profile),
    on(reads.userUpdated, profile),
    on(reads.userErased, ({ userId }) => erase(userId)),
  ]);
}

/** Returns a function that changes a record unless its user was erased. */
function applier(store: TaskStore) {
  return (userId: string, take: (record: TaskRecord) => TaskRecord | null): Promise<void> =>
    store.records.update(userId, (doc) => {
      const changed = doc.erased ? null : take(toRecord(doc));
      return changed && merged(doc, changed);
    });
}

function merged(doc: RecordDocument, { userId: _id, seq: _seq, ...fields }: TaskRecord): RecordDocument {
  return { ...doc, ...fields };
}
