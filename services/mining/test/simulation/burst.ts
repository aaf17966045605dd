import type { Account } from '../../ledger/account.js';
import { creditOnce, giveUp, starting } from './actors.js';
import type { World } from './world.js';

/** Calls of one user at once, over few replicas. */
export interface Burst {
  readonly calls: number;
  /** Replicas that they meet. */
  readonly replicas: number;
}

/**
 * One user calls all at once: toggles, saves, and a claim among them; then a few calls follow on the same replicas. A
 * relay loses all its rounds to such a burst, and what comes after it writes from memory.
 */
export async function burst(world: World, userId: string, { calls, replicas }: Burst): Promise<void> {
  const first = world.chance.int(3);
  const replica = () => (first + world.chance.int(replicas)) % 3;
  const claimAt = world.chance.int(calls);
  const act = (n: number) => toggle(world, userId, replica(), `burst:${userId.slice(-1)}:${n}`);
  await Promise.all(Array.from({ length: calls }, (_, n) => (n === claimAt ? claim(world, userId) : act(n))));
  for (let n = 0; n < 6; n += 1) await act(calls + n);
}

async function claim(world: World, userId: string): Promise<void> {
  const intended = { userId, key: `task:burst:${userId}:once`, source: 'task', amountMicro: 35_000_000n } as const;
  if (await creditOnce(world, intended)) await creditOnce(world, intended);
}

async function toggle(world: World, userId: string, replica: number, sessionId: string): Promise<void> {
  const { stopStep } = world.modules.node;
  const start = starting(world, sessionId);
  const step = world.chance.pick([start, stopStep, start, stopStep, null]);
  const done =
    step === null
      ? world.contacts.make(replica, userId)
      : world.callOn(replica, (ledger) => ledger.change(userId, step));
  await done.catch(giveUp);
}

/** Relays that have only a part of what waits: what they do not have must stay, and be relayed by another. */
export async function partialRelays(world: World, userId: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    const part = partOf(world, world.backend.read(userId));
    await world.call((ledger) => ledger.relay(userId, part)).catch(giveUp);
  }
}

/** The account without its announcement and, of more than one item, without one; null where nothing of it is known. */
function partOf(world: World, account: Account | null): Account | null {
  if (account === null || account.outbox.length === 0) return null;
  const unknown = account.outbox.length > 1 ? world.chance.int(account.outbox.length) : -1;
  // A state is announced after all its entries, so that none is announced of which a part is not known.
  return { ...account, outbox: account.outbox.filter((_, index) => index !== unknown), announceSeq: null };
}
