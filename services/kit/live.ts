import type { EventKind, EventOf } from '@cord/contracts/events/envelope';
import type { LiveData } from '@cord/contracts/live/data';
import type { LiveKind } from '@cord/contracts/live/kinds';
import { liveSubject, liveSubjectOfAll } from '@cord/contracts/live/subjects';
import { headers } from '@nats-io/transport-node';
import { currentCause, writeCause } from './cause.js';
import type { Nats } from './nats.js';

/** Kinds that carry only `seq`: a hint to read again. */
type LiveHint = { [K in LiveKind]: { seq: string } extends LiveData[K] ? K : never }[LiveKind];

/** Publishes changes to the live streams, after the commit and once: nothing waits for it or relies on it. */
export type Live = ReturnType<typeof createLive>;

export function createLive(nats: Pick<Nats, 'nc' | 'connected' | 'onPublished'>) {
  const publish = (subject: string, data: { seq: string }): void => {
    if (!nats.connected()) return;
    // `seq` first: streams recognise our messages by it (notices/streams.ts).
    const { seq, ...rest } = data;
    const cause = currentCause();
    const hdrs = cause && headers();
    if (hdrs) writeCause(hdrs, cause);
    nats.nc.publish(subject, JSON.stringify({ seq, ...rest }), hdrs ? { headers: hdrs } : {});
  };
  const send = <K extends LiveKind>(kind: K, userId: string, data: LiveData[K]) =>
    publish(liveSubject(kind, userId), data);
  return {
    send,
    /** Sends to everybody with a stream. */
    sendAll: <K extends LiveKind>(kind: K, data: LiveData[K]) => publish(liveSubjectOfAll(kind), data),
    /** Sends the hint to the user of each such event published from now on. */
    hintAfter(kind: LiveHint, events: readonly EventKind[]) {
      for (const event of events) nats.onPublished(event, ({ userId, seq }) => send(kind, userId, { seq }));
    },
    /** Runs after each published event of this kind. */
    after: <E extends EventKind>(event: E, run: (event: EventOf<E>) => void) =>
      nats.onPublished(event, (payload) => run(payload as EventOf<typeof event>)),
  };
}
