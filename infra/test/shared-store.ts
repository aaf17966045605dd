import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../dev/starter/ports.ts';
import { chooseStore } from '../dev/starter/store.ts';
import { Supervised } from '../dev/starter/supervised.ts';

const STOP_GRACE_MS = 5_000;

/**
 * The document store that the suites share, each test with databases of its own: by the same ladder as `npm start`.
 */
export async function sharedStore(): Promise<{ uri: string; kill: () => void; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cord-test-store-'));
  const [port] = await freePorts(1);
  const chosen = await chooseStore({ env: process.env, dataDir: folder, port });
  console.log(`document store: ${chosen.description}`);
  const clean = () => rm(folder, { recursive: true, force: true });
  const { uri } = chosen;
  if (!('process' in chosen)) return { uri, kill: () => {}, stop: clean };
  const server = new Supervised({
    ...chosen.process,
    name: 'store',
    service: 'store',
    env: { ...process.env } as Record<string, string>,
    logFile: join(folder, 'store.log'),
    report: (line: string) => console.log(line),
    onChange: () => {},
  });
  await server.start();
  return {
    uri,
    kill: () => server.kill(),
    stop: async () => {
      await server.stop(STOP_GRACE_MS);
      await clean();
    },
  };
}
