import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandEnvironment } from './command-environment.ts';
import { lockDataFolder } from './data-folder.ts';
import { freePorts } from './ports.ts';
import { endInOrder } from './process-group.ts';
import { runningSystem } from './run-file.ts';
import { chooseStore, type StoreProcess } from './store.ts';
import { runningStoreUri } from './store-address.ts';

const READY_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;

/**
 * The store of a data folder: that of the running system, else started here from the folder and stopped again.
 * @param how make: an empty one where there is none
 * @throws {Error} with a message for the reader when there is nothing to audit
 */
export async function storeOf(
  dataDir: string,
  given: NodeJS.ProcessEnv,
  { make = false }: { make?: boolean } = {},
): Promise<{ uri: string; description: string; close: () => Promise<void> }> {
  const env = commandEnvironment(given);
  const running = await runningSystem(dataDir);
  if (running) {
    return {
      uri: await runningStoreUri(dataDir, env),
      description: `the running system at ${running.origin}`,
      close: async () => {},
    };
  }
  if (!make && !env.MONGODB_URI && !existsSync(join(dataDir, 'store')) && !existsSync(join(dataDir, 'mongod'))) {
    throw new Error(`there is no CORD data in ${dataDir}. Choose another folder with --data.`);
  }
  // Nothing is started for MONGODB_URI: commands on it do not exclude each other. An import also changes the folder.
  const lock = env.MONGODB_URI && !make ? undefined : await lockDataFolder(dataDir);
  try {
    const [port] = await freePorts(1);
    const store = await chooseStore({ env, dataDir, port });
    const child = store.process ? await started(store.process) : undefined;
    const close = async () => {
      if (child) await endInOrder(child, 'SIGTERM', STOP_MS_MAX);
      await lock?.release();
    };
    // A store that runs by itself may serve a system on other machines: nothing is known of that.
    const description = store.process ? `the stopped system in ${dataDir}, ${store.description}` : store.description;
    return { uri: store.uri, description, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** By the channel the embedded server ends with this process, however that ends: no other process would see it. */
async function started({ command, args, isReady }: StoreProcess) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const untilMs = Date.now() + READY_MS_MAX;
  while (!(await isReady().catch(() => false))) {
    const { exitCode, signalCode } = child;
    if (signalCode !== null) throw new Error(`the store was ended by ${signalCode} before it was ready.`);
    if (exitCode !== null) throw new Error(`the store ended with code ${exitCode} before it was ready.`);
    if (Date.now() > untilMs) {
      child.kill('SIGKILL');
      throw new Error(`the store was not ready within ${READY_MS_MAX / 1000} s.`);
    }
    await sleep(50);
  }
  return child;
}
