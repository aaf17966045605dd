/**
 * A separate team: copies of services/tasks and mfe-tasks outside the repository, with packed contracts, kit, sdk,
 * design system and build. Each is installed, type-checked, tested, built and deployed into a running system of this
 * checkout. Ends with `N passed, N failed`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packPackages } from '@cord/build/pack.ts';
import type { Manifest } from '../../../deploy/store/manifest.ts';
import { ROOT } from '../../../dev/starter/paths.mjs';
import { Checks } from '../../kit/checks.ts';
import { Processes, startStore } from '../../kit/processes.ts';
import { type System, startSystem } from '../../kit/system.ts';
import { moduleFolder, serviceFolder } from './folders.ts';

/** The registry of a running system. */
interface Published {
  modules: { mfe_tasks: { version: string; entry: string } };
}

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'cord-outside-'));
const checks = new Checks();
// Service tests use the store they are given; a team has mongod on PATH, or MONGODB_URI.
const own = await Processes.create();
const store = await startStore(own);
const env = { ...process.env, CORD_TEST_BACKEND: JSON.stringify({ mongodbUri: store.uri }) };
let system: System | undefined;
try {
  const archives = await packPackages(join(folder, 'packages'));
  const of = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`@cord/${name}`, archives[`@cord/${name}`] ?? '']));
  const service = join(folder, 'service');
  const module = join(folder, 'module');
  serviceFolder(service, of('contracts', 'kit'));
  moduleFolder(module, of('contracts', 'sdk', 'ui', 'build'));
  for (const [what, where] of Object.entries({ service, module })) {
    const steps = [
      ['installs', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'],
      ['has its types checked', 'run', 'types'],
      ['passes its tests', 'test'],
      ['is built', 'run', 'build'],
    ];
    for (const [does, ...args] of steps)
      await checks.step(`the ${what} ${does}`, () => run('npm', args, { cwd: where, env, maxBuffer: 64 << 20 }));
  }
  const running = await startSystem();
  system = running;
  await checks.step('the module is published into the running system', async () => {
    await ship('infra/cli/cord.mjs', 'module', 'publish', module, '--why', 'from another repository');
    const { modules } = (await (await fetch(`${running.origin}/remotes.json`)).json()) as Published;
    const { version, entry: path } = modules.mfe_tasks;
    if (!version.startsWith('1.1.0-')) throw new Error(`the registry has ${version}`);
    const entry = await fetch(new URL(path, running.origin));
    if (!entry.ok) throw new Error(`its entry responds with ${entry.status}`);
    const { cord } = (await entry.json()) as Manifest;
    if (!cord?.surface?.sdk.includes('useSdk')) throw new Error('its manifest lacks its imports from the shell');
  });
  await checks.step('the service is deployed into the running system, and responds', async () => {
    const before = (await running.running()).services.tasks?.[0]?.version;
    await ship('infra/cli/cord.mjs', 'service', 'deploy', 'tasks', '--from', service);
    const now = (await running.running()).services.tasks?.[0]?.version;
    if (now === before) throw new Error(`it is still at ${now}`);
    if (!(await running.healthy())) throw new Error('the system is not healthy');
  });
} finally {
  await system?.stop();
  await own.close();
  await rm(folder, { recursive: true, force: true });
}
checks.close();

function ship(command: string, ...args: string[]) {
  return run(process.execPath, ['--import', 'tsx', command, ...args, '--data', system?.dataDir ?? ''], {
    cwd: ROOT,
    maxBuffer: 64 << 20,
  });
}
