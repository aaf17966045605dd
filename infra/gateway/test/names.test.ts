import { expect, onTestFinished, test } from 'vitest';
import { nameUpstreams } from '../api/names.js';
import { Upstreams } from '../api/upstreams.js';
import type { UpstreamName } from '../config.js';
import { origin, upstream } from './origin.js';

/** Resolves upstream names to addresses set by the test; an unknown name is an error. */
function named(addresses: Record<string, string[]>, everyMs = 5) {
  const warned: unknown[] = [];
  const upstreams = new Upstreams<UpstreamName>({});
  let probes = 0;
  const probe = async () => {
    probes += 1;
    return new Map();
  };
  const set = (urls: Parameters<typeof upstreams.set>[0]) => upstreams.set(urls);
  const log = { info: () => undefined, warn: (what: unknown) => void warned.push(what) };
  const resolve = async (host: string) => {
    const found = addresses[host];
    if (!found) throw new Error(`no ${host}`);
    return found;
  };
  const names = nameUpstreams({ set, probe }, log, { resolve, everyMs });
  onTestFinished(() => names.stop());
  const urls = (service: UpstreamName) => upstreams.of(service).map(({ url }) => url);
  return { names, upstreams, urls, warned, probes: () => probes };
}

test('a name resolves to all its addresses; an address and this machine stay as they are', async () => {
  const { names, urls } = named({ 'mining.cord': ['10.0.0.2', '10.0.0.1', '10.0.0.2'], six: ['fd00::1'] });
  await names.set({
    mining: ['http://mining.cord:8081', 'http://10.0.0.1:8081', 'http://10.0.0.9:8081'],
    tasks: ['http://six:80/below', 'http://localhost:8082', 'http://[::1]:8083'],
  });
  expect(urls('mining')).toEqual(['http://10.0.0.1:8081', 'http://10.0.0.2:8081', 'http://10.0.0.9:8081']);
  expect(urls('tasks')).toEqual(['http://[fd00::1]/below', 'http://localhost:8082', 'http://[::1]:8083']);
});

test('a name is resolved repeatedly: a replica that stays keeps its state, and a new one is probed at once', async () => {
  const addresses: Record<string, string[]> = { mining: ['10.0.0.1', '10.0.0.2'] };
  const { names, upstreams, urls, probes } = named(addresses);
  await names.set({ mining: ['http://mining:8081'] });
  const stays = upstreams.of('mining')[1];
  expect(probes()).toBe(0);
  addresses.mining = ['10.0.0.2', '10.0.0.3'];
  await expect.poll(() => urls('mining')).toEqual(['http://10.0.0.2:8081', 'http://10.0.0.3:8081']);
  expect(upstreams.of('mining')[0]).toBe(stays);
  expect(probes()).toBe(1);
});

test('a name that is not found keeps its last addresses, or itself if it had none, and is logged once', async () => {
  const addresses: Record<string, string[]> = { mining: ['10.0.0.1'] };
  const { names, urls, warned } = named(addresses);
  await names.set({ mining: ['http://mining:8081'], tasks: ['http://tasks:8082'] });
  expect(warned).toMatchObject([{ url: 'tasks' }]);
  delete addresses.mining;
  await expect.poll(() => warned.length).toBe(2);
  expect([urls('mining'), urls('tasks')]).toEqual([['http://10.0.0.1:8081'], ['http://tasks:8082']]);
  addresses.mining = [];
  addresses.tasks = ['10.0.0.7'];
  await expect.poll(() => urls('tasks')).toEqual(['http://10.0.0.7:8082']);
  expect(urls('mining')).toEqual(['http://10.0.0.1:8081']);
  expect(warned).toHaveLength(2);
});

test('a call refused at one address goes to another one, whatever its method', async () => {
  const tasks = await upstream();
  const { port } = new URL(tasks.url);
  const resolve = async () => ['127.0.0.2', '127.0.0.1'];
  const site = await origin({ upstreams: { tasks: [`http://tasks.cord:${port}`] } }, { names: { resolve } });
  const calls = [1, 2, 3, 4].map(() => site.call('/api/tasks', { method: 'POST', body: '{}' }));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(tasks.seen.map(({ headers }) => headers.host)).toEqual(Array(4).fill(new URL(site.publicOrigin).host));
});
