import { NOBODY } from '@cord/contracts/events/envelope';
import { liveKindOf, liveSubjectsOf } from '@cord/contracts/live/subjects';
import { readCause, runWithCause } from '@cord/kit/cause';
import type { Nats } from '@cord/kit/nats';

/** Handles a message: the name after `event:`, and the text after `data:`. */
export type LiveHandler = (kind: string, data: string) => void;

/** Live messages of all services, on plain NATS: those of one user, until the returned function is called; or those to everybody. */
export function subscribeToLive(nats: Pick<Nats, 'nc' | 'log'>) {
  const subscribe = (userId: string, handle: LiveHandler): (() => void) => {
    const subscription = nats.nc.subscribe(liveSubjectsOf(userId), {
      callback: (err, msg) => {
        if (err) return;
        const { subject } = msg;
        handle(liveKindOf(subject), msg.string());
        if (nats.log.isLevelEnabled('debug'))
          runWithCause(readCause(msg.headers), () => nats.log.debug({ subject }, 'live message'));
      },
    });
    return () => {
      if (!nats.nc.isClosed()) subscription.unsubscribe();
    };
  };
  return { user: subscribe, all: (handle: LiveHandler) => subscribe(NOBODY, handle) };
}
