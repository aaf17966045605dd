import { NOBODY } from '@cord/contracts/events/envelope';
import { liveKindOf, liveSubjectsOf } from '@cord/contracts/live/subjects';
import { causeIn, runCaused } from '@cord/kit/cause';
import type { Nats } from '@cord/kit/nats';

/** Takes what was told: the word after `event:`, and the text after `data:`. */
export type Heard = (kind: string, data: string) => void;

/** What the house tells live, on plain NATS: of one user, until the returned function is called; or to everybody. */
export function hearLive(nats: Pick<Nats, 'nc' | 'log'>) {
  const subscribe = (userId: string, heard: Heard): (() => void) => {
    const subscription = nats.nc.subscribe(liveSubjectsOf(userId), {
      callback: (err, msg) => {
        if (err) return;
        const { subject } = msg;
        heard(liveKindOf(subject), msg.string());
        if (nats.log.isLevelEnabled('debug'))
          runCaused(causeIn(msg.headers), () => nats.log.debug({ subject }, 'told live'));
      },
    });
    return () => {
      if (!nats.nc.isClosed()) subscription.unsubscribe();
    };
  };
  return { user: subscribe, all: (heard: Heard) => subscribe(NOBODY, heard) };
}
