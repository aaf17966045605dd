/**
 * Makes the data of release 1.0.0 that migration.test.ts starts today's system on: `node infra/test/migration/make.mjs`.
 * The release's own code is checked out, installed and run; a few people live some days in it; then it is ended with -9 at
 * a moment at which one payment of commission stands in the ledger without its answer, and another has not reached it.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { mongo } from 'mongoose';
import { advance } from '../../bench/system/clock.mjs';
import { checkOut } from '../../bench/system/release.mjs';
import { startSystem } from '../../bench/system/system.mjs';
import { DATA_FILE, PEOPLE_FILE, RELEASE } from './fixture.mjs';
import { claimTask, liveSomeDays } from './people.mjs';

const run = promisify(execFile);
/** So far ahead that nothing in it is over by the clock of the machine that reads it. */
const AHEAD = `${10 * 365}d`;
const PATIENCE_MS = 120_000;

const { values } = parseArgs({ options: { tree: { type: 'string' } } });
const folder = await mkdtemp(join(tmpdir(), 'cord-release-'));
const root = values.tree ?? join(folder, 'tree');
const dataDir = join(folder, 'data');
try {
  if (!values.tree) await checkOut(RELEASE, root);
  const system = await startSystem([], { root, dataDir });
  const client = new mongo.MongoClient((await system.running()).mongodbUri, { useBigInt64: true });
  const signal = async (name, what) => {
    for (const { pid } of (await system.running()).services[name]) process.kill(pid, what);
  };
  try {
    await advance(system.origin, AHEAD);
    const people = await liveSomeDays(system.origin);
    await loseAnAnswer(people.fay, people.gus);
    await loseARequest(people.hal, people.ivy);
    const nowMs = Date.parse((await (await fetch(`${system.origin}/dev/clock`)).json()).now);
    await endByForce();
    await writeFile(PEOPLE_FILE, `${JSON.stringify({ release: RELEASE, nowMs, people: known(people) }, null, 2)}\n`);
  } finally {
    await client.close().catch(() => {});
    await endByForce();
  }
  await rm(DATA_FILE, { force: true });
  await run(process.execPath, ['infra/cli/cord.mjs', 'data', 'export', DATA_FILE, '--data', dataDir], { cwd: root });
  console.log(`${DATA_FILE} and ${PEOPLE_FILE} are made`);

  /** The payment for what the friend earns reaches the ledger; referrals dies before it hears so. */
  async function loseAnAnswer(referrer, friend) {
    system.child.kill('SIGSTOP');
    await claimTask(friend, 'join-discord');
    await until(async () => (await member(referrer)).dueAt !== undefined);
    await signal('mining', 'SIGSTOP');
    const key = await pending(referrer);
    await sleep(1_000);
    await signal('referrals', 'SIGKILL');
    await signal('mining', 'SIGCONT');
    await until(() => client.db('cord_mining').collection('entries').findOne({ _id: key }));
  }

  /** Referrals comes back and fixes a payment for what the friend earned meanwhile; mining dies before it reads of it. */
  async function loseARequest(referrer, friend) {
    await claimTask(friend, 'join-discord');
    await signal('mining', 'SIGSTOP');
    system.child.kill('SIGCONT');
    const key = await pending(referrer);
    if (await client.db('cord_mining').collection('entries').findOne({ _id: key }))
      throw new Error(`${key} came through`);
  }

  function member(person) {
    return client.db('cord_referrals').collection('members').findOne({ _id: person.id });
  }

  /** @returns the key of the payment that is fixed for the referrer and not confirmed */
  async function pending(referrer) {
    const { commission } = await until(async () => {
      const found = await member(referrer);
      return found.commission.pending ? found : null;
    });
    return `commission:${referrer.id}:${commission.pending.n}`;
  }

  async function endByForce() {
    system.child.kill('SIGKILL');
    const { services } = await system.running().catch(() => ({ services: {} }));
    for (const { pid } of Object.values(services).flat()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    await sleep(500);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function until(look) {
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; await sleep(20)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error('waited in vain');
}

/** What is kept of the people: throw-away accounts of a system that never left this machine. */
function known(people) {
  return Object.fromEntries(
    Object.entries(people).map(([name, { id, accountId, token }]) => [name, { id, accountId, token }]),
  );
}
