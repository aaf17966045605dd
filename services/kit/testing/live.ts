import { NOBODY } from '@cord/contracts/events/envelope';
import { LIVE_DATA, type LiveData } from '@cord/contracts/live/data';
import { LIVE_KINDS, type LiveKind } from '@cord/contracts/live/kinds';
import { liveKindOf, liveSubjectsOf } from '@cord/contracts/live/subjects';
import type { Nats } from '../nats.js';

/** The live messages received so far, by kind and in order. */
export type LiveMessages = { readonly [K in LiveKind]: LiveData[K][] };

/** Collects live messages to a user, or to everybody, from now on; each is validated by its schema. */
export async function collectLive(nats: Pick<Nats, 'nc'>, userId: string = NOBODY): Promise<LiveMessages> {
  const messages = Object.fromEntries(LIVE_KINDS.map((kind) => [kind, []])) as unknown as LiveMessages;
  nats.nc.subscribe(liveSubjectsOf(userId), {
    callback: (_err, msg) => {
      const kind = liveKindOf(msg.subject) as LiveKind;
      messages[kind].push(LIVE_DATA[kind].parse(msg.json()) as never);
    },
  });
  await nats.nc.flush();
  return messages;
}
