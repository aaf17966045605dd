import { rename, utimes, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMITS_WRITES } from '@cord/kit/ops-port';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test } from 'vitest';
import { RouteTable } from '../api/route-table.js';
import { Upstreams } from '../api/upstreams.js';
import { followUpstreams } from '../api/upstreams-file.js';
import type { UpstreamName, UpstreamUrls } from '../config.js';
import { upstream } from './origin.js';

const silent: RequestListener = (incoming) => incoming.socket.destroy();
const answers: RequestListener = (_, response) => response.end('{"status":"ok","replica":0}');
const unready: RequestListener = (_, response) => response.writeHead(503).end();

/** Starts a replica with set responses to probes, and returns the gateway's state of it afterwards. */
async function probed() {
  let how = answers;
  const one = await upstream(undefined, 0, (incoming, response) => how(incoming, response));
  const upstreams = new Upstreams({ mining: [one.url] });
  const after = async (next: RequestListener) => {
    how = next;
    const ready = (await upstreams.probe()).get('mining');
    expect(upstreams.inTurn('mining')[0]?.ready).toBe(ready);
    return ready;
  };
  return { one, after, upstreams };
}

test('two missed probes in a row make a replica unready, one does not, and one response makes it ready again', async () => {
  const { after } = await probed();
  expect(await after(answers)).toBe(true);
  expect(await after(silent)).toBe(true);
  expect(await after(answers)).toBe(true);
  expect(await after(silent)).toBe(true);
  expect(await after(silent)).toBe(false);
  expect(await after(silent)).toBe(false);
  expect(await after(answers)).toBe(true);
});

test('a probe carries whether the gateway admits writes of users', async () => {
  const { after, upstreams } = await probed();
  const stated: unknown[] = [];
  const recording: RequestListener = (incoming, response) => {
    stated.push(incoming.headers[ADMITS_WRITES]);
    answers(incoming, response);
  };
  await after(recording);
  let admits = true;
  upstreams.admitsWrites(() => admits);
  await after(recording);
  admits = false;
  await after(recording);
  expect(stated).toEqual([undefined, 'yes', undefined]);
});

test('a replica that responds unready or refuses the connection is unready at once', async () => {
  const talking = await probed();
  expect(await talking.after(unready)).toBe(false);
  expect(await talking.after(answers)).toBe(true);
  const gone = await probed();
  await gone.one.close();
  expect(await gone.after(answers)).toBe(false);
});

test('only a limited part of an endless response of readiness or routes is read', async () => {
  let written = 0;
  const part = Buffer.alloc(1_048_576, ' ');
  function* parts() {
    for (; ; written += part.length) yield part;
  }
  const endless: RequestListener = (_, response) => void Readable.from(parts()).pipe(response);
  const { after } = await probed();
  await after(endless);
  expect(await after(endless)).toBe(false);
  const tasks = await upstream(endless, undefined, (_, response) => response.end('{"status":"ok","life":"1"}'));
  const upstreams = new Upstreams<string>({ tasks: [tasks.url] });
  new RouteTable(upstreams, { warn: () => undefined, info: () => undefined });
  await upstreams.probe();
  expect(written).toBeLessThan(48 * 1_048_576);
});

test('a replica whose store is away gets calls only if no other is ready, and its users move meanwhile', async () => {
  const yields = [false, false];
  const replicas = await Promise.all(
    yields.map(
      async (_, replica) =>
        await upstream(undefined, replica, (_incoming, response) =>
          response.end(JSON.stringify({ status: 'ok', replica, life: 'a', yields: yields[replica] })),
        ),
    ),
  );
  const upstreams = new Upstreams({ mining: replicas.map(({ url }) => url) });
  const userId = 'f'.repeat(32);
  const firstOf = async () => {
    await upstreams.probe();
    return upstreams.inTurn('mining', userId)[0]?.replica ?? -1;
  };
  const owner = await firstOf();
  yields[owner] = true;
  expect(await firstOf()).toBe(1 - owner);
  expect(upstreams.inTurn('mining', userId)).toHaveLength(2);
  yields[1 - owner] = true;
  expect([0, 1]).toContain(await firstOf());
  yields[owner] = false;
  expect(await firstOf()).toBe(owner);
});

test('concurrent probes run one after the other, so that a single stall is one miss', async () => {
  const { one, after, upstreams } = await probed();
  let stalled = 0;
  let under = 0;
  const stall: RequestListener = async (incoming) => {
    under += 1;
    expect(under).toBe(1);
    stalled += 1;
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
    incoming.socket.destroy();
  };
  expect(await Promise.all([after(stall), upstreams.probe().then((ready) => ready.get('mining'))])).toEqual([
    true,
    false,
  ]);
  expect(stalled).toBe(2);
  expect(one.seen).toEqual([]);
});

test('a file of upstreams is followed: replicas come and go, and an invalid file is logged and changes nothing', async () => {
  const { folder } = stopAfterTest(await scratch());
  const file = join(folder, 'upstreams.json');
  const write = async (text: string) => {
    await writeFile(`${file}.draft`, text);
    await rename(`${file}.draft`, file);
  };
  const [first, second] = [await upstream(), await upstream()];
  const upstreams = new Upstreams<UpstreamName>({ tasks: [first.url] });
  const errors: unknown[] = [];
  const log = { info: () => undefined, error: (what: unknown) => void errors.push(what) };
  const urls = () => upstreams.of('tasks').map(({ url }) => url);
  await write(JSON.stringify({ tasks: [first.url] }));
  const [known] = upstreams.of('tasks');
  const named = { set: async (urls: UpstreamUrls) => upstreams.set(urls) };
  const following = followUpstreams(file, named, upstreams, log);
  await write(JSON.stringify({ tasks: [second.url, first.url] }));
  await expect.poll(urls).toEqual([second.url, first.url]);
  expect(upstreams.of('tasks')[1]).toBe(known);
  for (const [index, nonsense] of ['{', '{"tasks":[]}', '{"nobody":["http://127.0.0.1:1"]}'].entries()) {
    await write(nonsense);
    await expect.poll(() => errors.length).toBe(index + 1);
    expect(urls()).toEqual([second.url, first.url]);
  }
  await write(JSON.stringify({ tasks: [second.url] }));
  await expect.poll(urls).toEqual([second.url]);
  following.stop();
});

test('an unreadable file of upstreams is read again, even if its size and time have not changed', async () => {
  const { folder } = stopAfterTest(await scratch());
  const file = join(folder, 'upstreams.json');
  const one = await upstream();
  const text = JSON.stringify({ tasks: [one.url] });
  const writtenAt = new Date(1_700_000_000_000);
  const write = async (as: string) => {
    await writeFile(file, as);
    await utimes(file, writtenAt, writtenAt);
  };
  await write('{'.repeat(text.length));
  const upstreams = new Upstreams<UpstreamName>({});
  const errors: unknown[] = [];
  const log = { info: () => undefined, error: (what: unknown) => void errors.push(what) };
  const named = { set: async (urls: UpstreamUrls) => upstreams.set(urls) };
  const following = followUpstreams(file, named, upstreams, log);
  await expect.poll(() => errors.length).toBe(1);
  await sleep(1_000);
  expect(errors).toHaveLength(1);
  await write(text);
  await expect.poll(() => upstreams.of('tasks').map(({ url }) => url)).toEqual([one.url]);
  following.stop();
});
