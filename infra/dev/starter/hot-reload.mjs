import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildNodePackages } from './build.mjs';
import { ROOT } from './paths.mjs';
import { freePorts } from './ports.mjs';
import { StartError } from './problems.mjs';
import { SERVICES } from './services.mjs';

/** An editor writes many files at once; the last one counts. */
const SETTLE_MS = 400;
/** Whose code a process runs, beside its own folder. */
const SHARED = ['services/kit', 'services/contracts'];
const FOLDERS = {
  ...Object.fromEntries(SERVICES.map((name) => [name, `services/${name}`])),
  gateway: 'infra/gateway',
  dev: 'infra/dev',
};

/**
 * Starts the hot-reload servers of the shell and, when named, one module (infra/build).
 * @returns {Promise<{shell: string, remote: {name: string} | null, close: () => void}>}
 * @throws {StartError} naming a module that does not exist
 */
export async function startHotReload({ module }) {
  const { startDevServers } = await import('@cord/build/dev-servers.mjs');
  return startDevServers({ module, ports: await freePorts(2) }).catch((error) => {
    throw new StartError(error.message);
  });
}

/**
 * Transpiles while files change, and starts again what runs the changed code; the types are looked at beside it.
 * @param {import('./supervised.mjs').Supervised[]} processes
 * @param {(line: string) => void} say
 * @returns a function that ends it
 */
export function restartOnChange(processes, say) {
  const types = watchTypes(say);
  const changed = new Set();
  let timer;
  const settle = async () => {
    const services = new Set(changed);
    changed.clear();
    try {
      await buildNodePackages();
    } catch (error) {
      return say(error.message);
    }
    for (const one of processes) if (services.has(one.spec.service)) one.restart();
  };
  const onFile = (services) => (_event, file) => {
    if (!file?.endsWith('.ts') || /(^|\/)(dist|node_modules|test)\/|\.test\.ts$/.test(file)) return;
    for (const service of services) changed.add(service);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  };
  const watchers = [
    ...Object.entries(FOLDERS).map(([service, folder]) => [folder, [service]]),
    ...SHARED.map((folder) => [folder, Object.keys(FOLDERS)]),
  ].map(([folder, services]) => watch(join(ROOT, folder), { recursive: true }, onFile(services)));
  return () => {
    clearTimeout(timer);
    types.kill();
    for (const watcher of watchers) watcher.close();
  };
}

/** The compiler of types says what it finds; it writes nothing. */
function watchTypes(say) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.node.json', '--watch', '--preserveWatchOutput'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  compiler.stdout.on('data', (text) => {
    for (const line of String(text).split('\n')) if (/error TS/.test(line)) say(line.trim());
  });
  return compiler;
}
