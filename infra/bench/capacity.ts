/**
 * npm run bench -- capacity: the cost of a thousand active miners to a whole system through its gateway, at several
 * numbers of accounts: CPU time per process, bytes written, events and ledger entries, less those of an idle system,
 * and the memory of each process. An active miner saves every ten seconds; the clock also advances one hour. The other
 * accounts exist in the stores and, for the board, in the stream. Counts and CPU times, so a loaded machine gives
 * nearly the same. `--accounts 1000,10000,100000 --active 1000 --seconds 60`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { advance } from '../test/kit/clock.ts';
import { audit, driftOf } from '../test/kit/cord.ts';
import { startSystem } from '../test/kit/system.ts';
import { Meter, type Reading, rateOf, type Taken } from './capacity/meter.ts';
import { Miners } from './capacity/miners.ts';
import { accountOf } from './ranks/crowd.ts';
import { fillStores } from './start/fill.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000,10000,100000' },
    active: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
  },
});
const sizes = values.accounts.split(',').map(Number);
const active = Number(values.active);
const windowMs = Number(values.seconds) * 1_000;
if (sizes.some((size, n) => size < active || size <= (sizes[n - 1] ?? 0)))
  throw new Error('--accounts must rise and start at --active or above');
const MIB = 1024 ** 2;
const PUBLISHED_AT_ONCE = 2_000;
/** Time until all consumers are current and sign-ins have left no work. */
const QUIET_MS = 10_000;
const nowMs = Date.now();
/** Factor to a thousand active miners. */
const perThousand = 1_000 / active;

const system = await startSystem();
const meter = await Meter.open(system);
try {
  const miners = await Miners.signIn(system.origin, active);
  let there = active;
  for (const size of sizes) {
    await grow(there, size);
    there = size;
    await quiet();
    const idle = await during(() => sleep(windowMs));
    await miners.startNodes();
    await miners.save(QUIET_MS);
    const busy = await during(() => miners.save(windowMs));
    const memory = meter.memory();
    const before = await meter.read();
    await advance(system.origin, '60m');
    await miners.save(QUIET_MS);
    await quiet();
    const hour = difference(before, await meter.read());
    await miners.stopNodes();
    report(size, { idle, busy, memory, hour });
  }
  for (const failure of miners.failures.slice(0, 5)) console.log(`failed: ${failure}`);
  const audited = await audit(system.dataDir);
  console.log(`RESULT saves=${miners.saves} failed=${miners.failures.length}`);
  console.log(`RESULT drift_micro=${driftOf(audited)}`);
} finally {
  await meter.close();
  await system.stop();
}

async function during(work: () => Promise<unknown>): Promise<Taken> {
  const first = await meter.read();
  await work();
  return rateOf(first, await meter.read());
}

/** Adds accounts of a range: to the stores, and to the stream that the board reads. */
async function grow(from: number, to: number) {
  if (from === to) return;
  await fillStores(meter.client, { from, users: to, revocations: 0, nowMs });
  for (let at = from; at < to; at += PUBLISHED_AT_ONCE) {
    const batch = Array.from({ length: Math.min(PUBLISHED_AT_ONCE, to - at) }, (_, n) => at + n);
    await Promise.all(
      batch.map((n) => {
        const { userId, ...state } = accountOf(n, nowMs);
        const event = { v: 1, id: `balance:${userId}:7`, at: nowMs, userId, ...state };
        return meter.nats.js.publish(`cord.balance.v1.changed.${userId}`, JSON.stringify(event));
      }),
    );
  }
}

/** Waits until all consumers are current. */
async function quiet() {
  while ((await meter.behind()) > 0) await sleep(500);
  await sleep(QUIET_MS);
}

/** Returns the effect of the hour's advance. */
function difference(first: Reading, last: Reading) {
  const sum = ({ written }: Reading) => Object.values(written).reduce((total, bytes) => total + bytes, 0);
  const bytes = sum(last) - sum(first);
  return { entries: last.entries - first.entries, events: last.events - first.events, bytes };
}

interface Measured {
  idle: Taken;
  busy: Taken;
  /** Bytes by process. */
  memory: Record<string, number>;
  hour: Record<string, number>;
}

function report(size: number, { idle, busy, memory, hour }: Measured) {
  const at = (figures: Record<string, number>, name: string) => figures[name] ?? Number.NaN;
  const of = (name: string) => ((at(busy.cpu, name) - at(idle.cpu, name)) / 1_000) * perThousand;
  const names = Object.keys(busy.cpu).sort((one, other) => of(other) - of(one));
  const total = (read: (name: string) => number) => names.reduce((sum, name) => sum + read(name), 0);
  const begin = `RESULT accounts=${size}`;
  console.log(
    `${begin} cpu_ms_per_s=${total(of).toFixed(0)} idle_ms_per_s=${total((name) => at(idle.cpu, name) / 1_000).toFixed(0)}`,
  );
  console.log(`${begin} cpu_ms_per_s_of ${names.map((name) => `${name}=${of(name).toFixed(1)}`).join(' ')}`);
  console.log(`${begin} mib=${total((name) => at(memory, name) / MIB).toFixed(0)}`);
  console.log(`${begin} mib_of ${names.map((name) => `${name}=${(at(memory, name) / MIB).toFixed(0)}`).join(' ')}`);
  const written = Object.keys(busy.written).map(
    (name) => `${name}=${((at(busy.written, name) - at(idle.written, name)) * perThousand).toFixed(0)}`,
  );
  console.log(`${begin} written_bytes_per_s_of ${written.join(' ')}`);
  console.log(`${begin} events_per_s=${((busy.events - idle.events) * perThousand).toFixed(1)}`);
  const turned = Object.entries(hour).map(([what, count]) => `${what}=${(count * perThousand).toFixed(0)}`);
  console.log(`${begin} turn_of_an_hour ${turned.join(' ')}`);
}
