import { nextDayStartMs } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { creditOnce, giveUp, page, starting } from './actors.js';
import { aheadMs, REPLICAS, type World } from './world.js';

/**
 * One user behind two gateways: calls come in bursts to the owning replica, which writes from its cache. During a burst
 * the owner changes, which one gateway learns later, and some calls go to a wrong replica
 * (services/README.md#one-writer-per-user).
 */
export async function routed(world: World, userId: string, bursts: number): Promise<void> {
  const { chance } = world;
  const { stopStep } = world.modules.node;
  const owners = [world.anyReplica()];
  const route = () => {
    if (chance.oneIn(12)) return world.anyReplica();
    return owners.at(chance.oneIn(3) ? -2 : -1) ?? owners[0] ?? 0;
  };
  const act = async (name: string): Promise<void> => {
    if (chance.oneIn(6)) {
      owners.push(world.anyReplica());
      await world.contacts.give(userId, owners.at(-1) ?? 0);
    }
    const start = starting(world, name);
    const step = chance.pick([null, null, null, start, stopStep]);
    const done =
      step === null
        ? world.contacts.make(route(), userId)
        : world.callOn(route(), (ledger) => ledger.change(userId, step));
    await done.catch(giveUp);
  };
  for (let n = 0; n < bursts; n += 1) {
    const intended = {
      userId,
      key: `task:routed-${n}:${userId}:once`,
      source: 'task',
      amountMicro: 7_000_000n,
    } as const;
    const acts = Array.from({ length: 4 }, (_, at) => act(`routed:${userId.slice(-1)}:${n}:${at}`));
    const [credited] = await Promise.all([creditOnce(world, intended, route), ...acts]);
    if (credited && chance.oneIn(2)) await creditOnce(world, intended, route);
  }
}

/**
 * A user whose page saves every few seconds at the owning replica, while others write the account or take the user
 * over: each response uses the newest state that its replica could have.
 */
export async function overtaken(world: World, userId: string, rounds: number): Promise<void> {
  const { chance, contacts } = world;
  const { stopStep } = world.modules.node;
  for (let n = 0; n < rounds; n += 1) {
    const owner = contacts.ownerOf(userId);
    const start = starting(world, `overtaken:${n}`);
    await world.callOn(owner, (ledger) => ledger.change(userId, start)).catch(giveUp);
    const other = (owner + 1 + chance.int(2)) % REPLICAS;
    const [reached, writer] = chance.oneIn(2) ? [owner, other] : [other, owner];
    // Until the started work has been sent, and later until the writer's message may have arrived.
    const waits = async () => {
      for (let left = chance.int(4); left > 0; left -= 1) await world.pause(reached).catch(giveUp);
    };
    await waits();
    await page(world, userId, reached).catch(giveUp);
    const credit = { userId, key: `task:overtaken-${n}:${userId}:once`, source: 'task', amountMicro: 1_000n } as const;
    await chance.pick([
      () => contacts.give(userId, writer),
      async () => {
        await creditOnce(world, credit, () => writer);
        await contacts.give(userId, reached);
      },
      () => world.callOn(writer, (ledger) => ledger.change(userId, stopStep)).catch(giveUp),
      () => creditOnce(world, credit, () => writer),
    ])();
    await waits();
    await page(world, userId, reached).catch(giveUp);
  }
}

/**
 * A node whose lease ends seconds before the day. Its owner keeps its last contact unwritten, while credits at another
 * replica fill the outbox, which delays the pause, and turn the day. Only then is the contact written.
 */
export async function lateContacts(world: World, userId: string, evenings: number): Promise<void> {
  const { chance, contacts } = world;
  for (let n = 0; n < evenings; n += 1) {
    const midnightMs = nextDayStartMs(world.nowMs);
    const owner = contacts.ownerOf(userId);
    const other = (owner + 1) % REPLICAS;
    const endMs = midnightMs - 10_000 - chance.int(20_000);
    /** Advances until the clock of this replica shows a time. */
    const until = (replica: number, atMs: number) => {
      world.nowMs = Math.max(world.nowMs, atMs - aheadMs(replica));
    };
    const start = starting(world, `late:${n}`);
    until(owner, endMs - LEASE_MS);
    await world.callOn(owner, (ledger) => ledger.change(userId, start)).catch(giveUp);
    await world.callOn(owner, (ledger) => ledger.flush()).catch(giveUp);
    await page(world, userId, owner).catch(giveUp);
    const credit = (at: number) => {
      const key = `task:late-${n}-${at}:${userId}:once`;
      return creditOnce(world, { userId, key, source: 'task', amountMicro: 1_000n }, () => other);
    };
    until(other, endMs - chance.int(10_000));
    await Promise.all([credit(0), credit(1)]);
    until(other, midnightMs);
    await credit(2);
    await world.callOn(other, (ledger) => ledger.flush()).catch(giveUp);
    await world.callOn(owner, (ledger) => ledger.writeContacts('due')).catch(giveUp);
    until(owner, midnightMs);
  }
}
