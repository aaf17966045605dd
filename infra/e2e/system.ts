import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PushPlace, pushPlace } from '@cord/kit/testing/push-service';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../dev/starter/paths.mjs';
import { System } from '../test/kit/system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker, in their order. */
    systems: { origin: string; dataDir: string }[];
    /** Where a journey may have a push service; in proofs alone. */
    pushPlace: PushPlace | null;
  }
}

/**
 * Starts a whole system for each worker with `npm start`, each in a folder of its own, and stops them in order afterwards; by its channel one
 * also ends when the tests are killed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env.CORD_E2E_ORIGIN;
  if (running) {
    project.provide('systems', [{ origin: running, dataDir: process.env.CORD_E2E_DATA ?? join(ROOT, '.data') }]);
    project.provide('pushPlace', null);
    return async () => {};
  }
  const push = process.env.PROOF === '1' ? await pushPlace() : null;
  const pushed = push ? { PUSH_HOSTS: push.host, NODE_EXTRA_CA_CERTS: push.caFile } : {};
  const systems = await Promise.all(
    Array.from({ length: Number(process.env.JOURNEY_SYSTEMS ?? 1) }, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'cord-e2e-'));
      const env = { ...pushed, NODE_ENV: 'test', CI: 'true' };
      const system = new System(['--port', '0', '--data', dataDir], { dataDir, env });
      await system.ready();
      return system;
    }),
  );
  project.provide(
    'systems',
    systems.map(({ origin, dataDir }) => ({ origin, dataDir })),
  );
  const { folder = '', port = 0, host = '', caFile = '' } = push ?? {};
  project.provide('pushPlace', push && { folder, port, host, caFile });
  return async () => {
    await Promise.all(systems.map((system) => system.stop()));
    await push?.remove();
  };
}
