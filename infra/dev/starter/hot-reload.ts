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

/** Delay after the last change before a build, in ms: an editor writes many files at once. */
const SETTLE_MS = 400;
/** Folders whose code every process runs, besides its own folder. */
const SHARED = ['services/kit', 'services/contracts'];
const FOLDERS = {
  ...Object.fromEntries(SERVICES.map((name) => [name, `services/${name}`])),
  gateway: 'infra/gateway',
  dev: 'infra/dev',
};

/** The servers of `npm run dev`: one for the shell and one for the module under work. */
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
 * Transpiles on file changes and restarts the processes that run the changed code; checks the types in a parallel process.
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
 * Builds the changes, one build at a time, and restarts the processes that run them. After a failed build, names wait.
 * @returns `changed`: names to restart; `settle`: builds, resolves after the restarts
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
 * Runs the type checker in watch mode, without output files. It leads a process group: on Node 20, ending the command
 * alone leaves the compiler running. SIGTERM does not end it while it checks.
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
  // The group is detached from the terminal, so it must also end when this process fails.
  process.once('exit', end);
  return { end };
}
