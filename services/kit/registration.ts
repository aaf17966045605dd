import type { EventOf } from '@cord/contracts/events/envelope';
import type { userRegistered } from '@cord/contracts/events/user';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import { REGISTRATIONS_IN_FLIGHT_MAX } from './bounds.js';
import type { Nats } from './nats.js';

/** Requests of auth who a user is. Resolves when that is taken over, when auth does not know the user, and when it does not answer. */
export type RequestRegistration = (userId: string) => Promise<void>;

/**
 * For a service that a user calls before `user.registered` has arrived: requests what the event holds, and takes it over as the consumer of the event
 * does. One request at a time for a user, and REGISTRATIONS_IN_FLIGHT_MAX in all: what comes beyond them is refused as if auth did not answer.
 * @param take the handler of `user.registered`: repeatable, and it changes nothing of an erased user, since `user.erased` may have come meanwhile
 */
export function requestRegistration(
  nats: Pick<Nats, 'request' | 'log'>,
  take: (registered: EventOf<typeof userRegistered>) => Promise<unknown>,
): RequestRegistration {
  const running = new Map<string, Promise<void>>();
  const run = async (userId: string): Promise<void> => {
    const answer = await nats.request(registrationRpc, { userId }).catch((err: unknown) => {
      nats.log.info({ err, userId }, 'auth did not answer who a user is');
    });
    if (answer?.registered) await take(answer.registered);
  };
  return (userId) => {
    const known = running.get(userId);
    if (known) return known;
    if (running.size >= REGISTRATIONS_IN_FLIGHT_MAX) return Promise.resolve();
    const one = run(userId).finally(() => running.delete(userId));
    running.set(userId, one);
    return one;
  };
}
