import type { EventOf, envelope } from '@cord/contracts/events/envelope';
import type { userRegistered } from '@cord/contracts/events/user';
import type { z } from 'zod';

type Registered = Omit<EventOf<typeof userRegistered>, keyof z.output<typeof envelope>>;

/**
 * What auth publishes of a user who came at this time, for tests: new, without a code, nothing credited, unless `known` says so.
 *
 * @param atMs of the registration and of the last sign-in
 */
export function registered(atMs: number, known: Partial<Registered> = {}): Registered {
  return {
    username: 'mara',
    avatar: null,
    discordCreatedAt: 0,
    joinedAt: atMs,
    lastLoginAt: atMs,
    returning: false,
    referralCode: null,
    welcomeMicro: '0',
    ...known,
  };
}
