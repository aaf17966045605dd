import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '../../../dev/starter/services.ts';
import type { Checks } from '../../kit/checks.ts';
import { until } from '../../kit/until.ts';
import { type Deployment, RELEASE } from './deployment.ts';
import { serviceOf } from './podman.ts';
import { secondOf } from './twofold.ts';

const HEALTHY_MS_MAX = 120_000;
/** Time of undisturbed calls before and after each roll, ms. */
const CALM_MS = 5_000;

/**
 * Upgrades under load (reads, claims, sign-ins, saves): runs the next release's jobs, then replaces each replica of
 * each service and of the gateway, one by one. Then rolls back, with the previous release's jobs.
 */
export async function upgrade(deployment: Deployment, checks: Checks): Promise<void> {
  const next = await deployment.makeNext();
  await sleep(CALM_MS);
  for (const [release, what] of [
    [next, /tasks: .*streak_marks/],
    [RELEASE, undefined],
  ] as const) {
    await checks.step(`the jobs of ${release}`, async () => {
      const migrated = await deployment.compose('run --rm --no-deps migrate', { RELEASE: release });
      if (what && !what.test(migrated)) throw new Error(`it changed nothing:\n${migrated}`);
      await deployment.compose('run --rm --no-deps topology', { RELEASE: release });
    });
    for (const name of [...SERVICES, 'gateway'])
      for (const replica of [name, secondOf(name)])
        await checks.step(`${replica} of ${release}`, () => replace(deployment, replica, release));
    await sleep(CALM_MS);
    await checks.step(`every service is ready with ${release}`, () => deployment.healthy());
  }
}

async function replace(deployment: Deployment, name: string, release: string) {
  await deployment.compose(`up -d --no-deps ${name}`, { RELEASE: release });
  await until(
    `${name} of ${release} is healthy`,
    async () => {
      const found = (await deployment.podman.inspect()).find((one) => serviceOf(one) === name);
      return found?.State.Health?.Status === 'healthy' && found.ImageName.endsWith(`cord:${release}`);
    },
    HEALTHY_MS_MAX,
  );
}
