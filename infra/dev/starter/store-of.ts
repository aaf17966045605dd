import { commandEnvironment } from './command-environment.ts';
import { hasStore, lockDataFolder } from './data-folder.ts';
import { freePorts } from './ports.ts';
import { endInOrder, startReady } from './process-group.ts';
import { runningSystem } from './run-file.ts';
import { chooseStore } from './store.ts';
import { runningStoreUri } from './store-address.ts';

const STOP_MS_MAX = 10_000;

/**
 * Opens the store of a data folder: that of the running system, else one started here and stopped on close.
 * @param how make: creates an empty store when there is none
 * @throws {Error} with a message for the user when there is no data, or the store does not start
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
  if (!make && !env.MONGODB_URI && !hasStore(dataDir)) {
    throw new Error(`there is no CORD data in ${dataDir}. Choose another folder with --data.`);
  }
  // With MONGODB_URI commands need not exclude each other. An import also changes the folder, so it locks it.
  const lock = env.MONGODB_URI && !make ? undefined : await lockDataFolder(dataDir);
  try {
    const [port] = await freePorts(1);
    const store = await chooseStore({ env, dataDir, port });
    const child = store.process && (await startReady('the store', store.process)).child;
    const close = async () => {
      if (child) await endInOrder(child, 'SIGTERM', STOP_MS_MAX);
      await lock?.release();
    };
    // A store that runs by itself may serve systems on other machines, so their state is unknown.
    const description = store.process ? `the stopped system in ${dataDir}, ${store.description}` : store.description;
    return { uri: store.uri, description, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}
