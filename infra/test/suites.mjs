import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'storybook-static']);
const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

/**
 * The suites in the order in which they run; those of one lane run side by side, because each of them leaves a core idle by itself
 * for half of its time (it waits for a disk, a browser, a process). A suite is either the test files that
 * `files` accepts (each file belongs to the first suite that accepts it) or a command.
 *
 * @typedef {object} Suite
 * @property {string} name as in `npm test -- NAME`
 * @property {number} lane
 * @property {(file: string) => boolean} [files] of paths relative to the root
 * @property {string} [config] vitest configuration, where it is not the common one
 * @property {string[]} [command] arguments of node
 * @property {'exit' | 'line'} [counts] a command counts as one check, or closes with `N passed, N failed`
 * @property {string[]} [needs] programs; `store` starts the shared document store, `web` builds shell and modules
 * @property {number} [timeoutMs] after which it is ended; 20 minutes
 * @property {Record<string, string>} [env] more of the environment, for a long form
 */

/** @type {Suite[]} */
export const SUITES = [
  { name: 'lint', lane: 1, command: ['infra/test/lint.mjs'], counts: 'line' },
  { name: 'typecheck', lane: 2, command: ['infra/test/typecheck.mjs'], counts: 'line' },
  { name: 'simulation', lane: 1, files: (file) => file.endsWith('simulation.test.ts') },
  {
    name: 'http',
    lane: 2,
    files: (file) => SERVICES.some((service) => file.startsWith(`services/${service}/`)) && !isPure(file),
    needs: ['nats-server', 'store'],
  },
  { name: 'dev', lane: 1, files: (file) => /^infra\/(dev|gateway|test)\//.test(file), needs: ['nats-server', 'store'] },
  { name: 'store', lane: 3, files: (file) => file.startsWith('infra/embedded-mongo/'), needs: ['strace'] },
  { name: 'stories', lane: 4, command: ['storybook/test/run.mjs'], counts: 'line', needs: ['chromium'] },
  {
    name: 'journeys',
    lane: 5,
    files: (file) => /^infra\/e2e\/journeys\/(mining|tabs|errors|newcomer|daily-round)\.test\.ts$/.test(file),
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
  },
  {
    // On a system of its own, beside the other one: half the time for the same work.
    name: 'visits',
    lane: 5,
    files: (file) => file.startsWith('infra/e2e/'),
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
  },
  {
    name: 'chaos',
    lane: 2,
    command: ['infra/bench/chaos.mjs', '--rounds', '1', '--users', '60'],
    counts: 'line',
    needs: ['nats-server', 'web'],
  },
  {
    name: 'life',
    lane: 3,
    command: ['infra/bench/life.mjs', '--users', '8', '--days', '3', '--seed', '1'],
    counts: 'line',
    needs: ['nats-server', 'web'],
  },
  {
    name: 'migration',
    lane: 2,
    command: ['infra/test/migration/run.mjs', '--example'],
    counts: 'line',
    needs: ['nats-server', 'web'],
  },
  {
    name: 'screens',
    lane: 4,
    // One of them shows code that has not been loaded yet, so it stays by itself.
    files: (file) => file.endsWith('.test.tsx') && !file.endsWith('later-primitives.test.tsx'),
    config: 'infra/build/vitest.screens.config.ts',
  },
  { name: 'unit', lane: 1, files: () => true, needs: ['nats-server', 'store'] },
];

const LONG_MS = 3_600_000;

/**
 * The long forms of what `npm test` shows by one example each: `npm run proof [-- NAME ...]`. One after the other, because
 * each fills the machine by itself.
 * @type {Suite[]}
 */
export const PROOFS = [
  {
    name: 'simulation',
    lane: 0,
    timeoutMs: LONG_MS,
    files: (file) => file.endsWith('simulation.test.ts'),
    env: { SIMULATION_SEEDS: '2000' },
  },
  {
    name: 'widths',
    lane: 1,
    timeoutMs: LONG_MS,
    files: (file) => file.startsWith('infra/e2e/journeys/'),
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { PROOF: '1' },
  },
  {
    name: 'friends',
    lane: 2,
    timeoutMs: LONG_MS,
    files: (file) => file === 'services/referrals/bytes.test.ts',
    needs: ['nats-server', 'store'],
    env: { REFERRAL_FRIENDS: '100000' },
  },
  {
    name: 'accrual',
    lane: 7,
    files: (file) => file === 'services/mining/ledger/accrual.test.ts',
    env: { ACCRUAL_DAYS: '30' },
  },
  {
    name: 'republish',
    lane: 6,
    timeoutMs: LONG_MS,
    files: (file) =>
      /^services\/\w+\/(test\/)?republish\.(http\.)?test\.ts$/.test(file) && !file.startsWith('services/kit/'),
    needs: ['nats-server', 'store'],
    env: { REPUBLISH_LOST: '1000' },
  },
  ...Object.entries({ desk: '1440', phone: '390' }).map(([name, width], index) => ({
    name: `stories-${name}`,
    lane: 10 + index,
    timeoutMs: LONG_MS,
    command: ['storybook/test/run.mjs', '--whole', '--width', width],
    counts: /** @type {const} */ ('line'),
    needs: ['chromium'],
  })),
  {
    name: 'chaos',
    lane: 3,
    timeoutMs: LONG_MS,
    command: ['infra/bench/chaos.mjs', '--rounds', '5'],
    counts: 'line',
    needs: ['nats-server', 'web'],
  },
  {
    name: 'life',
    lane: 4,
    timeoutMs: LONG_MS,
    command: ['infra/bench/life.mjs', '--users', '100', '--days', '20', '--seed', '7'],
    counts: 'line',
    needs: ['nats-server', 'web'],
  },
  {
    name: 'migration',
    lane: 5,
    timeoutMs: LONG_MS,
    command: ['infra/test/migration/run.mjs'],
    counts: 'line',
    needs: ['nats-server', 'web'],
  },
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
