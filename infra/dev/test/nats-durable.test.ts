import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { expect, test } from 'vitest';
import { until } from '../../test/kit/until.ts';
import { natsBinary, ownNats } from '../starter/nats.ts';
import { freePorts } from '../starter/ports.ts';
import { acceptsOn } from '../starter/probes.ts';
import { isStuck, SETUP_USER } from '../starter/streams.ts';
import { startOwnNats } from './own-nats.ts';

/** Returns the JetStream configuration for a server of this version. */
async function jetstreamOf(version: string): Promise<Record<string, unknown>> {
  const { folder } = stopAfterTest(await scratch());
  const binary = join(folder, 'nats-server');
  await writeFile(binary, `#!/bin/sh\necho 'nats-server: ${version}'\n`, { mode: 0o755 });
  await ownNats({ dataDir: folder, port: 4222, binary });
  const { jetstream } = JSON.parse(await readFile(join(folder, 'nats/nats.conf'), 'utf8'));
  return jetstream;
}

test.each([
  ['v2.10.0', 'always'],
  ['v2.11.4-RC.1', 'always'],
  ['v3.0.0', 'always'],
  ['v2.9.10', undefined],
  ['v1.12.0', undefined],
])('NATS %s syncs each message to disk before the acknowledgement: %s', async (version, expected) => {
  expect((await jetstreamOf(version)).sync_interval).toBe(expected);
});

test('a server whose JetStream gives no response is stuck; an unreachable one is not reported as stuck', async () => {
  const nats = await startOwnNats();
  expect(await isStuck(nats.urlFor(SETUP_USER))).toBe(false);
  await nats.stop();
  expect(await isStuck(nats.urlFor(SETUP_USER))).toBe(false);
  const [port] = await freePorts(1);
  const without = spawn(await natsBinary(), ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  await until('NATS listens', acceptsOn(port ?? 0));
  expect(await isStuck(`nats://127.0.0.1:${port}`)).toBe(true);
  without.kill();
});
