import { subjectOf } from '@cord/contracts/events/envelope';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { anticheatAssessed } from '@cord/contracts/events/user';
import { accrueCommissionRpc } from '@cord/contracts/rpc/ledger';
import type { CorrectionDoc } from '../../../services/mining/store/collections.js';
import type { Member } from '../../../services/referrals/member.js';
import { carry, insist, spreadSwitches } from './actors.js';
import { AUTH } from './process-id.js';
import { arriveAll } from './simulate.js';
import type { Person, World } from './world.js';

const HOUR_MS = 3_600_000;
const OPERATORS = ['b'.repeat(32), 'c'.repeat(32)];
/** Maximum attempts until work in progress has ended. */
const TRIES_MAX = 60;

/** The network check assesses whose address counts; older news may arrive after newer. */
export async function assess(world: World, person: Person, addressKey: string | null, level: 0 | 1 | 2): Promise<void> {
  if (person.erased) return;
  person.assessed += 1;
  const state = {
    level,
    factorHundredths: 100,
    isFlagged: level > 0,
    usersOnAddress: 1 + level,
    addressKey,
    hourMined: true,
  };
  const envelope = { v: 1, id: `assessed:${person.id}:${person.assessed}`, at: world.nowMs, userId: person.id };
  const publish = () =>
    world.bus.publish(subjectOf(anticheatAssessed, person.id), { ...envelope, seq: String(person.assessed), ...state });
  await insist(world, () => world.scheduler.operation(AUTH, publish, true), 1_000);
}

/** An operator decides on a friend's hold; no decision is final. */
export async function decide(world: World, person: Person): Promise<void> {
  const decision = world.chance.pick(['release', 'refuse', 'hold', 'hold'] as const);
  await insist(world, () => world.use('referrals', ({ books }) => books.decide(person.id, decision)), 3);
}

/** One operator proposes a correction; that one and another confirm or withdraw it concurrently. */
export async function correct(world: World, person: Person): Promise<void> {
  const { chance } = world;
  const [proposedBy = '', another = ''] = chance.oneIn(2) ? OPERATORS : [...OPERATORS].reverse();
  const size = BigInt(1 + chance.int(40_000_000));
  const made = { userId: person.id, amountMicro: chance.oneIn(2) ? size : -size, reason: 'simulated', proposedBy };
  const proposal = await insist(world, () =>
    world.use('mining', async ({ corrections }) => {
      const draft = corrections.draft(made);
      await corrections.propose(draft);
      return draft;
    }),
  );
  if (!proposal) return;
  const confirm = (by: string) =>
    insist(
      world,
      () =>
        world.use('mining', async ({ corrections }) => {
          const decided = await corrections.decide(proposal._id, 'confirmed', by);
          if (decided) await corrections.book(decided).catch(onlyRefusals);
        }),
      2,
    );
  const withdraw = () =>
    insist(
      world,
      () => world.use('mining', ({ corrections }) => corrections.decide(proposal._id, 'withdrawn', proposedBy)),
      2,
    );
  await Promise.all([confirm(proposedBy), confirm(another), ...(chance.oneIn(3) ? [withdraw()] : [confirm(another)])]);
}

/** Ignores the ledger's refusals: a debit above the balance stays due. */
function onlyRefusals(error: unknown): void {
  if (error instanceof Error && error.name === 'LedgerRefusal') return;
  throw error;
}

/** Buys a badge; price and payment proof are not simulated. */
export async function buyBadge(world: World, person: Person): Promise<void> {
  const envelope = { v: 1, id: `badge:${person.id}`, at: world.nowMs, userId: person.id, seq: '1' };
  const publish = () => {
    if (person.erased) return;
    const state = { orderId: `order-${person.id}`, purchasedAt: world.nowMs, transaction: 't' };
    world.bus.publish(subjectOf(badgePurchased, person.id), { ...envelope, ...state });
  };
  await insist(world, () => world.scheduler.operation(AUTH, publish, true), 1_000);
}

/**
 * Switches commission off, delivers the message to every process of referrals and completes running work. Then auth
 * becomes unavailable and all of them restart: the switch must stay off.
 * @returns what is wrong
 */
export async function restartWhileAway(world: World): Promise<string[]> {
  const kept = () => world.store.documents('referrals', 'switches_kept').get('last') as { off?: string[] } | undefined;
  const isOffFor = async ({ switches }: Awaited<ReturnType<typeof world.all<'referrals'>>>[number]) =>
    switches.isHeld() && !(await switches.isOn('commission'));
  const haveRead = async () =>
    kept()?.off?.includes('commission') === true &&
    (await Promise.all(world.all('referrals').map(isOffFor))).every(Boolean);
  world.isCommissionOff = true;
  let wrong: string[] = [];
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    spreadSwitches(world);
    await carry(world, 1);
    if (!(await haveRead()) || world.underWay.get(accrueCommissionRpc.subject)) continue;
    world.settle();
    if (!kept()?.off?.includes('commission')) continue;
    wrong = await restarted(world);
    break;
  }
  world.isCommissionOff = false;
  spreadSwitches(world);
  return wrong;
}

async function restarted(world: World): Promise<string[]> {
  const totals = () => world.people.map(({ id }) => world.backend.read(id)?.totals.bySource.commission ?? 0n);
  const before = totals();
  world.authAway = { atMs: world.nowMs, spans: world.spans };
  world.crashAll('referrals');
  await carry(world, 25);
  world.authAway = null;
  return totals().some((total, n) => total > (before[n] ?? 0n))
    ? ['commission was sent while it was switched off']
    : [];
}

/**
 * All users count at one address, so friends' earnings are held; then a backup without addresses is imported; then each
 * gets an own address, and held earnings must count.
 * @returns what is wrong
 */
export async function holdsHold(world: World): Promise<string[]> {
  const members = () => [...world.store.documents('referrals', 'members').values()] as unknown as Member[];
  const here = world.people.filter(({ erased }) => !erased);
  for (const person of here) await assess(world, person, 'one-address', 2);
  await arriveAll(world);
  const held = members().filter(({ friend, erased, address, referredBy }) => {
    const referrer = members().find(({ _id }) => _id === referredBy?.userId);
    const isShared = address.key !== null && address.key === referrer?.address.key;
    return friend && !erased && !friend.released && !friend.refused && !referrer?.erased && isShared;
  });
  const counted = new Map(held.map(({ _id, friend }) => [_id, friend?.countedMicro]));
  const rose = (why: string) =>
    members().flatMap(({ _id, friend }) =>
      counted.has(_id) && friend && friend.countedMicro !== counted.get(_id)
        ? [`${_id.slice(-1)} is held, but counts ${why}`]
        : [],
    );
  await earn(world, here);
  const wrong = rose('at a shared address');
  for (const [id, member] of world.store.documents('referrals', 'members'))
    world.store
      .documents('referrals', 'members')
      .set(id, { ...member, address: { ...(member.address as object), key: null, unknown: true } });
  await earn(world, here);
  wrong.push(...rose('after an import'));
  await endHolds(world);
  return wrong;
}

/** Operators revert their decisions and each user counts at an own address, so all holds end. */
export async function endHolds(world: World): Promise<void> {
  for (const person of world.people.filter(({ erased }) => !erased)) {
    await insist(world, () => world.use('referrals', ({ books }) => books.decide(person.id, 'hold')));
    await assess(world, person, `home-${person.id.slice(-1)}`, 0);
  }
  await arriveAll(world);
}

/** Runs everybody's node for some hours and delivers all events. */
async function earn(world: World, people: readonly Person[]): Promise<void> {
  const { startStep, stopStep, contactStep } = world.modules.node;
  for (const { id } of people) {
    const session = {
      sessionId: `${id.slice(-4)}${world.nowMs}`.padStart(32, '0').slice(-32),
      addressHash: `home-${id.slice(-1)}`,
    };
    await insist(world, () =>
      world.use('mining', ({ ledger }) => ledger.change(id, (account, at) => startStep(account, session, at))),
    );
  }
  world.nowMs += 2 * HOUR_MS;
  for (const { id } of people) {
    await insist(world, () => world.use('mining', ({ ledger }) => ledger.change(id, contactStep)));
    await insist(world, () => world.use('mining', ({ ledger }) => ledger.change(id, stopStep)));
  }
  await arriveAll(world);
}

/** Checks that exactly the corrections confirmed by another operator are booked. @param atRest none may be due */
export function wrongCorrections(world: World, atRest: boolean): string[] {
  const known = world.store.documents('mining', 'corrections') as unknown as ReadonlyMap<string, CorrectionDoc>;
  const wrong: string[] = [];
  for (const { _id, userId, status, amountMicro, proposedBy, decidedBy, dueAtMs } of known.values()) {
    const key = `correction:${userId}:${_id}`;
    const waiting = world.backend.read(userId)?.outbox.find((item) => item.key === key);
    const entry = world.backend.findEntry(userId, key) ?? (waiting?.kind === 'entry' ? waiting.entry : null);
    const isGone = world.people.some(({ id, erased }) => id === userId && erased);
    if (status === 'confirmed' && decidedBy === proposedBy) wrong.push(`${key} was confirmed by its proposer`);
    if (status !== 'confirmed' && entry) wrong.push(`${key} is ${status}, but booked`);
    if (entry && entry.amountMicro !== amountMicro) wrong.push(`${key} is booked as ${entry.amountMicro}`);
    if (status === 'confirmed' && !entry && dueAtMs === undefined) wrong.push(`${key} is neither booked nor due`);
    if (!atRest || status !== 'confirmed' || entry) continue;
    if (isGone) wrong.push(`${key} stays after the erasure`);
    const account = world.backend.read(userId);
    if (account && account.balanceMicro - account.openCommission.amountMicro + amountMicro >= 0n)
      wrong.push(`${key} stays due`);
  }
  return wrong;
}
