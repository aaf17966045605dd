import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildNodePackages } from './build.ts';
import { ROOT } from './paths.mjs';
import { freePorts } from './ports.ts';
import { StartError } from './problems.mjs';
import { endGroup } from './process-group.ts';
import { SERVICES } from './services.ts';
import type { Supervised } from './supervised.ts';

/** An editor writes many files at once; the last one counts. */
const SETTLE_MS = 400;
/** Whose code a process runs, beside its own folder. */
const SHARED = ['services/kit', 'services/contracts'];
const FOLDERS = {
  ...Object.fromEntries(SERVICES.map((name) => [name, `services/${name}`])),
  gateway: 'infra/gateway',
  dev: 'infra/dev',
};

/** The servers of `npm run dev`: the shell's, and that of the module that is worked on. */
export interface HotReload {
  shell: string;
  remote: { name: string } | null;
  close(): void;
}

/**
 * Starts the hot-reload servers of the shell and, when named, one module (infra/build).
 * @throws {StartError} naming a module that does not exist
 */
export async function startHotReload({ module }: { module?: string | undefined }): Promise<HotReload> {
  const { startDevServers } = await import('@cord/build/dev-servers.ts');
  const [shellPort, modulePort] = await freePorts(2);
  return startDevServers({ ...(module && { module }), ports: [shellPort, modulePort] }).catch((error: Error) => {
    throw new StartError(error.message);
  });
}

/**
 * Transpiles while files change, and starts again what runs the changed code; the types are looked at beside it.
 * @returns a function that ends it
 */
export function restartOnChange(processes: Supervised[], report: (line: string) => void): () => void {
  const types = watchTypes(report);
  const { changed, settle } = restarts(processes, buildNodePackages, report);
  let timer: NodeJS.Timeout | undefined;
  const onFile = (services: readonly string[]) => (_event: string, file: string | null) => {
    if (!file?.endsWith('.ts') || /(^|\/)(dist|node_modules|test)\/|\.test\.ts$/.test(file)) return;
    for (const service of services) changed.add(service);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  };
  const watchers = [
    ...Object.entries(FOLDERS).map(([service, folder]) => ({ folder, services: [service] })),
    ...SHARED.map((folder) => ({ folder, services: Object.keys(FOLDERS) })),
  ].map(({ folder, services }) => watch(join(ROOT, folder), { recursive: true }, onFile(services)));
  return () => {
    clearTimeout(timer);
    types.end();
    for (const watcher of watchers) watcher.close();
  };
}

/**
 * Builds what has changed, one build at a time, and starts again what runs it. After a build that fails the names wait for the next one that succeeds.
 * @returns `changed`: names of what to start again; `settle`: builds, and waits until that is done
 */
export function restarts(
  processes: readonly Pick<Supervised, 'spec' | 'restart'>[],
  build: () => Promise<unknown>,
  report: (line: string) => void,
): { changed: Set<string>; settle(): Promise<void> } {
  const changed = new Set<string>();
  let settled = Promise.resolve();
  const buildAndRestart = async () => {
    const services = new Set(changed);
    changed.clear();
    try {
      await build();
    } catch (error) {
      for (const service of services) changed.add(service);
      return report((error as Error).message);
    }
    for (const one of processes) if (services.has(one.spec.service)) one.restart();
  };
  const settle = () => {
    settled = settled.then(buildAndRestart);
    return settled;
  };
  return { changed, settle };
}

/**
 * The compiler of types reports what it finds; it writes nothing. It leads a group: on Node 20 its command is a process that leaves the
 * compiler behind when it is ended alone. SIGTERM does not end it while it checks.
 */
function watchTypes(report: (line: string) => void) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.node.json', '--watch', '--preserveWatchOutput'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  compiler.stdout.on('data', (text) => {
    for (const line of String(text).split('\n')) if (/error TS/.test(line)) report(line.trim());
  });
  const end = () => endGroup(compiler);
  // The group is no longer the terminal's: it goes too when this process ends by an error.
  process.once('exit', end);
  return { end };
}
