import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'storybook-static']);
const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];

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
 * @property {string} [config] vitest configuration, where it is not the common one
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
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
  },
  { name: 'simulation', files: (file) => file.endsWith('simulation.test.ts') },
  {
    name: 'http',
    files: (file) => SERVICES.some((service) => file.startsWith(`services/${service}/`)) && !isPure(file),
    needs: ['nats-server', 'store'],
  },
  { name: 'dev', files: (file) => /^infra\/(dev|gateway|test)\//.test(file), needs: ['nats-server', 'store'] },
  {
    name: 'screens',
    // One of them shows code that has not been loaded yet, so it stays by itself.
    files: (file) => file.endsWith('.test.tsx') && !file.endsWith('later-primitives.test.tsx'),
    config: 'infra/build/vitest.screens.config.ts',
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

const LONG_MS = 3_600_000;
const EVERYBODY = [...SERVICES, 'gateway', 'nats', 'store'];
/** Where `crowd` (services/kit/testing) says how many people there are. */
const CROWDS = [
  'services/mining/test/burst.test.ts',
  'services/mining/test/replicas.test.ts',
  'services/referrals/commission.http.test.ts',
  'services/referrals/links.http.test.ts',
  'services/rewards/badge/crash.test.ts',
];

/**
 * The long forms of what `npm test` shows by one example each: `npm run proof [-- NAME ...]`. One after the other, because
 * each fills the machine by itself.
 * @type {Suite[]}
 */
export const PROOFS = [
  {
    name: 'simulation',
    timeoutMs: LONG_MS,
    files: (file) => file.endsWith('simulation.test.ts'),
    env: { SIMULATION_SEEDS: '10000' },
  },
  {
    // Before the journeys that it is one of: a file is in the first that accepts it.
    name: 'breakages',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/e2e/journeys/modules.test.ts',
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { PROOF: '1' },
  },
  {
    // YESTERDAY names other releases than its two.
    name: 'yesterday',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/e2e/journeys/yesterday.test.ts',
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { PROOF: '1' },
  },
  {
    name: 'push',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/e2e/journeys/push.test.ts',
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { PROOF: '1' },
  },
  {
    // At both widths; behind a proxy that is believed, so that people have an address that counts.
    name: 'operators',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/e2e/journeys/operators.test.ts',
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { PROOF: '1', TRUSTED_PROXIES: '127.0.0.1/32,::1/128' },
  },
  {
    name: 'widths',
    timeoutMs: LONG_MS,
    files: (file) => file.startsWith('infra/e2e/journeys/'),
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { PROOF: '1' },
  },
  {
    name: 'friends',
    timeoutMs: LONG_MS,
    files: (file) => file === 'services/referrals/bytes.test.ts',
    needs: ['nats-server', 'store'],
    env: { REFERRAL_FRIENDS: '100000' },
  },
  {
    name: 'store',
    timeoutMs: LONG_MS,
    files: (file) => file.startsWith('infra/embedded-mongo/'),
    needs: ['strace'],
    env: { PROOF: '1' },
  },
  {
    name: 'rolled',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/dev/test/production-system.test.ts',
    needs: ['nats-server', 'store', 'web'],
    env: { PROOF: '1' },
  },
  {
    name: 'data',
    timeoutMs: LONG_MS,
    files: (file) => /^infra\/dev\/test\/(data|restore)\.test\.ts$/.test(file),
    needs: ['nats-server', 'store', 'web'],
    env: { PROOF: '1' },
  },
  {
    name: 'killed',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/dev/test/local-system.test.ts',
    needs: ['nats-server', 'store', 'web'],
    env: { PROOF: '1' },
  },
  {
    name: 'crowds',
    timeoutMs: LONG_MS,
    files: (file) => CROWDS.includes(file),
    needs: ['nats-server', 'store'],
    env: { PROOF: '1' },
  },
  {
    name: 'cluster',
    timeoutMs: LONG_MS,
    command: ['infra/test/cluster/run.mjs'],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'nodes',
    timeoutMs: LONG_MS,
    command: ['infra/test/nodes/run.mjs'],
    needs: ['nats-server', 'chromium', 'web'],
  },
  {
    name: 'fuzz',
    timeoutMs: LONG_MS,
    files: (file) => file === 'infra/e2e/api/fuzz.test.ts',
    config: 'infra/e2e/vitest.config.ts',
    needs: ['nats-server', 'chromium', 'web'],
    env: { FUZZ_REQUESTS: '100000', RATE_LIMIT_SCALE: '0' },
  },
  { name: 'alerts', command: ['infra/deploy/alerts/check.mjs'], needs: ['promtool'] },
  {
    name: 'outages',
    files: (file) => file === 'infra/gateway/test/outages.test.ts',
    needs: ['nats-server', 'store'],
    env: { PROOF: '1' },
  },
  {
    name: 'accrual',
    files: (file) => file === 'services/mining/ledger/accrual.test.ts',
    env: { ACCRUAL_DAYS: '30' },
  },
  {
    name: 'republish',
    timeoutMs: LONG_MS,
    files: (file) =>
      /^services\/\w+\/(test\/)?republish\.(http\.)?test\.ts$/.test(file) && !file.startsWith('services/kit/'),
    needs: ['nats-server', 'store'],
    env: { REPUBLISH_LOST: '1000' },
  },
  ...Object.entries({ desk: '1440', phone: '390' }).map(([name, width]) => ({
    name: `stories-${name}`,
    timeoutMs: LONG_MS,
    command: ['storybook/test/run.mjs', '--whole', '--width', width],
    needs: ['chromium'],
  })),
  {
    name: 'chaos',
    timeoutMs: LONG_MS,
    command: ['infra/bench/chaos.mjs', '--rounds', '5'],
    needs: ['nats-server', 'web'],
  },
  {
    // Who is killed again within 30 s is started later each time: of ten in turn nobody is. A thousand take an hour: `bench -- chaos`.
    name: 'kills',
    timeoutMs: 3 * LONG_MS,
    command: ['infra/bench/chaos.mjs', '--kills', '200', '--users', '50', '--victims', EVERYBODY.join()],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'store-kills',
    timeoutMs: LONG_MS,
    command: ['infra/bench/chaos.mjs', '--victims', 'store', '--rounds', '12'],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'life',
    timeoutMs: LONG_MS,
    command: ['infra/bench/life.mjs', '--users', '100', '--days', '20', '--seed', '7'],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'outside',
    timeoutMs: LONG_MS,
    command: ['infra/test/outside/run.mjs'],
    needs: ['nats-server', 'chromium', 'web'],
  },
  {
    name: 'rolling',
    timeoutMs: LONG_MS,
    command: ['infra/bench/rolling.mjs', '--from', 'tolerant', '--nodes', '10', '--seconds', '5'],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'replicas',
    timeoutMs: LONG_MS,
    command: ['infra/bench/replicas.mjs'],
    needs: ['nats-server', 'web'],
  },
  {
    name: 'migration',
    timeoutMs: LONG_MS,
    command: ['infra/test/migration/run.mjs'],
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
