import { creditOnce, giveUp, page } from './actors.js';
import { REPLICAS, type World } from './world.js';

/**
 * One user behind two gateways: calls come in bursts to the replica that has the user, which writes from memory. In the
 * middle of a burst that becomes another one, which one gateway gets later, and now and then a call goes a wrong way
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

/**
 * A user whose page saves every few seconds at the replica that owns it, while others write the account or take the user over: the page is
 * answered by the newest state that its replica could have.
 */
export async function overtaken(world: World, userId: string, rounds: number): Promise<void> {
  const { chance, contacts } = world;
  const { startStep, stopStep } = world.modules.node;
  for (let n = 0; n < rounds; n += 1) {
    const owner = contacts.ownerOf(userId);
    const start = (...[account, at]: Parameters<typeof stopStep>) =>
      startStep(account, { sessionId: `overtaken:${n}`, addressHash: null }, at);
    await world.callOn(owner, (ledger) => ledger.change(userId, start)).catch(giveUp);
    const other = (owner + 1 + chance.int(2)) % REPLICAS;
    const [reached, writer] = chance.oneIn(2) ? [owner, other] : [other, owner];
    // Until what was started has gone out, and later until the message of the writer may have come.
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
