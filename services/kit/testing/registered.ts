import type { EventOf, envelope } from '@cord/contracts/events/envelope';
import type { userRegistered } from '@cord/contracts/events/user';
import { registrationRpc } from '@cord/contracts/rpc/registration';
import type { z } from 'zod';
import type { Nats } from '../nats.js';

type Registered = Omit<EventOf<typeof userRegistered>, keyof z.output<typeof envelope>>;

/**
 * Returns auth's registration event of a user: new, without a code, nothing credited, except for the fields in `known`.
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
 * Serves registrations as auth does.
 * @param nats a connection with all permissions
 * @param registeredOf returns null for an unknown user; may be slow
 * @returns the requested ids in order, and `stop`
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
  // NATS knows the subscription before another connection sends a request.
  await nats.nc.flush();
  return { requested, stop: () => serving.stop() };
}
