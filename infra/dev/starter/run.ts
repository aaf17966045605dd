import { lockDataFolder } from './data-folder.ts';
import { originPort } from './ports.ts';
import { whyNoSignIn } from './probes.ts';
import { endLeftovers } from './run-file.ts';
import { SERVICES } from './services.ts';
import type { Settings } from './settings.ts';
import { Shutdown } from './shutdown.ts';
import type { Supervised } from './supervised.ts';
import { System } from './system.ts';

/** Stop order of processes: those called from outside first, the data store last. */
const STOP_ORDER = [['gateway', 'dev'], SERVICES, ['solana', 'nats'], ['store']];

/**
 * Starts everything, prints the address and keeps it running until it is stopped.
 * @param processes each process is added before it starts
 * @returns a function that stops it in order
 * @throws {StartError} when it fails; what had started is stopped again
 */
export async function run(settings: Settings, processes: Supervised[] = []): Promise<() => Promise<void>> {
  const startedMs = Date.now();
  const { port, lock } = await takePlace(settings);
  const shutdown = new Shutdown({ processes, order: STOP_ORDER });
  const system = new System({ settings, port, processes, shutdown });
  shutdown.finally(async () => {
    await system.runFile.remove();
    await lock.release();
  });
  shutdown.listen();
  try {
    await system.bringUp();
    const warning = settings.local && (await whyNoSignIn(system.publicOrigin));
    if (warning) console.log(`\n  ${warning}`);
    announce(system, startedMs);
    return () => shutdown.stop();
  } catch (error) {
    await shutdown.stop();
    throw error;
  }
}

/**
 * Locks the data folder, ends processes of a killed start, which may hold the port, and finds the origin's port.
 * @throws {StartError} naming what another process holds
 */
export async function takePlace({ dataDir, port, host }: Pick<Settings, 'dataDir' | 'port' | 'host'>) {
  const lock = await lockDataFolder(dataDir);
  try {
    const ended = await endLeftovers(dataDir);
    if (ended > 0) console.log(`  ended ${ended} processes of a killed start`);
    return { port: await originPort(port, host), lock };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Prints the one address, and which parts are real and which are stand-ins. */
function announce({ publicOrigin, store, solana, settings }: System, startedMs: number) {
  const { local, env } = settings;
  const real = ['ledger, accounts and events', 'NATS with JetStream and a user per service'];
  const standIns = [];
  if (store.real) real.push(store.description);
  else standIns.push('MongoDB -> the embedded server, on disk in the data folder');
  if (local) {
    standIns.push('Discord -> test accounts at /dev/discord', 'the clock can be moved forward at /dev');
  } else {
    real.push('Discord');
  }
  if (env.SOLANA_RPC_URL) real.push('Solana at SOLANA_RPC_URL');
  else if (solana) standIns.push('Solana -> a local runtime with test SOL');
  console.log(`
  Real:      ${real.join('; ')}
  Stand-ins: ${standIns.join('; ') || 'none'}
  Data:      ${settings.dataDir} (kept; logs in logs/)
  Ctrl-C shuts down cleanly, a second Ctrl-C immediately. Up after ${((Date.now() - startedMs) / 1000).toFixed(1)} s.

CORD is ready at ${publicOrigin}`);
}
