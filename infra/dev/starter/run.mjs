import { register } from 'tsx/esm/api';
import { announce } from './announce.mjs';
import { lockDataFolder } from './data-folder.mjs';
import { originPort } from './ports.mjs';
import { SERVICES } from './services.mjs';
import { Shutdown } from './shutdown.mjs';

// From here on there is TypeScript.
register();
const { System } = await import('./system.mjs');

/** The order in which processes are stopped: first who is called from outside, last who keeps the data. */
const STOP_ORDER = [['gateway', 'dev'], SERVICES, ['solana', 'nats'], ['store']];

/**
 * Brings everything up, prints the address, and keeps it running until it is told to stop.
 * @param {ReturnType<import('./settings.mjs').readSettings>} settings
 * @param {import('./supervised.mjs').Supervised[]} [processes] filled with each one before it is started
 * @returns {Promise<() => Promise<void>>} stops it in order
 * @throws {import('./problems.mjs').StartError} when it cannot; what had been started is stopped again
 */
export async function run(settings, processes = []) {
  const startedMs = Date.now();
  const port = await originPort(settings.port, settings.host);
  const lock = await lockDataFolder(settings.dataDir);
  const shutdown = new Shutdown({ processes, order: STOP_ORDER });
  const system = new System({ settings, port, processes, shutdown });
  shutdown.finally(async () => {
    await system.runFile.remove();
    await lock.release();
  });
  shutdown.listen();
  try {
    await system.bringUp();
    announce({ publicOrigin: system.publicOrigin, store: system.store, solana: system.solana, settings, startedMs });
    return () => shutdown.stop();
  } catch (error) {
    await shutdown.stop();
    throw error;
  }
}
