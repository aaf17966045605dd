import { createLogger } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { type NatsServer, startNatsServer } from '@cord/kit/testing/nats-server';
import { scratch } from '@cord/kit/testing/scratch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cord } from '../../test/kit/cord.ts';
import { checkTopology } from '../starter/streams.ts';

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

test('a start on an operator’s NATS creates nothing there, and reports what npx cord streams has to create', async () => {
  await expect(checkTopology(server.url, {})).rejects.toThrow(
    /NATS has not been set up by npx cord streams. Missing: no stream CORD_\w+, .*no consumer CORD_\w+\/\w+/,
  );
  expect(await nats.jsm.streams.list().next()).toEqual([]);

  const place = stopAfterTest(await scratch());
  const topology = (env: Record<string, string>) =>
    cord(['streams', '--data', place.folder], { PATH: process.env.PATH, ...env });
  expect(await topology({ NATS_URL: server.url, NATS_REPLICAS: '3' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/with 3 copies: /),
  });
  expect(await topology({ NATS_URL: `${server.url},${server.url}` })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^CORD_BALANCE {2}0 messages .* 1 copy /m),
  });
  await checkTopology(server.url, {});
});
