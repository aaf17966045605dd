import { nextDayStartMs } from '@cord/contracts/rules/days';
import { chanceOf } from '@cord/kit/testing/simulation/random';
import { type Outcome, Run, Violation } from '@cord/kit/testing/simulation/run';
import { type FaultRates, NO_FAULTS } from '@cord/kit/testing/simulation/scheduler';
import { OUTBOX_LEAST } from '../../ledger/bounds.js';
import {
  clockSetter,
  commissioner,
  contactWriter,
  corrector,
  creditor,
  eraser,
  factorEvents,
  leaseSweeper,
  outboxSweeper,
  retryUntilDone,
  starting,
  tab,
  usersOf,
} from './actors.js';
import { type Burst, burst, partialRelays } from './burst.js';
import type { Modules } from './modules.js';
import { lateContacts, overtaken, routed } from './owners.js';
import { World } from './world.js';
import { anyBounds, USUAL_BOUNDS, type WorldBounds } from './world-bounds.js';

/** Maximum number of operations in one run; a run that needs more does not terminate. */
const STEPS_MAX = 50_000;
const CREDITS = 4;
const COMMISSIONS = 3;
const CORRECTIONS = 3;
const TAB_ACTS = 12;
const ROUTED_BURSTS = 3;
const OVERTAKEN = 12;
const LATE_EVENINGS = 6;
/** Maximum number of sweeps until everything is at rest. */
const SWEEPS_MAX = 60;

/**
 * A page whose user is written or taken over by other replicas shortly between its contacts; or one whose lease ends
 * with the day, while its last contact is unwritten.
 */
type Scene = 'overtaken' | 'late';

/** The parameters of a run beside its seed. */
export interface Plan {
  readonly bounds: WorldBounds;
  readonly faults: FaultRates;
  /** Concurrent calls of one user, beside everything else. */
  readonly burst: Burst | null;
  /** A scene of few actors instead of all actors: its situation rarely occurs otherwise. */
  readonly scene?: Scene;
}

const OFTEN: FaultRates = { failOneIn: 25, lostOneIn: 20, crashOneIn: 40 };
/** A burst needs replicas that live for some time. */
const SELDOM: FaultRates = { failOneIn: 500, lostOneIn: 500, crashOneIn: 1_000 };
/** Keeps contacts unwritten; two items nearly fill the outbox. */
const LATE = { unwrittenMs: USUAL_BOUNDS.unwrittenMs, outbox: OUTBOX_LEAST };

/**
 * Returns the plan of a seed: half of the runs use the usual bounds, half some of the smallest. Every fourth has a
 * small burst at the smallest relay, every thirtieth a burst of 200 calls on one or two replicas. Every eighth and
 * every sixteenth is a scene.
 */
export function planOf(seed: number): Plan {
  const chance = chanceOf(seed ^ 0x5eed);
  const bounds = seed % 2 === 0 ? USUAL_BOUNDS : anyBounds(chance);
  if (seed % 30 === 0) {
    return { bounds: USUAL_BOUNDS, faults: SELDOM, burst: { calls: 200, replicas: 1 + (seed % 4) / 2 } };
  }
  if (seed % 8 === 3) return { bounds, faults: SELDOM, burst: null, scene: 'overtaken' };
  if (seed % 16 === 5) return { bounds: { ...bounds, ...LATE }, faults: SELDOM, burst: null, scene: 'late' };
  if (seed % 4 !== 1) return { bounds, faults: OFTEN, burst: null };
  const { waiting } = USUAL_BOUNDS;
  return {
    bounds: { ...bounds, relayRounds: 1, waiting },
    faults: SELDOM,
    burst: { calls: 16, replicas: chance.pick([1, 2]) },
  };
}

/** Runs one seed: chaos first, then everything comes to rest, and nothing may be missing. */
export async function simulate(modules: Modules, seed: number, plan: Plan = planOf(seed)): Promise<Outcome> {
  const world = new World(modules, seed, plan.bounds);
  const run = new Run(world, STEPS_MAX);
  const drive = (work: Promise<unknown>) => run.drive(work, () => passTime(world));
  const users = usersOf(world);
  await drive(
    Promise.all(
      users.map((user) => retryUntilDone(world, () => world.call((ledger) => ledger.open(user.id, user.createdAtMs)))),
    ),
  );
  world.scheduler.faults = plan.faults;
  await drive(Promise.all(plan.scene ? scene(world, users, plan.scene) : chaos(world, users, plan.burst)));
  world.scheduler.faults = NO_FAULTS;
  await drive(
    rest(
      world,
      users.map((user) => user.id),
    ),
  );
  if (world.violation === null) world.violation = leftOver(world);
  return run.outcome;
}

function chaos(world: World, users: readonly { id: string }[], calls: Burst | null): Promise<void>[] {
  const ids = users.map((user) => user.id);
  const [first = '', second = '', third = ''] = ids;
  return [
    ...ids.map((id) => creditor(world, id, 'one', CREDITS)),
    creditor(world, first, 'two', CREDITS),
    ...ids.map((id) => corrector(world, id, CORRECTIONS)),
    ...ids.map((id) => tab(world, id, 'one', TAB_ACTS)),
    ...ids.map((id) => tab(world, id, 'two', TAB_ACTS)),
    ...ids.map((id) => commissioner(world, id, COMMISSIONS)),
    factorEvents(world, first),
    factorEvents(world, second),
    ...(world.chance.oneIn(3) ? [eraser(world, third)] : []),
    leaseSweeper(world, ids, 6),
    outboxSweeper(world, 8),
    contactWriter(world, 12),
    clockSetter(world, first, 4),
    partialRelays(world, second, 8),
    routed(world, second, ROUTED_BURSTS),
    ...(calls === null ? [] : [burst(world, first, calls)]),
  ];
}

function scene(world: World, [first]: readonly { id: string }[], name: Scene): Promise<void>[] {
  const id = first?.id ?? '';
  if (name === 'late') return [lateContacts(world, id, LATE_EVENINGS)];
  return [overtaken(world, id, OVERTAKEN), contactWriter(world, 12), outboxSweeper(world, 8)];
}

/** Stops the nodes, waits for the relays in progress, and sweeps until nothing is dirty. */
async function rest(world: World, ids: readonly string[]): Promise<void> {
  await world.contacts.writeAll();
  for (const id of ids) for (let n = 0; n < 3; n += 1) await startAndStop(world, id, `rest:${id}:${n}`);
  for (const id of ids) await partialRelays(world, id, 2);
  world.nowMs += 3_600_000;
  for (const id of ids) await closeCommissions(world, id);
  for (
    let round = 0;
    round < SWEEPS_MAX && world.backend.findDirty(Number.POSITIVE_INFINITY, 1).length > 0;
    round += 1
  ) {
    world.nowMs += 600_000;
    await world.sweep();
  }
  await world.flush();
}

/** Closes commissions as the sweep does an hour later; for an erased user there may be nothing to do. */
async function closeCommissions(world: World, userId: string): Promise<void> {
  await retryUntilDone(world, () =>
    world.call((ledger) => ledger.change(userId, world.modules.series.closeCommissionStep)),
  );
}

/** Checks that an acknowledged stop has stopped the node, whichever replicas respond. */
async function startAndStop(world: World, userId: string, sessionId: string): Promise<void> {
  const { stopStep } = world.modules.node;
  const starts = starting(world, sessionId);
  const start = (...[account, at]: Parameters<typeof stopStep>) =>
    account.erasedAtMs === null ? starts(account, at) : account;
  await retryUntilDone(world, () => world.call((ledger) => ledger.change(userId, start)));
  await retryUntilDone(world, () => world.call((ledger) => ledger.change(userId, stopStep)));
  const status = world.backend.read(userId)?.node.status;
  if (status !== 'idle') throw new Violation(`${userId.slice(-2)}: a stop was acknowledged, but the node is ${status}`);
}

/** Advances time: mostly by ms and seconds, sometimes by hours so that leases end, or to the last minute of a day. */
function passTime(world: World): void {
  const { chance } = world;
  if (chance.oneIn(1_500)) world.nowMs = nextDayStartMs(world.nowMs) - chance.int(60_000);
  if (chance.oneIn(400)) world.nowMs += chance.int(9 * 3_600_000);
  else if (chance.oneIn(30)) world.nowMs += chance.int(600_000);
  else if (chance.oneIn(3)) world.nowMs += chance.int(12_000);
}

/** Checks what must have arrived once everything is at rest. */
function leftOver(world: World): Violation | null {
  const { backend } = world;
  for (const { account, dirtyAtMs } of backend.docs.values()) {
    const user = account.userId.slice(-2);
    if (dirtyAtMs !== null || account.outbox.length > 0) return new Violation(`${user}: the outbox never emptied`);
    if (account.erasedAtMs !== null) {
      if (world.unsure.has(account.userId)) continue;
      if (backend.hasPublished(account.userId)) return new Violation(`${user}: erased, but still in the stream`);
      if ([...backend.sessions.values()].some(({ userId }) => userId === account.userId)) {
        return new Violation(`${user}: erased, but a session remains`);
      }
      continue;
    }
    if (account.openCommission.amountMicro !== 0n) return new Violation(`${user}: an hour of commission stayed open`);
    if (account.open.amountMicro !== 0n) return new Violation(`${user}: mining stayed open on a stopped node`);
    const state = backend.published.get(account.userId)?.account;
    if (state?.balanceMicro !== account.balanceMicro) {
      return new Violation(
        `${user}: the last published balance is ${state?.balanceMicro}, not ${account.balanceMicro}`,
      );
    }
    const { status } = state.node;
    if (status !== account.node.status) return new Violation(`${user}: the last published node is ${status}`);
  }
  for (const [key, amountMicro] of backend.acknowledged) {
    if (backend.entries.get(key)?.amountMicro !== amountMicro) return new Violation(`${key} was lost`);
  }
  return null;
}
