import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import { ensureTopology } from '@cord/kit/topology';
import { afterEach, expect, test } from 'vitest';
import { knowsDurable, natsBinary, ownNats, SETUP_USER } from '../starter/nats.mjs';
import { freePorts } from '../starter/ports.mjs';
import { scratch } from './starter.js';

const log = createLogger('upgrade', 'silent');
const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function run(args: string[], url: string): Promise<Nats> {
  const server: ChildProcess = spawn(await natsBinary(), args, { stdio: 'ignore' });
  const nats = await connectNats({ NATS_URL: url }, SETUP_USER, log);
  closing.push(async () => {
    if (!nats.nc.isClosed()) await nats.drain();
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  });
  return nats;
}

test('the streams of a release without accounts go on where they were', async () => {
  const place = await scratch();
  closing.push(() => place.remove());
  const [port] = await freePorts(1);
  const folder = join(place.folder, 'nats');
  await mkdir(folder, { recursive: true });
  const former = join(folder, 'former.conf');
  const config = {
    listen: `127.0.0.1:${port}`,
    jetstream: { store_dir: folder },
    authorization: { users: [{ user: SETUP_USER, password: 'p' }] },
  };
  await writeFile(former, JSON.stringify(config));
  const before = await run(['--config', former], `nats://${SETUP_USER}:p@127.0.0.1:${port}`);
  await ensureTopology(before);
  for (const n of [1, 2]) await before.js.publish(`cord.user.v1.updated.${n}`, `${n}`);
  const consumer = await before.js.consumers.get('CORD_USERS', 'mining');
  await (await consumer.next())?.ackAck();
  await closing.pop()?.();

  const nats = await ownNats({ dataDir: place.folder, port, binary: await natsBinary() });
  const after = await run(nats.args, nats.urlFor(SETUP_USER));
  await ensureTopology(after);
  expect((await after.jsm.streams.info('CORD_USERS')).state.messages).toBe(2);
  const next = await (await after.js.consumers.get('CORD_USERS', 'mining')).next();
  expect(next?.string()).toBe('2');
  // A second start finds them there.
  await closing.pop()?.();
  const again = await ownNats({ dataDir: place.folder, port, binary: await natsBinary() });
  const later = await run(again.args, again.urlFor(SETUP_USER));
  expect((await later.jsm.streams.info('CORD_USERS')).state.messages).toBe(2);
});

test.each([
  ['nats-server: v2.9.10', false],
  ['nats-server: v2.10.0', true],
  ['nats-server: v2.10.29-RC.1', true],
  ['nats-server: v2.14.4', true],
  ['nats-server: v3.0.0', true],
  ['nats-server: v1.4.1', false],
  ['what else it may say', false],
])('each message is put on the disk first where the version knows how: %s', (said, knows) => {
  expect(knowsDurable(said)).toBe(knows);
});

test('the server of this machine starts on the configuration that is made for its version', async () => {
  const place = await scratch();
  closing.push(() => place.remove());
  const [port] = await freePorts(1);
  const { command, args, urlFor } = await ownNats({ dataDir: place.folder, port, binary: await natsBinary() });
  const nats = await run(args, urlFor(SETUP_USER));
  const config = JSON.parse(await readFile(join(place.folder, 'nats/nats.conf'), 'utf8'));
  expect(config.jetstream.sync_interval).toBe(knowsDurable(`v${nats.nc.info?.version}`) ? 'always' : undefined);
  expect(command).toBe(await natsBinary());
});
