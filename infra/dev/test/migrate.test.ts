import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedMongo } from '@cord/embedded-mongo';
import { STORE_SOCKET_TIMEOUT_MS } from '@cord/kit/bounds';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../embedded-mongo/engine/database.js';
import { migrateAll } from '../starter/migrate.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Replaces a service's own timeout. */
const SHORT_MS = 100;
const SLOW = 'cord_slow.things';

it('a migration outlasts an index build longer than the socket timeout of a service', async () => {
  const { folder } = stopAfterTest(await scratch());
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'data.js'),
    `export const data = [{ name: 'things', indexes: [{ key: { a: 1 } }], schema: { steps: [] } }];`,
  );
  const server = await startEmbeddedMongo({ port: 0, dataDir: join(folder, 'store') });
  onTestFinished(() => server.close());
  const { setTimeout: limit } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, ...args) {
    return limit.call(this, ms === STORE_SOCKET_TIMEOUT_MS ? SHORT_MS : ms, ...args);
  });
  const { createIndexes } = Database.prototype;
  const made: string[] = [];
  vi.spyOn(Database.prototype, 'createIndexes').mockImplementation(async function (this: Database, ...args) {
    if (args[0] === SLOW) await sleep(3 * SHORT_MS);
    made.push(args[0]);
    return createIndexes.apply(this, args);
  });
  const reported: string[] = [];
  const report = (line: string) => void reported.push(line);
  await migrateAll(server.uri, [{ service: 'slow', main: join(folder, 'main.js') }], report);
  expect(made).toContain(SLOW);
  expect(reported).toContain('slow: things: index a_1');
});

it('a service that is not built is rejected', async () => {
  const { folder } = stopAfterTest(await scratch());
  const unbuilt = { service: 'unbuilt', main: join(folder, 'dist/main.js') };
  await expect(migrateAll('mongodb://127.0.0.1:1', [unbuilt])).rejects.toThrow(
    'unbuilt is not built: run npm run build -- --node',
  );
});
