import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PushPlace, pushPlace } from '@cord/kit/testing/push-service';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY = /^CORD is ready at (\S+)$/m;
const START_MS_MAX = 150_000;
const STOP_MS_MAX = 15_000;

declare module 'vitest' {
  interface ProvidedContext {
    origin: string;
    dataDir: string;
    /** Where a journey may have a push service; in proofs alone. */
    pushPlace: PushPlace | null;
  }
}

/** Starts the whole system with `npm start` in a folder of its own, and stops it in order afterwards; by its channel it also ends when the tests are killed. */
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
  const child = spawn(process.execPath, ['infra/dev/start.mjs', '--port', '0', '--data', dataDir], {
    cwd: ROOT,
    env: { ...process.env, ...pushed, NODE_ENV: 'test', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let printed = '';
  const origin = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the system did not start in time:\n${printed}`)), START_MS_MAX);
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const ready = READY.exec(printed);
      if (!ready?.[1]) return;
      clearTimeout(timer);
      resolve(ready[1]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then((code) => reject(new Error(`the system ended with ${code} before it was ready:\n${printed}`)));
  });
  project.provide('origin', origin);
  project.provide('dataDir', dataDir);
  const { folder = '', port = 0, host = '', caFile = '' } = push ?? {};
  project.provide('pushPlace', push && { folder, port, host, caFile });
  return async () => {
    child.kill('SIGINT');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
    await rm(dataDir, { recursive: true, force: true });
    await push?.remove();
  };
}
