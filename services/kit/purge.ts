import { filtersOfUser, type SubjectKind } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import type { Nats } from './nats.js';

/** Takes an erased user's events out of the streams that the service owns (money.md, Erasure). */
export async function purgeUserEvents(
  nats: Pick<Nats, 'jsm'>,
  kinds: readonly SubjectKind[],
  userId: string,
): Promise<void> {
  for (const kind of kinds) {
    for (const filter of filtersOfUser(kind, userId)) {
      await nats.jsm.streams.purge(streamOf(kind.thing).name, { filter });
    }
  }
}
