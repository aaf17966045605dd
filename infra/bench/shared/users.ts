import type { Nats } from '@cord/kit/nats';
import { inParallel } from '../../test/kit/people.ts';

/** A user with tokens for services and the gateway. */
export interface User {
  id: string;
  /** Caller token, for services. */
  token: string;
  /** Session token, for the gateway. */
  session: string;
}

const LANES = 64;

/** Creates users and the NATS topology. The signer stands in for auth while the connection is open. */
export async function prepareUsers(auth: Nats, count: number): Promise<User[]> {
  const [{ ensureTopology }, { createSessionSigner, createSigner, randomId }] = await Promise.all([
    import('@cord/kit/topology'),
    import('@cord/kit/testing/index'),
  ]);
  await ensureTopology(auth);
  const [callers, sessions] = [await createSigner(auth), await createSessionSigner(auth)];
  const ids = Array.from({ length: count }, () => randomId());
  const now = { nowMs: Date.now() };
  return inParallel(ids, LANES, async (id) => ({
    id,
    token: await callers.sign(id, now),
    session: await sessions.sign(id, now),
  }));
}
