import type { Nats } from '@cord/kit/nats';
import { inParallel } from '../../test/kit/people.ts';

/** A user with the tokens by which a service and the gateway know them. */
export interface User {
  id: string;
  /** Of a caller, for services. */
  token: string;
  /** For the gateway. */
  session: string;
}

const LANES = 64;

/** Users, and the topology of their services. Whoever signs stands in for auth for as long as the connection is open. */
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
