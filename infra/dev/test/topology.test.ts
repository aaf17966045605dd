import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createLogger } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import { type NatsServer, startNatsServer } from '@cord/kit/testing/nats-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../starter/paths.mjs';
import { checkTopology } from '../starter/streams.ts';
import { scratch } from './scratch.js';

let server: NatsServer;
let nats: Nats;
beforeAll(async () => {
  server = await startNatsServer();
  nats = await connectNats({ NATS_URL: server.url }, 'test', createLogger('test', 'silent'));
});
afterAll(async () => {
  await nats?.drain();
  await server?.stop();
});

test('a start on the NATS of an operator makes nothing there, and names what it misses until npx cord streams has run', async () => {
  await expect(checkTopology(server.url, {})).rejects.toThrow(
    /NATS has not been set up by npx cord streams. Missing: no stream CORD_\w+, .*no consumer CORD_\w+\/\w+/,
  );
  expect(await nats.jsm.streams.list().next()).toEqual([]);

  const place = await scratch();
  const topology = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['infra/cli/cord.mjs', 'streams', '--data', place.folder], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...env },
    });
  await expect(topology({ NATS_URL: server.url, NATS_REPLICAS: '3' })).rejects.toThrow(/with 3 copies: /);
  const { stdout } = await topology({ NATS_URL: `${server.url},${server.url}` });
  expect(stdout).toMatch(/^CORD_BALANCE {2}0 messages .* 1 copy /m);
  await checkTopology(server.url, {});
  await place.remove();
});
