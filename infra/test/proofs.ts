import { SERVICES } from '../dev/starter/services.ts';
import { type Suite, script, vitest } from './suites.ts';

const LONG_MS = 3_600_000;
const EVERYBODY = [...SERVICES, 'gateway', 'nats', 'store'];

/** Browser journeys on the whole system, in Chromium. `env` is added to the environment. */
const journeys = (name: string, files: string, env: Record<string, string> = {}): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: vitest(files),
  needs: ['nats-server', 'chromium', 'web'],
  env: { PROOF: '1', ...env },
});

/** Tests of whole systems without a browser. */
const systems = (name: string, ...files: string[]): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: vitest(...files),
  needs: ['nats-server', 'store', 'web'],
  env: { PROOF: '1' },
});

/** Tests of services and their parts. */
const parts = (name: string, files: string[], env: Record<string, string>): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: vitest(...files),
  needs: ['nats-server', 'store'],
  env,
});

/** A command that starts the parts of a system it needs. */
const commanded = (name: string, file: string, ...args: string[]): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: script(file, ...args),
  needs: ['nats-server', 'web'],
});

/**
 * The long versions of tests in `npm test`: `npm run proof [-- NAME ...]`. They run one after the other, since each
 * uses the whole machine.
 */
export const PROOFS: Suite[] = [
  { ...parts('simulation', ['simulation.test.ts'], { SIMULATION_SEEDS: '10000' }), timeoutMs: 4 * LONG_MS, needs: [] },
  journeys('breakages', 'infra/e2e/journeys/modules.test.ts'),
  // YESTERDAY selects releases other than the default two.
  journeys('yesterday', 'infra/e2e/journeys/yesterday.test.ts'),
  journeys('push', 'infra/e2e/journeys/push.proof.test.ts'),
  // At both widths, behind a trusted proxy, so that users have a countable address.
  journeys('operators', 'infra/e2e/journeys/operators.proof.test.ts', { TRUSTED_PROXIES: '127.0.0.1/32,::1/128' }),
  journeys('widths', 'infra/e2e/journeys/'),
  parts('friends', ['services/referrals/bytes.test.ts'], { REFERRAL_FRIENDS: '100000' }),
  { ...parts('store', ['infra/embedded-mongo/'], { PROOF: '1' }), needs: ['strace'] },
  systems('rolled', 'infra/dev/test/production-system.test.ts'),
  systems(
    'data',
    'infra/dev/test/data.test.ts',
    'infra/dev/test/data-refused.test.ts',
    'infra/dev/test/restore.proof.test.ts',
  ),
  // Simulates the life of a whole system, then damages its store in many ways.
  systems('damage', 'infra/audit/damage.proof.test.ts'),
  systems('pauses', 'infra/test/proofs/pauses/pauses.proof.test.ts'),
  systems('killed', 'infra/dev/test/local-system.proof.test.ts'),
  // `crowdSize` (services/kit/testing) sets the number of users.
  parts('crowds', ['services/'], { PROOF: '1' }),
  commanded('cluster', 'infra/test/proofs/cluster/run.ts'),
  { ...commanded('nodes', 'infra/test/proofs/nodes/run.ts'), needs: ['nats-server', 'chromium', 'web'] },
  journeys('fuzz', 'infra/e2e/api/fuzz.test.ts', { FUZZ_REQUESTS: '100000', RATE_LIMIT_SCALE: '0' }),
  { name: 'alerts', command: script('infra/deploy/alerts/check.ts'), needs: ['promtool'] },
  parts('outages', ['infra/gateway/test/outages.proof.test.ts'], { PROOF: '1' }),
  { ...parts('accrual', ['services/mining/ledger/accrual.test.ts'], { ACCRUAL_DAYS: '30' }), needs: [] },
  parts(
    'republish',
    [
      'services/auth/republish.proof.test.ts',
      'services/mining/test/republish.test.ts',
      'services/referrals/republish.http.proof.test.ts',
      'services/rewards/republish.http.proof.test.ts',
      'services/tasks/republish.http.proof.test.ts',
    ],
    { REPUBLISH_LOST: '1000', PROOF: '1' },
  ),
  ...Object.entries({ desk: '1440', phone: '390' }).map(
    ([name, width]): Suite => ({
      name: `stories-${name}`,
      timeoutMs: LONG_MS,
      command: script('storybook/test/run.ts', '--whole', '--width', width),
      needs: ['chromium'],
    }),
  ),
  commanded('chaos', 'infra/test/proofs/chaos.ts', '--rounds', '5'),
  // Kills five at a time, each of the ten twenty times. A thousand take an hour: `--kills 1000`.
  commanded(
    'kills',
    'infra/test/proofs/chaos.ts',
    ...['--kills', '200', '--at-once', '5', '--users', '50', '--victims', EVERYBODY.join()],
  ),
  commanded('store-kills', 'infra/test/proofs/chaos.ts', '--victims', 'store', '--rounds', '12'),
  commanded('life', 'infra/test/proofs/life.ts', '--users', '100', '--days', '20', '--seed', '7'),
  { ...commanded('outside', 'infra/test/proofs/outside/run.ts'), needs: ['nats-server', 'chromium', 'web'] },
  commanded('rolling', 'infra/test/proofs/rolling.ts', '--from', 'HEAD', '--nodes', '10', '--seconds', '5'),
  commanded('replicas', 'infra/test/proofs/replicas.ts'),
  // Needs root, for its own disk.
  commanded('power', 'infra/test/proofs/power.ts'),
  ...Object.entries({
    compose: [],
    partitions: ['--partitions', '--miners', '20'],
    upgrade: ['--upgrade', '--miners', '20'],
    'store-elsewhere': ['--store'],
  }).map(
    ([name, args]): Suite => ({
      name,
      timeoutMs: LONG_MS,
      command: script('infra/test/proofs/compose/run.ts', ...args),
      needs: ['nats-server', 'chromium', 'nginx', 'podman'],
    }),
  ),
];
