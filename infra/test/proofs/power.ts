/**
 * Power failure of a whole machine: `npm start` with its store, NATS and services runs on a disk that keeps only synced
 * data. At the failure 40 users save, half of them invited by the others, newcomers claim and one bursts. Everything is
 * killed at once and restarted from the disk; every second time the power fails again during the start. Acknowledged
 * work must persist: each claim is paid once, each node has earned rate x time, each inviter has a tenth, and the audit
 * finds nothing. `--rounds N --users N`. Ends with RESULT lines and `N passed, N failed`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Inviter, withCode } from '../../bench/load/mix.ts';
import { freePorts } from '../../dev/starter/ports.ts';
import { Checks } from '../kit/checks.ts';
import { call, inParallel, type Newcomer, signIn } from '../kit/people.ts';
import { childrenOf } from '../kit/proc.ts';
import { beginSystem, isAlive, type System, startSystem } from '../kit/system.ts';
import { until } from '../kit/until.ts';
import { Burster } from './chaos/burst.ts';
import { judge as judgeNode, Saver, untilDone } from './chaos/load.ts';
import { Disk } from './power/disk.ts';
import { judge } from './rolling/judge.ts';

const DISK_BYTES = 4 * 1024 ** 3;
const SAVE_EVERY_MS = 1_000;
/** Time of undisturbed saving before each cut, ms. */
const CALM_MS = 4_000;
/** Approximate length of a burst and of a start, ms; the power fails at a random moment in it. */
const BURST_MS = 600;
const STARTING_MS = 6_000;
/** Number of users who claim around a cut, one after the other. */
const CLAIMERS = 12;
const LANES = 8;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, users: { type: 'string', default: '40' } },
});
const [rounds, users] = [Number(values.rounds), Number(values.users)];
if (!(rounds > 0) || !(users > 1))
  throw new Error('--rounds must be a whole number of at least 1, --users of at least 2');

const checks = new Checks();
const folder = await mkdtemp(join(tmpdir(), 'cord-power-'));
const disk = await Disk.create(folder, DISK_BYTES);
const where = { dataDir: join(disk.path, 'data') };
const [port = 0] = await freePorts(1);
const flags = ['--port', String(port)];
let system = await startSystem(flags, where).catch(removing);
const friendsOf = new Map<string, string[]>();
/** Users whose claim succeeded before the cut. */
const answered = new Set<string>();
const claimers: Newcomer[] = [];
const bursters: Burster[] = [];
try {
  const first = await signIn(system.origin, { years: 3.5, username: 'power.at-once' });
  await checks.step('power fails as soon as the first start is ready: signed-in users stay signed in', async () => {
    await cutPower(system);
    system = await startSystem(flags, where);
    await untilDone(() => call(first, 'GET', '/auth/me'));
  });
  const people = await arrive();
  const savers = people.map((person) => new Saver(person, SAVE_EVERY_MS));
  await inParallel(savers, LANES, (saver) => saver.start());
  for (let round = 1; round <= rounds; round += 1)
    await checks.needed(`power fails ${round} times: everything starts from the synced data`, () => fail(round));
  checks.add('each acknowledged claim is stored', await inParallel([...claimers], LANES, claimAgain));
  const sessions = await inParallel(savers, LANES, (saver) => saver.stop());
  // An inviter's open amount includes commission, so the books below check inviters.
  const judged = async ({ person }: Saver, n: number) =>
    friendsOf.has(person.id) ? null : judgeNode(person, sessions[n]);
  checks.add(
    'each node earned exactly rate x time, and its user sees the sum of the entries',
    await inParallel(savers, LANES, judged),
  );
  checks.add(
    'a burst of 200 calls loses and doubles no entry',
    await inParallel(bursters, LANES, (burster) => burster.judge()),
  );
  const claimed = new Set(claimers.map(({ id }) => id));
  checks.allZero(await judge(system, { people, friendsOf, claimed, failures: [] }));
  console.log(`RESULT saves=${savers.reduce((sum, { saves }) => sum + saves, 0)}`);
  console.log(`RESULT claims_answered_before_a_cut=${answered.size}`);
} catch (error) {
  checks.add('the system is running', [String(error), system.printed.slice(-4_000)]);
} finally {
  await system.halt();
  await disk.remove();
  await rm(folder, { recursive: true, force: true });
}
checks.close();
// The savers would continue after a failure.
process.exit();

/** Signs in all miners: the first half invites the second. */
async function arrive(): Promise<Newcomer[]> {
  const half = Math.floor(users / 2);
  const come = (name: string, inviter?: Inviter) =>
    signIn(system.origin, { years: 3.5, username: `power.${name}`, referralCode: inviter?.code });
  const first = await inParallel([...Array(half).keys()], LANES, (n) => come(`first.${n}`));
  const inviters = await inParallel(first, LANES, withCode);
  const friends = await inParallel(inviters, LANES, async (inviter, n) => {
    const friend = await come(`friend.${n}`, inviter);
    friendsOf.set(inviter.id, [friend.id]);
    return friend;
  });
  return [...first, ...friends];
}

/** Cuts the power during a burst and claims, and restarts everything. */
async function fail(round: number) {
  const newcomers = await inParallel([...Array(CLAIMERS).keys()], LANES, (n) =>
    untilDone(() => signIn(system.origin, { years: 3.5, username: `claims.${round}.${n}` })),
  );
  claimers.push(...newcomers);
  const burster = await untilDone(() => Burster.signIn(system.origin, `burst.${round}`));
  bursters.push(burster);
  await sleep(CALM_MS);
  const cut = sleep(Math.random() * BURST_MS).then(() => cutPower(system));
  const claiming = newcomers.map(async (person, n) => {
    await sleep((n / CLAIMERS) * BURST_MS);
    await claim(person).then(
      () => answered.add(person.id),
      () => undefined,
    );
  });
  await Promise.all([cut, burster.burst(), ...claiming]);
  if (round % 2 === 0) {
    const starting = beginSystem(flags, where);
    await sleep(Math.random() * STARTING_MS);
    await cutPower(starting);
  }
  system = await startSystem(flags, where);
  await until('every service is ready', () => system.healthy());
}

/** Ends the system without a stop: no process gets a signal that it could handle, nothing is written. */
async function cutPower({ child }: System) {
  const pids = descendantsOf(child.pid ?? 0);
  await disk.cut();
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await until('every process is gone', () => !pids.some(isAlive));
  await disk.repair();
}

/** Returns a process and its descendants. The starter comes first, since it restarts what ends. */
function descendantsOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(descendantsOf)];
}

function claim(person: Newcomer) {
  return call(person, 'POST', '/daily-checkin/perform', {});
}

/** @returns what is wrong with an acknowledged claim, or null; one without a response is made now */
async function claimAgain(person: Newcomer): Promise<string | null> {
  const status = await untilDone(() => claim(person)).then(
    () => 200,
    (error: { status?: number }) => error.status,
  );
  if (status !== 200 && status !== 409) return `${person.username}: ${status}`;
  return status === 200 && answered.has(person.id) ? `${person.username}: the claim was lost` : null;
}

async function removing(error: unknown): Promise<never> {
  await disk.remove();
  await rm(folder, { recursive: true, force: true });
  throw error;
}
