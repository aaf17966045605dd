import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'storybook-static']);
export const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

/**
 * Suites that run side by side in `npm test`: each by itself leaves a core idle for half of its time (it waits for a disk,
 * a browser, a process), and two cores are what a machine has at least.
 */
export const AT_ONCE = 3;

/**
 * The suites in the order in which they begin, the longest first, so that none of them is left over at the end.
 * A suite is either the test files that `files` accepts (each file belongs to the first suite that accepts it) or a command.
 *
 * @typedef {object} Suite
 * @property {string} name as in `npm test -- NAME`
 * @property {(file: string) => boolean} [files] of paths relative to the root
 * @property {'node' | 'screens' | 'journeys'} [project] of vitest.config.ts that the files belong to; `node`
 * @property {string[]} [command] arguments of node; it closes with `N passed, N failed`
 * @property {string[]} [needs] programs; `store` starts the shared document store, `web` builds shell and modules
 * @property {number} [timeoutMs] after which it is ended; 20 minutes
 * @property {Record<string, string>} [env] more of the environment, for a long form
 */

/** @type {Suite[]} */
export const SUITES = [
  {
    name: 'journeys',
    files: (file) => file.startsWith('infra/e2e/'),
    project: 'journeys',
    needs: ['nats-server', 'chromium', 'web'],
  },
  { name: 'simulation', files: (file) => file.endsWith('simulation.test.ts') },
  {
    name: 'http',
    files: (file) => SERVICES.some((service) => file.startsWith(`services/${service}/`)) && !isPure(file),
    needs: ['nats-server', 'store'],
  },
  { name: 'dev', files: (file) => /^infra\/(dev|gateway|test)\//.test(file), needs: ['nats-server', 'store', 'nginx'] },
  {
    name: 'screens',
    // One of them shows code that has not been loaded yet, so it stays by itself.
    files: (file) => file.endsWith('.test.tsx') && !file.endsWith('later-primitives.test.tsx'),
    project: 'screens',
  },
  { name: 'stories', command: ['storybook/test/run.mjs'], needs: ['chromium'] },
  { name: 'store', files: (file) => file.startsWith('infra/embedded-mongo/'), needs: ['strace'] },
  {
    name: 'chaos',
    command: ['infra/bench/chaos.mjs', '--rounds', '1', '--users', '20', '--victims', 'mining,store'],
    needs: ['nats-server', 'web'],
  },
  { name: 'typecheck', command: ['infra/test/typecheck.mjs'] },
  {
    name: 'life',
    command: ['infra/bench/life.mjs', '--users', '6', '--days', '2', '--seed', '1'],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'migration',
    command: ['infra/test/migration/run.mjs', '--example'],
    needs: ['nats-server', 'web'],
  },
  { name: 'unit', files: () => true, needs: ['nats-server', 'store'] },
  { name: 'lint', command: ['infra/test/lint.mjs'] },
];

/** Tests of pure functions need no store: they run with the units. */
function isPure(file) {
  return /\/(domain|ledger|node|rules)\//.test(file);
}

/**
 * @param {Suite[]} suites
 * @returns {Promise<Map<string, string[]>>} the test files of each suite that has some; a file is in the first that accepts it
 */
export async function filesBySuite(suites = SUITES, root = ROOT) {
  const found = new Map();
  for (const file of await testFiles(root)) {
    const suite = suites.find(({ files }) => files?.(file));
    if (!suite) continue;
    found.set(suite.name, [...(found.get(suite.name) ?? []), file]);
  }
  return found;
}

async function testFiles(root, folder = root) {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : testFiles(root, path);
      return /\.test\.tsx?$/.test(entry.name) ? [relative(root, path).replaceAll('\\', '/')] : [];
    }),
  );
  return nested.flat().sort();
}
