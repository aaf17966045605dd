import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinary } from './binaries.ts';
import { ownMongod } from './mongod.ts';
import { ROOT } from './paths.mjs';
import { acceptsOn } from './probes.ts';
import { StartError } from './problems.mjs';
import { addressesOf, storeUsers, withoutPassword } from './store-address.ts';
import type { ProcessSpec } from './supervised.ts';

/** The specification of our own store's process. */
export type StoreProcess = Pick<ProcessSpec, 'command' | 'args' | 'isReady' | 'advise'>;

/** The document store of a system. */
export interface Store {
  /** for display */
  address: string;
  /** the operator's, with the password */
  uri: string;
  /** a service's address with its password; at MONGODB_URI the same for all, since its operator manages the users */
  uriFor: (service: string) => string;
  /** shown by a start */
  description: string;
  /** whether it is MongoDB */
  real: boolean;
  /** absent with MONGODB_URI */
  process?: StoreProcess;
}

/**
 * Chooses the document store: MONGODB_URI, else mongod on PATH, else the embedded server. Our own store requires a user and
 * password also on loopback, which other users of the machine reach. Each service's user can access its own database only.
 */
export async function chooseStore({
  env,
  dataDir,
  port,
}: {
  env: NodeJS.ProcessEnv;
  dataDir: string;
  port: number;
}): Promise<Store> {
  if (env.MONGODB_URI) {
    const uri = env.MONGODB_URI;
    return { address: withoutPassword(uri), uri, uriFor: () => uri, description: 'MongoDB at MONGODB_URI', real: true };
  }
  const mongod = await findBinary('mongod');
  return mongod ? ownMongod({ mongod, dataDir, port }) : embedded({ dataDir, port });
}

async function embedded({ dataDir, port }: { dataDir: string; port: number }): Promise<Store> {
  const folder = join(dataDir, 'store');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const main = join(ROOT, 'infra/embedded-mongo/dist/main.js');
  await access(main).catch(() => {
    throw new StartError('the embedded store is not built: run npm run build -- --node.');
  });
  const address = `mongodb://127.0.0.1:${port}`;
  const users = await storeUsers(dataDir);
  const signIn = users.flatMap(({ name, database, passwordFile }) => [
    ...['--user', database === undefined ? name : `${name}@${database}`],
    ...['--password-file', passwordFile],
  ]);
  return {
    address,
    ...addressesOf(address, users),
    description: 'the embedded server (no MONGODB_URI, no mongod on PATH)',
    real: false,
    process: {
      command: process.execPath,
      args: ['--enable-source-maps', main, '--port', String(port), '--data', folder, ...signIn],
      isReady: acceptsOn(port),
      advise: adviceOnDamage,
    },
  };
}

/**
 * Returns advice for a store that does not start because its data is damaged.
 * @param log the end of its output
 */
function adviceOnDamage(log: string): string | undefined {
  // Only the last line: the log continues across starts.
  const damage = /the data file \S.* is damaged: .*$/.exec(log.trimEnd().split('\n').at(-1) ?? '')?.[0];
  if (damage === undefined) return undefined;
  return `${damage}.
Nothing was changed. Keep a copy of the data folder if you may need it, then
  1. with an export: "npx cord data reset", then "npx cord data import FILE" restores it,
  2. without one: "npx cord data reset" deletes all data and starts over.
Add --data DIR for another folder than .data. If you do not know how the file was damaged, check the disk first.`;
}
