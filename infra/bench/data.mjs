/**
 * npm run bench -- data: an export of a stopped system of so many accounts, each with an entry, and its import into an empty one: how many
 * accounts a second, and the memory of the command, whose heap is bounded. `--accounts N --heap MIB`.
 * Closes with the RESULT lines.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { migrateAll } from '../dev/starter/migrate.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { storeOf } from '../dev/starter/store-of.mjs';
import { fillStores } from './start/fill.mjs';

const LOOK_EVERY_MS = 200;
const EARNED_MICRO = 55_000_000n;

const { values } = parseArgs({
  options: { accounts: { type: 'string', default: '1000000' }, heap: { type: 'string', default: '128' } },
});
const accounts = Number(values.accounts);
if (!(accounts > 0)) throw new Error('--accounts must be a number');
const env = { ...process.env, NODE_ENV: 'test' };
const folder = await mkdtemp(join(tmpdir(), 'cord-data-'));
try {
  const [from, to, file] = ['from', 'to', 'backup.tar'].map((name) => join(folder, name));
  await fill(from);
  const exported = await measured('export', file, '--data', from);
  console.log(`RESULT file_mib=${((await stat(file)).size / 1024 ** 2).toFixed(0)}`);
  // What is erased stays known: an import asks for the key of it.
  await mkdir(join(to, 'secrets'), { recursive: true });
  await copyFile(join(from, 'secrets/tombstone-key'), join(to, 'secrets/tombstone-key'));
  const imported = await measured('import', file, '--yes', '--data', to);
  const [, drift] = /drift_micro=(\d+) accounts=/.exec(imported.printed) ?? [];
  for (const [verb, { seconds, mib }] of Object.entries({ export: exported, import: imported })) {
    console.log(`RESULT ${verb}_s=${seconds.toFixed(1)} accounts_per_s=${(accounts / seconds).toFixed(0)}`);
    const most = `own_mib_max=${mib.own.toFixed(0)} with_mapped_mib_max=${mib.mapped.toFixed(0)}`;
    console.log(`RESULT ${verb} ${most} heap_mib=${values.heap}`);
  }
  console.log(`RESULT accounts=${accounts} drift_micro=${drift}`);
  process.exitCode = drift === '0' ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A stopped system of so many, as its services would have left it. */
async function fill(dataDir) {
  const store = await storeOf(dataDir, env, { make: true });
  const client = new mongo.MongoClient(store.uri, { useBigInt64: true });
  try {
    await migrateAll(store.uri);
    const what = { users: accounts, revocations: 0, nowMs: Date.now(), earnedMicro: EARNED_MICRO };
    await fillStores(client, what, (line) => console.log(line));
  } finally {
    await client.close();
    await store.close();
  }
}

/** Runs `npx cord data` with a bounded heap; mib: the most that it took of its own, and with the files that it has mapped. */
async function measured(...words) {
  const startMs = performance.now();
  const args = [`--max-old-space-size=${values.heap}`, 'infra/cli/cord.mjs', 'data', ...words];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    process.stdout.write(chunk);
  });
  const mib = { own: 0, mapped: 0 };
  const looking = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
    mib.own = Math.max(mib.own, of('RssAnon'));
    mib.mapped = Math.max(mib.mapped, of('VmHWM'));
  }, LOOK_EVERY_MS);
  const [code] = await once(child, 'close');
  clearInterval(looking);
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}`);
  return { seconds: (performance.now() - startMs) / 1_000, mib, printed };
}
