import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PushPlace, pushPlace } from '@cord/kit/testing/push-service';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../dev/starter/paths.mjs';
import { System } from '../test/kit/system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    origin: string;
    dataDir: string;
    /** Place for a journey's push service; set in proofs only. */
    pushPlace: PushPlace | null;
  }
}

/** Starts the whole system with `npm start` and stops it in order afterwards, or when the tests are killed. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env.CORD_E2E_ORIGIN;
  if (running) {
    project.provide('origin', running);
    project.provide('dataDir', process.env.CORD_E2E_DATA ?? join(ROOT, '.data'));
    project.provide('pushPlace', null);
    return async () => {};
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'cord-e2e-'));
  const push = process.env.PROOF === '1' ? await pushPlace() : null;
  const pushed = push ? { PUSH_HOSTS: push.host, NODE_EXTRA_CA_CERTS: push.caFile } : {};
  const system = new System(['--port', '0', '--data', dataDir], {
    dataDir,
    env: { ...pushed, NODE_ENV: 'test', CI: 'true' },
  });
  const origin = await system.ready();
  project.provide('origin', origin);
  project.provide('dataDir', dataDir);
  const { port = 0, host = '', caFile = '', keyFile = '' } = push ?? {};
  project.provide('pushPlace', push && { port, host, caFile, keyFile });
  return async () => {
    await system.stop();
    await push?.remove();
  };
}
