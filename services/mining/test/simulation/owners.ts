import { creditOnce, giveUp } from './actors.js';
import type { World } from './world.js';

/**
 * One user behind two gateways: calls come in bursts to the replica that has the user, which writes from memory. In the
 * middle of a burst that becomes another one, of which one gateway hears later, and now and then a call goes a wrong way
 * altogether (services/README.md#one-writer-per-user).
 */
export async function routed(world: World, userId: string, bursts: number): Promise<void> {
  const { chance } = world;
  const { startStep, stopStep } = world.modules.node;
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
    const start = (...[account, at]: Parameters<typeof stopStep>) =>
      startStep(account, { sessionId: name, addressHash: null }, at);
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
