import { fork, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

/** The compiler writes many files at once; the last one counts. */
const SETTLE_MS = 400;
/** Whose code a process runs, beside its own folder. */
const SHARED = ['services/kit', 'services/contracts'];
const FOLDERS = {
  auth: 'services/auth',
  mining: 'services/mining',
  tasks: 'services/tasks',
  referrals: 'services/referrals',
  rewards: 'services/rewards',
  leaderboard: 'services/leaderboard',
  gateway: 'infra/gateway',
  dev: 'infra/dev',
};

/**
 * Starts the hot-reload servers of the shell and, when named, one module (infra/build), in a process of their own: they
 * end a process at Ctrl-C by themselves, and this one has more to stop.
 * @returns {Promise<{shell: string, remote: {name: string} | null, close: () => void}>}
 * @throws {StartError} naming a module that there is not
 */
export function startHotReload({ module }, moduleStore) {
  const child = fork(join(import.meta.dirname, 'hot-reload-servers.mjs'), module ? [module] : [], {
    cwd: ROOT,
    env: { ...process.env, MODULE_STORE: moduleStore },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    child.once('message', ({ error, ...servers }) => {
      const close = () => child.kill('SIGKILL');
      if (!error) return resolve({ ...servers, close });
      close();
      reject(new StartError(error));
    });
    child.once('exit', (code) => reject(new StartError(`the hot-reload servers ended with exit code ${code}`)));
  });
}

/**
 * Compiles while files change, and starts again what runs the changed code.
 * @param {import('./supervised.mjs').Supervised[]} processes
 * @param {(line: string) => void} say
 * @returns a function that ends it
 */
export function restartOnChange(processes, say) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiler = spawn(process.execPath, [tsc, '-b', '--watch', '--preserveWatchOutput'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  compiler.stdout.on('data', (text) => {
    for (const line of String(text).split('\n')) if (/error TS/.test(line)) say(line.trim());
  });
  const changed = new Set();
  let timer;
  const note = (services) => {
    for (const service of services) changed.add(service);
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const one of processes) if (changed.has(one.spec.service)) one.restart();
      changed.clear();
    }, SETTLE_MS);
  };
  const onFile = (services) => (_event, file) => {
    if (file?.endsWith('.js')) note(services);
  };
  const watchers = [
    ...Object.entries(FOLDERS).map(([service, folder]) => [folder, [service]]),
    ...SHARED.map((folder) => [folder, Object.keys(FOLDERS)]),
  ].map(([folder, services]) => watch(join(ROOT, folder, 'dist'), { recursive: true }, onFile(services)));
  return () => {
    clearTimeout(timer);
    compiler.kill();
    for (const watcher of watchers) watcher.close();
  };
}
