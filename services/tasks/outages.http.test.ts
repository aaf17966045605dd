import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { excusedRpc, outagesRpc } from '@cord/contracts/rpc/checkin';
import { DAY_MS, dayKey, dayStartMs } from '@cord/contracts/rules/days';
import type { OffSpan } from '@cord/contracts/rules/streak';
import { ADMITS_WRITES, opsUrlOf } from '@cord/kit/ops-port';
import type { RunningService } from '@cord/kit/service';
import { call, migratedStore } from '@cord/kit/testing/index';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { data } from './data.js';
import { createExcused } from './excused.js';
import { createOutages, OUTAGE_MS } from './outages.js';
import { HOUR, openTaskCenter, type TaskCenter } from './test/people.js';

const MINUTE = 60_000;

let tasks: TaskCenter;
let running: RunningService[];
/** Token of an operator. */
let token: string;

beforeEach(async () => {
  tasks = await openTaskCenter();
  running = [tasks.service];
  token = await tasks.admin();
});
afterEach(async () => {
  for (const replica of running.splice(1)) await replica.close();
  await tasks?.stop();
});

type User = Awaited<ReturnType<TaskCenter['newcomer']>>;

const newest = () => running.at(-1) as RunningService;
const checkIn = (user: User, { url } = newest()) =>
  call(url, checkinEndpoints.perform, { body: { userId: user.userId }, token: user.token });
const status = async (user: User, { url } = newest()) =>
  (await call(url, checkinEndpoints.status, { params: { userId: user.userId }, token: user.token })).body;

/** Simulates a gateway's probe of a replica and runs its recurring work. */
async function probed({ url } = newest(), admits = 'yes') {
  const answer = await fetch(`${opsUrlOf(url)}/readyz`, { headers: { [ADMITS_WRITES]: admits } });
  expect(answer.status).toBe(200);
  await tasks.clock.advance(1);
}

/** Stops every process and starts one after a time. */
async function away(ms: number) {
  await newest().close();
  tasks.clock.pass(ms);
  running.push(await tasks.replica());
}

/** Skips to a time of day; skipped time does not count as passed. */
const skipTo = (hours: number, minutes = 0) => {
  const { clock } = tasks;
  const toMs = dayStartMs(clock.now()) + hours * HOUR + minutes * MINUTE;
  return clock.advance((toMs <= clock.now() ? toMs + DAY_MS : toMs) - clock.now());
};

test('an outage of 45 minutes in the evening breaks no streak and pays nothing, and operators see it', async () => {
  const [user, other, late] = await Promise.all([tasks.newcomer(), tasks.newcomer(), tasks.newcomer()]);
  for (const each of [user, other]) await checkIn(each);
  const today = dayKey(tasks.clock.now());
  await skipTo(12);
  const day = dayKey(tasks.clock.now());
  await checkIn(other);
  await checkIn(late);
  await skipTo(22, 30);
  await probed();
  await away(45 * MINUTE);
  // A user may call before the gap is recorded.
  expect(await status(user)).toMatchObject({ currentStreak: 1, excused: [] });
  await probed();
  const toMs = tasks.clock.now();
  const { outages } = await tasks.backend.nats.request(outagesRpc, {});
  expect(outages).toMatchObject([{ toMs }]);
  expect((outages[0]?.toMs ?? 0) - (outages[0]?.fromMs ?? 0)).toBeGreaterThanOrEqual(45 * MINUTE);
  await skipTo(9);
  const excused = [{ dayKey: day, reason: 'outage' }];
  expect(await status(user)).toMatchObject({ canCheckIn: true, currentStreak: 1, nextBonus: 10, excused });
  const second = await tasks.replica();
  running.push(second);
  expect(await status(user)).toMatchObject({ currentStreak: 1, excused });
  expect((await checkIn(user)).body).toMatchObject({ newStreak: 2, bonusAmount: 10 });
  expect((await checkIn(other)).body).toMatchObject({ newStreak: 3 });
  expect(tasks.ledger.balanceMicro(user.userId)).toBe(115_000_000n);

  const seen = (await call(second.url, checkinEndpoints.outages, { token })).body;
  expect(seen.outages).toEqual([
    { from: new Date(toMs - 45 * MINUTE).toISOString(), to: new Date(toMs).toISOString(), days: [day] },
  ]);
  // The user who checked in the day before, but not on that day.
  expect(seen.days).toEqual([{ dayKey: day, reason: 'outage', kept: 1 }]);
  expect(today < day).toBe(true);
  expect(await tasks.backend.nats.request(excusedRpc, {})).toEqual({ days: excused, today: false });
  const refused = await call(second.url, checkinEndpoints.outages, { token: user.token });
  expect(refused.status).toBe(403);
});

test('29 minutes of the last three hours, or an hour of the afternoon, excuse no day', async () => {
  const user = await tasks.newcomer();
  await checkIn(user);
  await skipTo(15);
  await probed();
  await away(60 * MINUTE);
  await probed();
  await skipTo(23);
  await probed();
  await away(29 * MINUTE - 1);
  await probed();
  await skipTo(9);
  await skipTo(8);
  expect(await status(user)).toMatchObject({ currentStreak: 0, excused: [] });
  const seen = (await call(newest().url, checkinEndpoints.outages, { token })).body;
  expect(seen.outages.map(({ days }) => days)).toEqual([[], []]);
});

test('an outage over midnight counts for the first caller after it, before it is recorded', async () => {
  const user = await tasks.newcomer();
  await checkIn(user);
  await skipTo(12);
  await skipTo(23, 15);
  const day = dayKey(tasks.clock.now());
  await probed();
  await away(50 * MINUTE);
  expect(await status(user)).toMatchObject({ currentStreak: 1, excused: [{ dayKey: day, reason: 'outage' }] });
  expect((await checkIn(user)).body).toMatchObject({ newStreak: 2 });
});

test('a gateway that rejects writes is an outage, even while the service runs', async () => {
  const user = await tasks.newcomer();
  await checkIn(user);
  await skipTo(12);
  await skipTo(22);
  const day = dayKey(tasks.clock.now());
  await probed();
  // It restarts at once and does not know the result of an earlier probe.
  await away(0);
  for (let minutes = 0; minutes < 40; minutes += 1) {
    tasks.clock.pass(MINUTE);
    await probed(newest(), 'no');
  }
  expect(await tasks.backend.nats.request(excusedRpc, {})).toMatchObject({ today: true });
  await probed();
  await skipTo(9);
  expect(await status(user)).toMatchObject({ currentStreak: 1, excused: [{ dayKey: day, reason: 'outage' }] });
});

test('one outage is recorded once, despite a crash between two steps and concurrent replicas', async () => {
  const { clock, connection } = await storeOf(tasks);
  let fails = false;
  const parts = { clock, canBeMade: async () => true };
  const broken = createOutages(
    failing(connection, () => fails),
    parts,
  );
  const [one, two] = [createOutages(connection, parts), createOutages(connection, parts)];
  await one.mark();
  const fromMs = clock.now();
  clock.pass(OUTAGE_MS - 1);
  await one.mark();
  expect(await one.spans(clock.now())).toEqual([]);
  const secondMs = clock.now();
  clock.pass(OUTAGE_MS);
  fails = true;
  await expect(broken.mark()).rejects.toThrow();
  expect(await two.spans(clock.now())).toEqual([{ fromMs: secondMs, toMs: null }]);
  await Promise.all([one.mark(), two.mark(), one.mark()]);
  const spans = [{ fromMs: secondMs, toMs: clock.now() }];
  expect([await one.spans(clock.now()), await two.spans(clock.now())]).toEqual([spans, spans]);
  expect(fromMs).toBeLessThan(secondMs);
  const excused = createExcused(connection, { switches: { spans: () => [] }, outages: one, clock });
  expect(await excused.today(clock.now())).toBe(false);
});

test('a store that rejects writes hides no excused day, and the day is stored once it accepts them', async () => {
  const { clock, connection } = await storeOf(tasks);
  const day = dayKey(clock.now() - DAY_MS);
  const fromMs = dayStartMs(clock.now()) - HOUR;
  let spans: OffSpan[] = [{ fromMs, toMs: fromMs + HOUR }];
  let fails = true;
  const excused = createExcused(
    failing(connection, () => fails),
    { switches: { spans: () => [] }, outages: { spans: async () => spans }, clock },
  );
  const days = async () => [...(await excused.days(clock.now()))];
  expect(await days()).toEqual([[day, 'outage']]);
  expect(await excused.kept()).toEqual(new Map());
  fails = false;
  clock.pass(2 * MINUTE);
  expect(await days()).toEqual([[day, 'outage']]);
  spans = [];
  clock.pass(2 * MINUTE);
  expect(await days()).toEqual([[day, 'outage']]);
  expect(await excused.kept()).toEqual(new Map([[day, null]]));
});

async function storeOf({ clock, backend }: TaskCenter) {
  const connection = await migratedStore(backend.mongodbUri, backend.dbName('tasks-marks'), data);
  return { clock, connection };
}

/** A connection whose writes fail while the flag is set. */
function failing(connection: Awaited<ReturnType<typeof storeOf>>['connection'], fails: () => boolean) {
  const collectionOf = (name: string) =>
    new Proxy(connection.collection(name), {
      get(target, method) {
        const writes = method === 'updateOne' || method === 'insertOne';
        if (writes && fails()) return () => Promise.reject(new Error('the store is gone'));
        const value = Reflect.get(target, method);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return new Proxy(connection, {
    get: (target, name) => (name === 'collection' ? collectionOf : Reflect.get(target, name)),
  });
}
