import type { Account } from '../../ledger/account.js';
import { creditOnce, giveUp, starting } from './actors.js';
import type { World } from './world.js';

/** Concurrent calls of one user over a few replicas. */
export interface Burst {
  readonly calls: number;
  /** Number of replicas that receive the calls. */
  readonly replicas: number;
}

/**
 * One user makes all calls at once: toggles, saves, and one claim; then a few more on the same replicas. A relay loses
 * all its rounds to such a burst, and later calls write from the cache.
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

/** Runs relays with only a part of the waiting items: the rest must stay, and be relayed by another one. */
export async function partialRelays(world: World, userId: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    const part = partOf(world, world.backend.read(userId));
    await world.call((ledger) => ledger.relay(userId, part)).catch(giveUp);
  }
}

/** Returns the account without its announcement, and without one of several items; null when nothing waits. */
function partOf(world: World, account: Account | null): Account | null {
  if (account === null || account.outbox.length === 0) return null;
  const unknown = account.outbox.length > 1 ? world.chance.int(account.outbox.length) : -1;
  // A state is announced after all its entries, so no announcement is allowed with a part of them.
  return { ...account, outbox: account.outbox.filter((_, index) => index !== unknown), announceSeq: null };
}
