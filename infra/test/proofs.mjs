import { SERVICES } from './suites.mjs';

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
 * Journeys in the whole, in Chromium.
 * @param {string} name
 * @param {(file: string) => boolean} files
 * @param {Record<string, string>} [env] more of it
 * @returns {import('./suites.mjs').Suite}
 */
const journeys = (name, files, env = {}) => ({
  name,
  timeoutMs: LONG_MS,
  files,
  project: 'journeys',
  needs: ['nats-server', 'chromium', 'web'],
  env: { PROOF: '1', ...env },
});

/**
 * Whole systems that `npm start` makes, without a browser.
 * @param {string} name
 * @param {(file: string) => boolean} files
 * @returns {import('./suites.mjs').Suite}
 */
const systems = (name, files) => ({
  name,
  timeoutMs: LONG_MS,
  files,
  needs: ['nats-server', 'store', 'web'],
  env: { PROOF: '1' },
});

/**
 * A command that starts what it needs of a whole system itself, and prints a count as its last line.
 * @param {string} name
 * @param {string[]} command
 * @returns {import('./suites.mjs').Suite}
 */
const commanded = (name, command) => ({
  name,
  timeoutMs: LONG_MS,
  command,
  needs: ['nats-server', 'web'],
});

/**
 * The long forms of what `npm test` shows by one example each: `npm run proof [-- NAME ...]`. One after the other, because
 * each fills the machine by itself.
 * @type {import('./suites.mjs').Suite[]}
 */
export const PROOFS = [
  {
    name: 'simulation',
    timeoutMs: 4 * LONG_MS,
    files: (file) => file.endsWith('simulation.test.ts'),
    env: { SIMULATION_SEEDS: '10000' },
  },
  // Before the journeys that it is one of: a file is in the first that accepts it.
  journeys('breakages', (file) => file === 'infra/e2e/journeys/modules.test.ts'),
  // YESTERDAY names other releases than its two.
  journeys('yesterday', (file) => file === 'infra/e2e/journeys/yesterday.test.ts'),
  journeys('push', (file) => file === 'infra/e2e/journeys/push.test.ts'),
  // At both widths; behind a proxy that is believed, so that people have an address that counts.
  journeys('operators', (file) => file === 'infra/e2e/journeys/operators.test.ts', {
    TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
  }),
  journeys('widths', (file) => file.startsWith('infra/e2e/journeys/')),
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
  systems('rolled', (file) => file === 'infra/dev/test/production-system.test.ts'),
  systems('data', (file) => /^infra\/dev\/test\/(data|restore)\.test\.ts$/.test(file)),
  // A life of the whole system, then damage of every kind in its store.
  systems('damage', (file) => file === 'infra/audit/damage.test.ts'),
  systems('pauses', (file) => file === 'infra/test/pauses/pauses.test.ts'),
  systems('killed', (file) => file === 'infra/dev/test/local-system.test.ts'),
  {
    name: 'crowds',
    timeoutMs: LONG_MS,
    files: (file) => CROWDS.includes(file),
    needs: ['nats-server', 'store'],
    env: { PROOF: '1' },
  },
  commanded('cluster', ['infra/test/cluster/run.mjs']),
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
    project: 'journeys',
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
  commanded('chaos', ['infra/bench/chaos.mjs', '--rounds', '5']),
  // Five at the same moment, each of the ten twenty times. A thousand take an hour: `bench -- chaos`.
  commanded('kills', [
    'infra/bench/chaos.mjs',
    ...['--kills', '200', '--at-once', '5', '--users', '50', '--victims', EVERYBODY.join()],
  ]),
  commanded('store-kills', ['infra/bench/chaos.mjs', '--victims', 'store', '--rounds', '12']),
  commanded('life', ['infra/bench/life.mjs', '--users', '100', '--days', '20', '--seed', '7']),
  {
    name: 'outside',
    timeoutMs: LONG_MS,
    command: ['infra/test/outside/run.mjs'],
    needs: ['nats-server', 'chromium', 'web'],
  },
  commanded('rolling', ['infra/bench/rolling.mjs', '--from', 'tolerant', '--nodes', '10', '--seconds', '5']),
  commanded('replicas', ['infra/bench/replicas.mjs']),
  commanded('migration', ['infra/test/migration/run.mjs']),
];
