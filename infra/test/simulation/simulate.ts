import { type Outcome, Run, Violation } from '@cord/kit/testing/simulation/run';
import { type FaultRates, NO_FAULTS } from '@cord/kit/testing/simulation/scheduler';
import {
  addFreeTask,
  arrive,
  breakDown,
  carry,
  changeRules,
  claim,
  closeEarly,
  editEpochs,
  enterCode,
  erase,
  insist,
  mine,
  passTime,
  peopleOf,
  setClocks,
  throwSwitch,
} from './actors.js';
import type { Modules } from './modules.js';
import {
  assess,
  buyBadge,
  correct,
  decide,
  endHolds,
  holdsHold,
  restartWhileAway,
  wrongCorrections,
} from './operators.js';
import { type Ledgerbook, openBook, wrongBonuses, wrongs } from './oracle.js';
import { type Person, SERVICES, World } from './world.js';

/** Maximum operations of one run; a run beyond it does not end. */
const STEPS_MAX = 60_000;
const ACTS = 16;
const CARRIERS = 3;
const CARRIED = 60;
/** Rounds in which everything in transit arrives. */
const ROUNDS_MAX = 40;
const HOUR_MS = 3_600_000;
/** Longer than any retention: an address is remembered for thirty days. */
const LONG_MS = 31 * 24 * HOUR_MS;

const OFTEN: FaultRates = { failOneIn: 40, lostOneIn: 30, crashOneIn: 60 };
const SELDOM: FaultRates = { failOneIn: 400, lostOneIn: 400, crashOneIn: 600 };

/** Runs one seed: users and operators during the chaos, then rest, after which nothing may be missing. */
export async function simulate(modules: Modules, seed: number): Promise<Outcome> {
  const world = new World(modules, seed);
  const book = openBook(world);
  const run = new Run(world, STEPS_MAX);
  world.scheduler.faults = seed % 3 === 0 ? SELDOM : OFTEN;
  // Only each seventh seed, so that the runs of the others stay the same.
  await run.drive(chaos(world, book, seed % 7 === 6), () => passTime(world));
  judge(world, () => [...wrongs(world, book, false), ...wrongCorrections(world, false)]);
  world.scheduler.faults = NO_FAULTS;
  await run.drive(rest(world));
  judge(world, () => [...wrongs(world, book, true), ...wrongCorrections(world, true)]);
  return run.outcome;
}

function judge(world: World, findViolations: () => readonly string[]): void {
  world.settle();
  note(world, findViolations());
}

function note(world: World, wrong: readonly string[]): void {
  if (wrong.length > 0) world.violation ??= new Violation(wrong.join('; '));
}

async function chaos(world: World, book: Ledgerbook, hasOutages: boolean): Promise<void> {
  const people = peopleOf(world);
  await Promise.all([
    ...people.map((person, n) => live(world, book, person, n)),
    operate(world, book, hasOutages),
    ...Array.from({ length: CARRIERS }, () => carry(world, CARRIED)),
  ]);
}

/** One user's life: signs in, perhaps with a code, mines, claims, enters codes, perhaps leaves. */
async function live(world: World, book: Ledgerbook, person: Person, n: number): Promise<void> {
  const { chance } = world;
  await carry(world, 4 * n);
  await arrive(world, person, () => codeOf(world, person));
  await claim(world, book, person);
  const goesAt = chance.oneIn(4) ? chance.int(ACTS) : null;
  for (let act = 0; act < ACTS; act += 1) {
    if (act === goesAt) {
      await erase(world, person);
      return;
    }
    if (chance.oneIn(5)) await enterCode(world, person, codeOf(world, null));
    if (chance.oneIn(2)) await mine(world, person);
    else await claim(world, book, person);
    await carry(world, 1 + chance.int(3));
  }
}

/** Returns another user's code, or null. */
function codeOf(world: World, not: Person | null): string | null {
  const members = [...world.store.documents('referrals', 'members').values()];
  const codes = members
    .filter(({ _id, code }) => typeof code === 'string' && _id !== not?.id)
    .map(({ code }) => code as string);
  return codes.length === 0 || world.chance.oneIn(5) ? null : world.chance.pick(codes);
}

async function operate(world: World, book: Ledgerbook, hasOutages: boolean): Promise<void> {
  for (let n = 0; n < 12; n += 1) {
    await carry(world, 3);
    if (world.chance.oneIn(4)) throwSwitch(world);
    if (world.chance.oneIn(6)) closeEarly(world);
    if (hasOutages && world.chance.oneIn(3)) breakDown(world);
    if (world.chance.oneIn(4)) addFreeTask(world);
    if (world.chance.oneIn(4)) await editEpochs(world);
    if (n === 3 && world.hasRuleChange) await changeRules(world);
    if (world.chance.oneIn(3)) await setClocks(world, book);
    if (world.chance.oneIn(3)) await correct(world, world.chance.pick(world.people));
    if (world.chance.oneIn(3)) await decide(world, world.chance.pick(world.people));
    if (world.chance.oneIn(4)) await buyBadge(world, world.chance.pick(world.people));
    const [key, level] = world.chance.pick([
      ['one-address', 2],
      ['one-address', 1],
      ['other', 2],
      [null, 0],
    ] as const);
    if (world.chance.oneIn(2)) await assess(world, world.chance.pick(world.people), key, level);
    if (n === 6) note(world, await restartWhileAway(world));
  }
}

/** Stops nodes, enables claims, delivers everything in transit, and lets a month pass. */
async function rest(world: World): Promise<void> {
  if (world.spans.at(-1)?.toMs === null) throwSwitch(world);
  for (let round = 0; round < 3; round += 1) await arriveAll(world);
  for (const person of world.people)
    await insist(world, () =>
      world.use('mining', ({ ledger }) => ledger.change(person.id, world.modules.node.stopStep)),
    );
  for (let round = 0; round < 6; round += 1) await arriveAll(world);
  await endHolds(world);
  world.nowMs += LONG_MS;
  // A bonus is promised in one round and credited in another; a failed credit waits for its retry.
  for (let round = 0; round < 6; round += 1) await arriveAll(world);
  judge(world, () => wrongBonuses(world));
  note(world, await holdsHold(world));
  world.nowMs += LONG_MS;
  for (let round = 0; round < 6; round += 1) await arriveAll(world);
}

export async function arriveAll(world: World): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX * 20 && !world.bus.isEmpty(); round += 1)
    for (const service of SERVICES) await world.deliver(service, false).catch(onlyLater);
  world.nowMs += 10 * 60_000;
  await world.sweepAll();
}

/** Ignores errors of work that is retried. */
function onlyLater(error: unknown): void {
  if (error instanceof Violation) throw error;
}
