import type { EventOf, envelope } from '@cord/contracts/events/envelope';
import type { userRegistered } from '@cord/contracts/events/user';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import type { z } from 'zod';
import type { Nats } from '../nats.js';

type Registered = Omit<EventOf<typeof userRegistered>, keyof z.output<typeof envelope>>;

/**
 * What auth publishes of a user who came at this time, for tests: new, without a code, nothing credited, unless `known` has it.
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

/**
 * Answers as auth who a user is.
 * @param nats a connection that may do everything
 * @param registeredOf null of whom auth does not know; may take its time
 * @returns the ids that were requested, in order, and what to stop
 */
export async function serveRegistrations(
  nats: Nats,
  registeredOf: (userId: string) => Registered | null | Promise<Registered | null>,
) {
  const requested: string[] = [];
  const serving = nats.serve(registrationRpc, async ({ userId }) => {
    requested.push(userId);
    const state = await registeredOf(userId);
    return { registered: state && { v: 1, id: `user.registered:${userId}:1`, at: 1, userId, seq: '1', ...state } };
  });
  // NATS knows of it before another connection requests.
  await nats.nc.flush();
  return { requested, stop: () => serving.stop() };
}
