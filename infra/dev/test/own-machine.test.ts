import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { reachOwnMachine } from '../starter/own-machine.mjs';
import { freePorts } from '../starter/ports.ts';
import { whyNoSignIn } from '../starter/probes.ts';

test.each<[Record<string, string>, string]>([
  [{}, 'localhost,127.0.0.1'],
  [{ NO_PROXY: '.corp.example' }, '.corp.example,localhost,127.0.0.1'],
  [{ NO_PROXY: 'unread', no_proxy: '10.0.0.1' }, '10.0.0.1,localhost,127.0.0.1'],
])('with %j, requests to this machine bypass the proxy', (env, named) => {
  reachOwnMachine(env);
  expect(env).toEqual({ NO_PROXY: named, no_proxy: named });
});

test('an environment that bypasses the proxy for everything stays unchanged', () => {
  const env = { NO_PROXY: '*' };
  reachOwnMachine(env);
  expect(env).toEqual({ NO_PROXY: '*' });
});

test('an origin that this machine cannot reach is reported with the fix', async () => {
  const [port] = await freePorts(1);
  expect(await whyNoSignIn(`http://127.0.0.1:${port}`)).toMatch(/ECONNREFUSED 127\.0\.0\.1:\d+.*\/etc\/hosts/);
  expect(await whyNoSignIn('http://nowhere.invalid:8080')).toMatch(/nowhere\.invalid/);
});

test('a reachable origin reports nothing', async () => {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  stopAfterTest({ stop: async () => void server.close() });
  await new Promise((done) => server.once('listening', done));
  expect(await whyNoSignIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBeUndefined();
});
