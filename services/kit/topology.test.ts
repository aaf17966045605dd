import { STREAMS } from '@cord/contracts/events/streams';
import { JetStreamApiError, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { expect, test, vi } from 'vitest';
import { createMetrics } from './metrics.js';
import { measureStreams } from './nats/figures.js';
import type { Nats } from './nats.js';
import { startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';
import { awaitTopology, missingTopology } from './topology/check.js';
import { copiesIn, ensureTopology } from './topology.js';

const backend = forAllTests(() => startTestBackend({ store: false, own: true }));

/** The test's server as a cluster would show it: its streams have copies, but for one that has fewer. */
function cluster(copies: number, fewer: string) {
  const wanted = new Map<string, number>();
  const real = backend.nats.jsm.streams;
  const note = async (name: string, config: Partial<StreamConfig>) => void wanted.set(name, config.num_replicas ?? 0);
  const streams = {
    delete: (name: string) => real.delete(name),
    getMessage: (...query: Parameters<typeof real.getMessage>) => real.getMessage(...query),
    async info(name: string) {
      const info = await real.info(name);
      return { ...info, config: { ...info.config, num_replicas: name === fewer ? 1 : copies } };
    },
    update: note,
  };
  const jsm = { streams, consumers: backend.nats.jsm.consumers };
  return { nats: { ...backend.nats, jsm } as unknown as Nats, wanted };
}

test.each([
  ['nothing set', undefined],
  ['one copy wanted', 1],
])('with %s no stream of a cluster loses a replica, and one that has fewer gets as many', async (_what, replicas) => {
  const { nats, wanted } = cluster(3, 'CORD_TASKS');
  await ensureTopology(nats, replicas === undefined ? {} : { replicas });
  expect([...wanted]).toEqual([['CORD_TASKS', 3]]);
});

test('a higher number of replicas applies to every stream', async () => {
  const { nats, wanted } = cluster(3, 'CORD_TASKS');
  await ensureTopology(nats, { replicas: 5 });
  expect([...wanted]).toEqual(STREAMS.map(({ name }) => [name, 5]));
});

test('one, three or five replicas are valid; anything else is an error that names the setting', () => {
  expect([undefined, '', '1', ' 3', '5'].map(copiesIn)).toEqual([1, 1, 1, 3, 5]);
  for (const bad of ['0', '2', '-3', '3.0', 'three', '1|3|5'])
    expect(() => copiesIn(bad)).toThrow(`NATS_REPLICAS is ${JSON.stringify(bad)}: must be 1, 3, 5`);
});

test('a stream of the previous release, which accepted only v1, keeps its messages and accepts v2 too', async () => {
  const { js, jsm } = backend.nats;
  await jsm.streams.update('CORD_TASKS', { subjects: ['cord.task.v1.>', 'cord.checkin.v1.>'] });
  const [v1, v2] = ['cord.task.v1.completed.a', 'cord.task.v2.completed.a'];
  await js.publish(v1, '1');
  await expect(js.publish(v2, '2')).rejects.toThrow();
  await ensureTopology(backend.nats);
  await js.publish(v2, '2');
  for (const [subject, text] of [[v1, '1'] as const, [v2, '2'] as const])
    expect((await jsm.streams.getMessage('CORD_TASKS', { last_by_subj: subject }))?.string()).toBe(text);
});

test('a stream keeps limits above the table, and lower ones are raised', async () => {
  const { jsm } = backend.nats;
  const limits = async (name: string) => {
    const { max_bytes, max_age } = (await jsm.streams.info(name)).config;
    return { max_bytes, max_age };
  };
  const table = await limits('CORD_DEAD');
  const more = { max_bytes: table.max_bytes + 1, max_age: 2 * table.max_age };
  await jsm.streams.update('CORD_DEAD', more);
  await jsm.streams.update('CORD_TASKS', { max_bytes: -1 });
  await ensureTopology(backend.nats);
  expect(await limits('CORD_DEAD')).toEqual(more);
  expect((await limits('CORD_TASKS')).max_bytes).toBe(-1);
  await jsm.streams.update('CORD_DEAD', { max_bytes: 1024, max_age: 0 });
  await ensureTopology(backend.nats);
  expect(await limits('CORD_DEAD')).toEqual({ max_bytes: table.max_bytes, max_age: 0 });
});

test('a stream in memory is an error, and stays as it is', async () => {
  const { jsm } = backend.nats;
  const [name, subjects] = ['CORD_CLOCKS', ['cord.clock.v1.>']];
  await jsm.streams.delete(name);
  await jsm.streams.add({ name, subjects, storage: StorageType.Memory });
  await expect(ensureTopology(backend.nats)).rejects.toThrow(/storage/);
  expect((await jsm.streams.info(name)).config.storage).toBe(StorageType.Memory);
  await jsm.streams.delete(name);
  await ensureTopology(backend.nats);
  expect((await jsm.streams.info(name)).config.storage).toBe(StorageType.File);
});

const over = <T extends object>(real: T, more: object): T => Object.assign(Object.create(real), more);

/** The test's server as one of a cluster without a leader: it answers some reads with an error, and what is made there is noted. */
function withoutLeader(failing: 'streams' | 'consumers') {
  const { jsm } = backend.nats;
  const leaderless = { code: 503, err_code: 10_008, description: 'JetStream system temporarily unavailable' };
  const info = () => Promise.reject(new JetStreamApiError(leaderless));
  const made = vi.fn();
  const parts = {
    streams: over(jsm.streams, { add: made, update: made }),
    consumers: over(jsm.consumers, { add: made, update: made, delete: made }),
  };
  Object.assign(parts[failing], { info });
  return { nats: { ...backend.nats, jsm: over(jsm, parts) }, made };
}

test.each(['streams', 'consumers'] as const)('%s that cannot be read now do not count as missing', async (failing) => {
  await ensureTopology(backend.nats);
  const { nats, made } = withoutLeader(failing);
  await expect(ensureTopology(nats)).rejects.toThrow(/temporarily unavailable/);
  expect(made).not.toHaveBeenCalled();
  await expect(missingTopology(nats, 'tasks')).rejects.toThrow(/temporarily unavailable/);
});

test('a service waits for missing topology, names it, and creates nothing itself', async () => {
  const { jsm } = backend.nats;
  await ensureTopology(backend.nats);
  expect(await missingTopology(backend.nats, 'tasks')).toEqual([]);
  await jsm.streams.update('CORD_TASKS', { subjects: ['cord.task.v1.>', 'cord.checkin.*.>'] });
  await jsm.consumers.delete('CORD_USERS', 'tasks');
  expect(await missingTopology(backend.nats, 'tasks')).toEqual([
    'CORD_TASKS lacks the subject cord.task.*.>',
    'no consumer CORD_USERS/tasks',
  ]);
  await jsm.streams.delete('CORD_TASKS');
  const stopped = awaitTopology(backend.nats, 'tasks', AbortSignal.timeout(50));
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(await missingTopology(backend.nats, 'tasks')).toContain('no stream CORD_TASKS');
  const waiting = awaitTopology(backend.nats, 'tasks');
  await ensureTopology(backend.nats);
  await waiting;
});

test('a consumer that is ahead of its stream after a loss is counted and recreated', async () => {
  const { jsm } = backend.nats;
  const [stream, service] = ['CORD_REWARDS', 'auth'] as const;
  await ensureTopology(backend.nats);
  /** The test's server as one that has kept the places of consumers and lost messages of the streams. */
  const info = async (name: string, durable: string) => {
    const { delivered, ...rest } = await jsm.consumers.info(name, durable);
    const lost = name === stream && durable === service ? 7 : 0;
    return { ...rest, delivered: { ...delivered, stream_seq: delivered.stream_seq + lost } };
  };
  const parts = { streams: jsm.streams, consumers: over(jsm.consumers, { info }) };
  const nats: Nats = { ...backend.nats, jsm: over(jsm, parts) };
  const metrics = createMetrics(service, { processFigures: false });
  measureStreams(metrics, nats, service);
  expect(await metrics.registry.metrics()).toMatch(
    new RegExp(`cord_consumer_ahead_messages\\{stream="${stream}"[^}]*\\} 7\\n`),
  );
  const made = async (name: string) => (await jsm.consumers.info(stream, name)).created;
  const before = { [service]: await made(service), notices: await made('notices') };
  await ensureTopology(nats);
  expect(await made(service)).not.toBe(before[service]);
  expect(await made('notices')).toBe(before.notices);
});
