import { subjectOf } from '@cord/contracts/events/envelope';
import type { EpochRow } from '@cord/contracts/events/rewards';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { openAccount } from '@cord/contracts/rpc/ledger';
import { ageTenths } from '@cord/contracts/rules/age';
import { welcomeMicro } from '@cord/contracts/rules/bonuses';
import { nextDayStartMs } from '@cord/contracts/rules/days';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { tierHundredths, YEAR_MS } from '@cord/contracts/rules/tiers';
import { registered } from '@cord/kit/testing/registered';
import { Violation } from '@cord/kit/testing/simulation/run';
import { natsOf } from './kit-of.js';
import type { Booked, Ledgerbook } from './oracle.js';
import { AUTH } from './process-id.js';
import { isChaos, type Person, SERVICES, type ServiceName, type World } from './world.js';

/** Auth is outside the four services; its own calls can fail like theirs. */
/** Maximum attempts of one act during the chaos; then only the oracle checks the result. */
const TRIES_MAX = 12;
const HOUR_MS = 3_600_000;

/** Creates people with accounts of different ages. */
export function peopleOf(world: World): Person[] {
  return [9.5, 5.5, 2.2, 0.4].map((years, n) => ({
    id: `${'a'.repeat(31)}${n + 1}`,
    createdAtMs: world.nowMs - years * YEAR_MS,
    erased: false,
    assessed: 0,
  }));
}

/**
 * Retries an act until it gets a response; a refusal is a response.
 * @returns null when it was refused or given up
 */
export async function insist<R>(world: World, act: () => Promise<R>, tries = TRIES_MAX): Promise<R | null> {
  const { Problem } = world.modules.problem;
  for (let tried = 0; tried < tries; tried += 1) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Violation) throw error;
      const isLater = isChaos(error) || (error instanceof Problem && error.status >= 500);
      if (error instanceof Problem && error.status < 500) return null;
      if (!isLater) throw error;
      await wait(world);
    }
  }
  return null;
}

/** Lets something else happen first. */
async function wait(world: World): Promise<void> {
  await world.scheduler.operation(AUTH, () => undefined).catch(() => undefined);
}

/** Does what auth does for a newcomer: publishes, has the account opened (perhaps late), and passes the code on. */
export async function arrive(world: World, person: Person, codeOf: () => string | null): Promise<void> {
  world.people.push(person);
  const code = codeOf();
  const welcome = welcomeMicro(
    ageTenths(person.createdAtMs, world.nowMs),
    tierHundredths(FIRST_BOOK, world.nowMs - person.createdAtMs),
  );
  const state = registered(world.nowMs, {
    discordCreatedAt: person.createdAtMs,
    referralCode: code,
    welcomeMicro: String(welcome),
  });
  const envelope = { v: 1, id: `user:${person.id}`, at: world.nowMs, userId: person.id, seq: '1' };
  const publish = () => {
    if (!person.erased) world.bus.publish(subjectOf(userRegistered, person.id), { ...envelope, ...state });
  };
  await insist(world, () => world.scheduler.operation(AUTH, publish, true), 1_000);
  // The request to open the account is sometimes lost; the event then opens it.
  const opened = { userId: person.id, discordCreatedAt: person.createdAtMs, at: world.nowMs };
  if (world.chance.oneIn(2)) await insist(world, () => world.request(AUTH, openAccount as never, opened), 1);
  if (code !== null)
    await insist(world, () => world.use('referrals', ({ arrivals }) => arrivals.processNow(person.id, code)), 2);
}

/** Performs task and one-time claims; each response goes into our own books. */
export async function claim(world: World, book: Ledgerbook, person: Person): Promise<void> {
  const acts: (() => Promise<Booked | null>)[] = [
    () => checkIn(world, person),
    () => checkIn(world, person),
    ...['early-adopter', 'invite-friends', 'mine-1-hour', 'free-task'].map(
      (taskId) => () => complete(world, person, taskId),
    ),
    () => compensate(world, person),
  ];
  if (book.areClaimsOff()) return;
  const made = await world.chance.pick(acts)();
  if (made) book.note(made);
}

/** Checks the kill switch of claims, as the routes do. */
function demanding<P extends { switches: { requireOn(name: 'claims'): Promise<void> } }, R>(
  act: (parts: P) => Promise<R>,
) {
  return async (parts: P): Promise<R> => {
    await parts.switches.requireOn('claims');
    return act(parts);
  };
}

async function checkIn(world: World, { id }: Person): Promise<Booked | null> {
  const made = await insist(world, () =>
    world.use(
      'tasks',
      demanding((parts) => parts.claims.checkIn(id)),
    ),
  );
  if (!made) return null;
  const { day } = made;
  return { userId: id, key: `checkin:${id}:${day.dayKey}`, micro: day.rewardMicro + day.bonusMicro, checkIn: day };
}

async function complete(world: World, { id }: Person, taskId: string): Promise<Booked | null> {
  if (!world.catalogue.some((task) => task.id === taskId)) return null;
  const made = await insist(world, () =>
    world.use(
      'tasks',
      demanding((parts) => parts.claims.complete(id, taskId)),
    ),
  );
  if (!made) return null;
  const last = taskId === 'mine-1-hour' ? null : `task:${taskId}:${id}:once`;
  return { userId: id, key: last, micro: made.rewardMicro, checkIn: null };
}

async function compensate(world: World, { id }: Person): Promise<Booked | null> {
  const made = await insist(world, () =>
    world.use(
      'rewards',
      demanding((parts) => parts.claims.claim(id, 'compensation')),
    ),
  );
  return made && { userId: id, key: `compensation:${id}`, micro: made.amountMicro, checkIn: null };
}

/** A tab: starts, saves, stops, and gives up on errors like a closed page. Two people share an address. */
export async function mine(world: World, person: Person): Promise<void> {
  const { startStep, contactStep, stopStep } = world.modules.node;
  const addressHash = world.chance.pick(['home', 'home', person.id.slice(-1)]);
  const sessionId = `${person.id.slice(-4)}${world.chance.int(1_000_000)}`.padStart(32, '0');
  const step = world.chance.pick([
    (...[account, at]: Parameters<typeof stopStep>) =>
      account.erasedAtMs === null ? startStep(account, { sessionId, addressHash }, at) : account,
    (...[account, at]: Parameters<typeof stopStep>) => contactStep(account, at, addressHash),
    stopStep,
  ]);
  await insist(world, () => world.use('mining', ({ ledger }) => ledger.change(person.id, step)), 1).catch(onlyRefusals);
}

/** Ignores the ledger's refusals: an account may not be open yet, or erased. */
function onlyRefusals(error: unknown): void {
  if (error instanceof Error && error.name === 'LedgerRefusal') return;
  throw error;
}

/** Enters a code by hand, with a double click. */
export async function enterCode(world: World, person: Person, code: string | null): Promise<void> {
  if (code === null) return;
  const enter = () => insist(world, () => world.use('referrals', ({ links }) => links.process(person.id, code)), 3);
  await Promise.all([enter(), enter()]);
}

/** Erases an account in the middle of any other act. */
export async function erase(world: World, person: Person): Promise<void> {
  const envelope = { v: 1, id: `erased:${person.id}`, at: world.nowMs, userId: person.id, seq: '2' };
  const publish = () => {
    person.erased = true;
    world.bus.publish(subjectOf(userErased, person.id), envelope);
  };
  const { nats } = natsOf(world, AUTH);
  const purge = () => world.modules.purge.purgeUserEvents(nats, [userRegistered], person.id);
  await insist(world, purge, 1_000);
  await insist(world, () => world.scheduler.operation(AUTH, publish, true), 1_000);
  await insist(world, purge, 1_000);
}

/** Operators switch claims off for the end of an evening. */
export function closeEarly(world: World): void {
  if (world.spans.at(-1)?.toMs === null) return;
  world.nowMs = Math.max(world.nowMs, nextDayStartMs(world.nowMs) - 50 * 60_000);
  throwSwitch(world);
  world.nowMs = Math.max(world.nowMs, nextDayStartMs(world.nowMs) - 60_000);
  throwSwitch(world);
}

/** Check-ins fail for a while late in the evening, sometimes long enough that the day does not break a streak. */
export function breakDown(world: World): void {
  const fromMs = Math.max(world.nowMs, nextDayStartMs(world.nowMs) - 110 * 60_000);
  const toMs = fromMs + world.chance.pick([10, 45, 45]) * 60_000;
  world.nowMs = toMs;
  world.outages = [...world.outages, { fromMs, toMs }];
}

/** Announces changed switches: each process reads them again, except some that miss the message. */
export function spreadSwitches(world: World): void {
  for (const service of ['tasks', 'rewards', 'referrals'] as const)
    for (const { switches } of world.all(service)) if (!world.chance.oneIn(4)) void switches.refresh().catch(() => {});
}

/** Toggles the kill switch of claims. */
export function throwSwitch(world: World): void {
  const last = world.spans.at(-1);
  if (last && last.toMs === null) world.spans = [...world.spans.slice(0, -1), { ...last, toMs: world.nowMs }];
  else world.spans = [...world.spans, { name: 'claims', fromMs: world.nowMs, toMs: null }];
  spreadSwitches(world);
}

/** An admin adds a task that pays nothing, if the contract accepts it. */
export function addFreeTask(world: World): void {
  const free = { id: 'free-task', type: 'achievement', title: 'Free', description: '', reward: 0, maxProgress: 1 };
  const body = { ...free, measure: 'account-age-5' };
  const shape = (
    world.modules.taskContract.taskEndpoints.create as unknown as {
      body: { safeParse(v: unknown): { success: boolean } };
    }
  ).body;
  if (!shape.safeParse(body).success || world.catalogue.some(({ id }) => id === free.id)) return;
  const like = world.catalogue.find(({ id }) => id === 'early-adopter');
  if (like) world.catalogue = [...world.catalogue, { ...like, id: free.id, rewardMicro: 0n }];
}

/** Operators end the running epoch and begin another there: each at least 25 s ahead, perhaps too late. */
export async function editEpochs(world: World): Promise<void> {
  const { withEpoch } = world.modules.epochRules;
  const fromMs = world.nowMs + 26_000 + world.chance.int(2 * HOUR_MS);
  const edit = async (verb: string, target: string, rowOf: (epochs: readonly EpochRow[]) => EpochRow | undefined) => {
    const change = world.use('rewards', ({ desk, clock }) =>
      desk.change({ adminId: 'b'.repeat(32), action: `epoch.${verb}`, target, of: () => null }, (rows) => {
        const { epochs } = rows;
        const row = rowOf(epochs);
        const made = row && withEpoch(epochs, row, clock.now());
        return made && 'epochs' in made ? { ...rows, epochs: made.epochs } : rows;
      }),
    );
    await insist(world, () => change, 1);
  };
  const runs = (epochs: readonly EpochRow[]) =>
    epochs.find(({ startAt, endAt }) => startAt <= fromMs && fromMs < endAt);
  await edit('update', 'running', (epochs) => {
    const running = runs(epochs);
    return running && { ...running, endAt: fromMs };
  });
  const name = `e${world.chance.int(1_000)}`;
  await edit('create', name, (epochs) => {
    const next = epochs.find(({ startAt }) => startAt > fromMs);
    const multiplierHundredths = 110 + 10 * world.chance.int(10);
    const row = { id: name, name, description: '', multiplierHundredths, startAt: fromMs };
    return runs(epochs) ? undefined : { ...row, endAt: next?.startAt ?? fromMs + HOUR_MS };
  });
}

/** Two operators change the rules at least an hour ahead: mining rate and check-in reward. */
export async function changeRules(world: World): Promise<void> {
  const { withBook } = world.modules.ruleChanges;
  const fromMs = world.nowMs + HOUR_MS + 60_000 + world.chance.int(3 * HOUR_MS);
  const numbers = { baseNano: 600_000_000, badgeHundredths: 110, checkinMicro: 40_000_000, streakStepMicro: 4_000_000 };
  const described = { reason: 'A change', sooner: 'Soon', proposedBy: 'b'.repeat(32), proposedAtMs: world.nowMs };
  const proposal = { id: 'd'.repeat(32), fromMs, changes: numbers, ...described };
  const change = world.use('rewards', ({ desk, clock }) =>
    desk.change({ adminId: 'c'.repeat(32), action: 'rules.confirmed', target: proposal.id, of: () => null }, (rows) => {
      const made = withBook(rows.books, proposal, clock.now());
      return 'books' in made ? { ...rows, books: made.books } : rows;
    }),
  );
  await insist(world, () => change, 1);
}

/** Sets the clock of one process ahead during other acts, and later right again, unless the process has died. */
export async function setClocks(world: World, book: Ledgerbook): Promise<void> {
  const { chance } = world;
  const byMs = chance.pick([61_000, HOUR_MS, 24 * HOUR_MS, 3 * 24 * HOUR_MS, YEAR_MS]);
  const whose = world.setClock(chance.pick([...SERVICES, 'mining']), byMs);
  for (let n = chance.int(4); n > 0; n -= 1) await claim(world, book, chance.pick(world.people));
  await carry(world, 1 + chance.int(3));
  world.clockIsRight(whose);
}

/** Delivers events and runs periodic work. */
export async function carry(world: World, rounds: number): Promise<void> {
  const services: ServiceName[] = [...SERVICES];
  for (let n = 0; n < rounds; n += 1) {
    const service = world.chance.pick(services);
    const act = world.chance.oneIn(3) ? world.sweep(service) : world.deliver(service, true);
    await act.catch((error: unknown) => {
      if (error instanceof Violation) throw error;
    });
    await wait(world);
  }
}

/** Moves time, mostly by ms and seconds, sometimes by hours or a day, whether or not all accounts are open. */
export function passTime(world: World): void {
  const { chance } = world;
  if (chance.oneIn(400)) world.nowMs += 24 * HOUR_MS;
  else if (chance.oneIn(150)) world.nowMs += chance.int(5 * HOUR_MS);
  else if (chance.oneIn(20)) world.nowMs += chance.int(600_000);
  else if (chance.oneIn(3)) world.nowMs += chance.int(5_000);
}
