import { SERVICES } from '../dev/starter/services.ts';
import { type Suite, script, vitest } from './suites.ts';

const LONG_MS = 3_600_000;
const EVERYBODY = [...SERVICES, 'gateway', 'nats', 'store'];

/** Journeys in the whole, in Chromium. `env`: more of it. */
const journeys = (name: string, files: string, env: Record<string, string> = {}): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: vitest(files),
  needs: ['nats-server', 'chromium', 'web'],
  env: { PROOF: '1', ...env },
});

/** Whole systems that `npm start` makes, without a browser. */
const systems = (name: string, ...files: string[]): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: vitest(...files),
  needs: ['nats-server', 'store', 'web'],
  env: { PROOF: '1' },
});

/** Services and their parts. */
const parts = (name: string, files: string[], env: Record<string, string>): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: vitest(...files),
  needs: ['nats-server', 'store'],
  env,
});

/** A command that starts what it needs of a whole system itself. */
const commanded = (name: string, file: string, ...args: string[]): Suite => ({
  name,
  timeoutMs: LONG_MS,
  command: script(file, ...args),
  needs: ['nats-server', 'web'],
});

/**
 * The long forms of what `npm test` shows by one example each: `npm run proof [-- NAME ...]`. One after the other, because
 * each fills the machine by itself.
 */
export const PROOFS: Suite[] = [
  { ...parts('simulation', ['simulation.test.ts'], { SIMULATION_SEEDS: '10000' }), timeoutMs: 4 * LONG_MS, needs: [] },
  journeys('breakages', 'infra/e2e/journeys/modules.test.ts'),
  // YESTERDAY names other releases than its two.
  journeys('yesterday', 'infra/e2e/journeys/yesterday.test.ts'),
  journeys('push', 'infra/e2e/journeys/push.proof.test.ts'),
  // At both widths; behind a proxy that is believed, so that people have an address that counts.
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
  // A life of the whole system, then damage of every kind in its store.
  systems('damage', 'infra/audit/damage.proof.test.ts'),
  systems('pauses', 'infra/test/proofs/pauses/pauses.proof.test.ts'),
  systems('killed', 'infra/dev/test/local-system.proof.test.ts'),
  // Where `crowd` (services/kit/testing) decides how many people there are.
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
  // Five at the same moment, each of the ten twenty times. A thousand take an hour: `--kills 1000`.
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
  // As root: a disk of its own.
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
