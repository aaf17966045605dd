import { filtersOfUser, type SubjectKind } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import type { Nats } from './nats.js';

/**
 * Takes a user's events out of the streams that the service owns.
 * @param upTo place in the stream up to which they go, itself too; all where it is left out
 */
export async function purgeUserEvents(
  nats: Pick<Nats, 'jsm'>,
  kinds: readonly SubjectKind[],
  userId: string,
  upTo?: number,
): Promise<void> {
  // To NATS "below the first place" is everything.
  if (upTo !== undefined && upTo < 1) return;
  for (const kind of kinds) {
    for (const filter of filtersOfUser(kind, userId)) {
      await nats.jsm.streams.purge(streamOf(kind.thing).name, {
        filter,
        ...(upTo === undefined ? {} : { seq: upTo + 1 }),
      });
    }
  }
}
