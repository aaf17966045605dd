import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mongo } from 'mongoose';
import { ROOT } from '../../../dev/starter/paths.mjs';
import { runningStoreUri } from '../../../dev/starter/store-address.ts';
import { advance } from '../../kit/clock.ts';

const run = promisify(execFile);
const REST_MS_MAX = 120_000;

/** What stands in mining's own database, read as the audit reads it: int64 as bigint. */
export class Books {
  static async open(system) {
    const client = new mongo.MongoClient(await runningStoreUri(system.dataDir), { useBigInt64: true });
    return new Books(client, system.dataDir);
  }

  constructor(client, dataDir) {
    this.client = client;
    this.dataDir = dataDir;
  }

  /** @returns {Promise<Map<string, {account: object, entries: object[], sessions: object[]}>>} entries by seq */
  async read() {
    const db = this.client.db('cord_mining');
    const [accounts, entries, sessions] = await Promise.all(
      ['accounts', 'entries', 'sessions'].map((name) => db.collection(name).find().toArray()),
    );
    const byUser = new Map(accounts.map((account) => [account._id, { account, entries: [], sessions: [] }]));
    for (const entry of entries) byUser.get(entry.userId).entries.push(entry);
    for (const session of sessions) byUser.get(session.userId).sessions.push(session);
    for (const own of byUser.values()) {
      own.entries.sort((a, b) => (a.seq < b.seq ? -1 : 1));
      own.sessions.sort((a, b) => a.startedAtMs - b.startedAtMs);
    }
    return byUser;
  }

  /** Versions of the epoch table as rewards has it and as mining uses it. */
  async epochVersions() {
    const [made, used] = await Promise.all([
      this.client.db('cord_rewards').collection('epochs').findOne({ _id: 'table' }),
      this.client.db('cord_mining').collection('epochs').findOne({ _id: 'table' }),
    ]);
    return { made: BigInt(made?.seq ?? 0), used: BigInt(used?.version ?? 0) };
  }

  /** Everything in an outbox or not yet paid, anywhere. */
  async waiting() {
    const held = async (service, name, filter) =>
      this.client.db(`cord_${service}`).collection(name).countDocuments(filter);
    const dirty = { dirtyAt: { $exists: true } };
    const counts = await Promise.all([
      held('mining', 'accounts', dirty),
      held('tasks', 'records', dirty),
      held('tasks', 'streaks', dirty),
      held('rewards', 'holders', dirty),
      held('referrals', 'members', dirty),
      held('referrals', 'members', { dueAt: { $exists: true } }),
      held('referrals', 'members', { againAt: { $exists: true } }),
    ]);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** `npx cord audit`. @returns its last lines */
  audit() {
    return this.#node('infra/cli/cord.mjs', 'audit', '--data', this.dataDir);
  }

  /** `npx cord dead-letters list`. */
  deadLetters() {
    return this.#node('infra/cli/cord.mjs', 'dead-letters', 'list', '--data', this.dataDir);
  }

  async #node(...args) {
    const { stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, maxBuffer: 64 << 20 }).catch(
      (error) => error,
    );
    return `${stdout ?? ''}${stderr ?? ''}`.trim();
  }

  close() {
    return this.client.close();
  }
}

/** The sum of a user's entries of these sources, with what is open of mining and of commission; micro-CORD. */
export function sumMicro({ account, entries }, sources = null) {
  const wanted = ({ source }) => sources === null || sources.includes(source);
  const open = { mining: account.open.amountMicro, commission: account.openCommission?.amountMicro ?? 0n };
  const openMicro = Object.entries(open).reduce(
    (sum, [source, amountMicro]) => (wanted({ source }) ? sum + BigInt(amountMicro) : sum),
    0n,
  );
  return entries.filter(wanted).reduce((sum, { amountMicro }) => sum + amountMicro, openMicro);
}

/** Moves the clock until nothing is in an outbox, due or waiting any more, twice in a row. @param {import('../../kit/system.ts').System} system */
export async function comeToRest(system) {
  const books = await Books.open(system);
  try {
    const endMs = performance.now() + REST_MS_MAX;
    for (let still = 0; still < 2 && performance.now() < endMs; ) {
      await advance(system.origin, '61s');
      await sleep(300);
      still = (await books.waiting()) === 0 ? still + 1 : 0;
    }
  } finally {
    await books.close();
  }
}
