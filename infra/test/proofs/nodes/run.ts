/**
 * Runs the system and one journey on every supported Node.js. Each version is installed from npm into its own folder.
 * `--only 22.23.3`. Ends with `N passed, N failed`.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../../../dev/starter/paths.mjs';
import { SERVICES } from '../../../dev/starter/services.ts';
import { Checks } from '../../kit/checks.ts';
import { type System, startSystem } from '../../kit/system.ts';

const run = promisify(execFile);
/** One exact version of each line in package.json (engines); listed only here. */
const VERSIONS = ['20.20.2', '22.23.3', '24.21.0'];
const JOURNEY = 'infra/e2e/journeys/newcomer.test.ts';
const BINARY = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const checks = new Checks();
for (const version of VERSIONS.filter((one) => !values.only || one === values.only)) await under(version);
checks.close();

async function under(version: string) {
  let system: System | undefined;
  try {
    const node = await installed(version);
    await checks.step(`Node ${version} starts everything, and every process runs it`, async () => {
      system = await startSystem([], { node });
      const others = await processesNotOf(system, `v${version}`);
      if (others.length > 0) throw new Error(others.join(', '));
    });
    await checks.step(`Node ${version} runs the journey of a newcomer`, async () => {
      const env = { ...process.env, CI: 'true', CORD_E2E_ORIGIN: system?.origin, CORD_E2E_DATA: system?.dataDir };
      const args = ['node_modules/vitest/vitest.mjs', 'run', JOURNEY];
      await run(node, args, { cwd: ROOT, env, maxBuffer: 64 << 20 });
    });
  } finally {
    await system?.stop();
  }
}

/** Installs a version from its npm package for this machine; kept outside the lock file for the next run. */
async function installed(version: string) {
  const folder = join(ROOT, 'node_modules/.cache/nodes', version);
  const node = join(folder, 'node_modules', BINARY, 'bin/node');
  const isThere = await run(node, ['--version']).then(
    ({ stdout }) => stdout.trim() === `v${version}`,
    () => false,
  );
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  if (!isThere) await run('npm', ['install', '--prefix', folder, ...flags, `${BINARY}@${version}`]);
  return node;
}

/** Returns the services, and the gateway, that report another version of Node. */
async function processesNotOf(system: System, version: string) {
  const { services } = await system.running();
  const reported = async (name: string) => {
    const text = await (await fetch(services[name]?.[0]?.metricsUrl ?? '')).text();
    return /^cord_build_info{[^}]*node="([^"]+)"/m.exec(text)?.[1];
  };
  const nodes = await Promise.all([...SERVICES, 'gateway'].map(async (name) => [name, await reported(name)]));
  return nodes.filter(([, node]) => node !== version).map(([name, node]) => `${name} runs ${node}`);
}
