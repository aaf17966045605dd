import type { EventOf } from '@cord/contracts/events/envelope';
import type { userRegistered } from '@cord/contracts/events/user';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import { REGISTRATIONS_IN_FLIGHT_MAX } from './bounds.js';
import type { Nats } from './nats.js';

/** Requests a user's registration from auth. Resolves when it is stored, when auth does not know the user, or when auth does not respond. */
export type RequestRegistration = (userId: string) => Promise<void>;

/**
 * For a service that a user calls before `user.registered` has arrived: requests the event's content and stores it as the event's consumer
 * does. One request at a time per user, and REGISTRATIONS_IN_FLIGHT_MAX in all; further ones are treated as if auth did not respond.
 * @param take handler of `user.registered`: repeatable, and a no-op for an erased user, because `user.erased` may have arrived meanwhile
 */
export function requestRegistration(
  nats: Pick<Nats, 'request' | 'log'>,
  take: (registered: EventOf<typeof userRegistered>) => Promise<unknown>,
): RequestRegistration {
  const running = new Map<string, Promise<void>>();
  const run = async (userId: string): Promise<void> => {
    const answer = await nats.request(registrationRpc, { userId }).catch((err: unknown) => {
      nats.log.info({ err, userId }, 'auth did not return the registration of a user');
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
