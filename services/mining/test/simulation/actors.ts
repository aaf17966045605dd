import type { Source } from '@cord/contracts/events/balance';
import { Violation } from '@cord/kit/testing/simulation/run';
import type { Account } from '../../ledger/account.js';
import type { LedgerRefusal } from '../../ledger/refusal.js';
import type { Moment } from '../../ledger/settle.js';
import type { World } from './world.js';

/** Books corrections by two operators: they add to the balance, or subtract up to it and beyond. */
export async function corrector(world: World, userId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const sizeMicro = BigInt(1 + world.chance.int(8_000_000));
    const intended = {
      userId,
      source: 'correction',
      key: `correction:${userId}:${`${n}`.padStart(32, 'd')}`,
      amountMicro: world.chance.oneIn(3) ? sizeMicro : -sizeMicro,
    } as const;
    const twice = world.chance.oneIn(2) ? [intended, intended] : [intended];
    await Promise.all(twice.map((same) => creditOnce(world, same)));
  }
}

/** A credit as its caller has stored it before the request (services/mining/ledger/README.md#credit). */
interface IntendedCredit {
  userId: string;
  key: string;
  source: Source;
  amountMicro: bigint;
}

/** Temporary refusals after which an actor moves on. */
const GIVEN_UP: ReadonlySet<string> = new Set(['day-limit', 'below-zero']);
/** One source that counts for rankings and one that does not. */
const SOURCES = ['task', 'refwelcome'] as const;
const YEAR_MS = 31_557_600_000;

/** Returns users of different ages; the second has a tier birthday in the middle of the run. */
export function usersOf(world: World): { id: string; createdAtMs: number }[] {
  return [
    { id: `${'a'.repeat(31)}1`, createdAtMs: world.nowMs - 9.5 * YEAR_MS },
    { id: `${'a'.repeat(31)}2`, createdAtMs: world.nowMs + 5_400_000 - 3 * YEAR_MS },
    { id: `${'a'.repeat(31)}3`, createdAtMs: world.nowMs - 40 * 86_400_000 },
  ];
}

/**
 * Retries until there is a response, as callers with a stored key do; the sweepers run in between.
 * @throws refusals that are final, or final for the day
 */
export async function retryUntilDone<R>(world: World, call: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Violation) throw error;
      const refusal = error instanceof Error && error.name === 'LedgerRefusal' ? (error as LedgerRefusal) : null;
      if (refusal && (!refusal.retryable || GIVEN_UP.has(refusal.type))) throw error;
      world.nowMs += world.chance.int(50);
      if (world.chance.oneIn(4)) await world.sweep().catch(giveUp);
    }
  }
}

/** Credits with a stored key, sometimes repeats it, and sometimes with another amount, which must be refused. */
export async function creditor(world: World, userId: string, name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const source = world.chance.pick(SOURCES);
    const friendId = `${n}`.padStart(32, name === 'one' ? 'b' : 'c');
    const intended: IntendedCredit = {
      userId,
      source,
      key: source === 'task' ? `task:${name}-${n}:${userId}:once` : `refwelcome:${userId}:${friendId}`,
      amountMicro: BigInt(1 + world.chance.int(5_000_000)),
    };
    const twice = world.chance.oneIn(3) ? [intended, intended] : [intended];
    const answered = await Promise.all(twice.map((same) => creditOnce(world, same)));
    if (answered.includes(false)) return;
    if (world.chance.oneIn(3)) await creditOnce(world, intended);
    if (world.chance.oneIn(4)) await otherAmount(world, intended);
  }
}

/**
 * Returns false when the user is erased, the day's limit is reached, or the balance is too low: the actor stops then.
 * @param route returns the replica of each try; default any
 */
export async function creditOnce(world: World, intended: IntendedCredit, route = world.anyReplica): Promise<boolean> {
  const answer = await retryUntilDone(world, () =>
    world.callOn(route(), (ledger) => ledger.credit({ ...intended, reason: 'simulated' })),
  ).catch((error) => {
    const { type } = error as LedgerRefusal;
    if (type === 'erased-user' || GIVEN_UP.has(type)) return null;
    throw error;
  });
  if (answer === null) return false;
  if (answer.entry.amountMicro !== intended.amountMicro) throw new Violation('responded with another amount');
  world.backend.acknowledge(intended.userId, intended.key, intended.amountMicro);
  return true;
}

async function otherAmount(world: World, intended: IntendedCredit): Promise<void> {
  const amountMicro = intended.amountMicro + 1n;
  const refused = await retryUntilDone(world, () =>
    world.call((ledger) => ledger.credit({ ...intended, amountMicro, reason: 'simulated' })),
  ).then(
    () => false,
    (error) => (error as LedgerRefusal).type === 'key-conflict',
  );
  if (!refused) throw new Violation(`key ${intended.key} took another amount`);
}

/** Returns the step that starts a node without an address. */
export function starting({ modules }: World, sessionId: string) {
  return (...[account, at]: Parameters<typeof modules.node.stopStep>) =>
    modules.node.startStep(account, { sessionId, addressHash: null }, at);
}

/** A tab: starts, saves, sometimes stops; gives up on errors, like a closed page. */
export async function tab(world: World, userId: string, name: string, count: number): Promise<void> {
  const { node } = world.modules;
  for (let n = 0; n < count; n += 1) {
    const sessionId = `${name}:${userId.slice(-1)}:${n}`;
    const act = world.chance.int(10);
    const replica = world.chance.oneIn(3) ? world.anyReplica() : world.contacts.ownerOf(userId);
    const done =
      act > 1
        ? page(world, userId, replica)
        : world.callOn(replica, (ledger) =>
            ledger.change(userId, act === 0 ? node.stopStep : starting(world, sessionId)),
          );
    await done.catch(giveUp);
    if (world.chance.oneIn(8)) await world.contacts.give(userId, world.anyReplica());
  }
}

/** A page that saves every few seconds: most of its contacts change only time. */
export async function page(world: World, userId: string, replica: number): Promise<void> {
  for (let contacts = world.chance.int(4); contacts >= 0; contacts -= 1) {
    await world.contacts.make(replica, userId);
    world.nowMs += world.chance.int(5_000);
  }
}

/** Lets each replica write its due contacts. */
export async function contactWriter(world: World, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    await world.call((ledger) => ledger.writeContacts('due')).catch(giveUp);
  }
}

/** Ignores errors, like a caller that does not retry. @throws only violations */
export function giveUp(error: unknown): void {
  if (error instanceof Violation) throw error;
}

/** Delivers badge and anti-cheat events until acknowledged, sometimes twice and out of order. */
export async function factorEvents(world: World, userId: string): Promise<void> {
  const { factors } = world.modules;
  const deliver = (seq: bigint, hundredths: bigint) =>
    retryUntilDone(world, () =>
      world.call((ledger) =>
        ledger.change(userId, (account, at) => factors.antiCheatStep(account, seq, hundredths, at)),
      ),
    );
  await deliver(2n, 75n);
  await retryUntilDone(world, () => world.call((ledger) => ledger.change(userId, factors.badgeStep)));
  await deliver(1n, 100n);
  await deliver(3n, world.chance.pick([30n, 50n, 100n]));
  await retryUntilDone(world, () => world.call((ledger) => ledger.change(userId, factors.badgeStep)));
}

/** Erases a user during other activity. */
export async function eraser(world: World, userId: string): Promise<void> {
  for (let n = world.chance.int(12); n > 0; n -= 1) await world.sweep().catch(giveUp);
  await retryUntilDone(world, () => world.call((ledger) => ledger.change(userId, world.modules.factors.eraseStep)));
}

/**
 * The owner of a commission: raises the total and reports it until acknowledged, sometimes twice, late, or an older one
 * again. The ledger may lag behind the reports, never lead. In between, finished hours become entries.
 */
export async function commissioner(world: World, userId: string, rounds: number): Promise<void> {
  const { series } = world.modules;
  const stepTo = (totalMicro: bigint, stepMostMicro: bigint) => (account: Account, at: Moment) =>
    account.erasedAtMs === null ? series.commissionStep(account, { totalMicro, stepMostMicro }, at) : account;
  const report = (totalMicro: bigint, stepMostMicro: bigint) =>
    retryUntilDone(world, () => world.call((ledger) => ledger.change(userId, stepTo(totalMicro, stepMostMicro))));
  let totalMicro = 0n;
  for (let n = 0; n < rounds; n += 1) {
    const olderMicro = totalMicro;
    totalMicro += BigInt(1 + world.chance.int(2_000_000));
    // A deferred report may be lost: a later one includes its amount.
    const owner = world.contacts.ownerOf(userId);
    if (world.chance.oneIn(2))
      await world.callOn(owner, (ledger) => ledger.changeLater(userId, stepTo(totalMicro, 10_000_000n))).catch(giveUp);
    if (world.chance.oneIn(2)) await page(world, userId, owner).catch(giveUp);
    const steps = world.chance.oneIn(3) ? [report(totalMicro, 900_000n), report(olderMicro, 900_000n)] : [];
    await Promise.all([...steps, report(totalMicro, 10_000_000n)]);
    const account = world.backend.read(userId);
    const standsMicro = account?.totals.bySource.commission ?? 0n;
    if (account?.erasedAtMs === null && standsMicro !== totalMicro) {
      throw new Violation(`commission is ${standsMicro}, but ${totalMicro} was reported and acknowledged`);
    }
    if (world.chance.oneIn(3)) {
      await world.call((ledger) => ledger.change(userId, series.closeCommissionStep)).catch(giveUp);
    }
  }
}

/** Ends expired leases, as the sweep does. */
export async function leaseSweeper(world: World, userIds: readonly string[], rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    const userId = world.chance.pick(userIds);
    await world.call((ledger) => ledger.change(userId, world.modules.node.expireStep)).catch(giveUp);
  }
}

/** Sets the clock of one replica ahead by days or a year during some calls. */
export async function clockSetter(world: World, userId: string, rounds: number): Promise<void> {
  const { contactStep } = world.modules.node;
  for (let n = 0; n < rounds; n += 1) {
    const id = world.anyReplica();
    world.clocksOffMs.set(id, world.chance.pick([10 * 86_400_000, YEAR_MS]));
    await world.callOn(id, (ledger) => ledger.change(userId, contactStep)).catch(giveUp);
    world.clocksOffMs.delete(id);
  }
}

/** Runs the outbox sweeper. */
export async function outboxSweeper(world: World, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) await world.sweep().catch(giveUp);
}
