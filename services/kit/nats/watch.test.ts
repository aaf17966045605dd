import { BUCKETS } from '@cord/contracts/events/streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WATCH_PROBE_MS } from '../bounds.js';
import { startTestBackend, type TestBackend } from '../testing/index.js';
import { ensureTopology } from '../topology.js';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ store: false, own: true });
});
afterAll(() => backend.stop());

describe('a watched bucket', () => {
  it('holds what is put within a second, forgets what is deleted, and tells of both', async () => {
    const kv = await backend.nats.kv(BUCKETS.roles);
    await kv.put('before', '1');
    const watch = backend.nats.watch(BUCKETS.roles);
    const told: Array<[string, string | undefined]> = [];
    watch.onChange((key, value) => void told.push([key, value]));
    await watch.ready;
    expect(watch.get('before')).toBe('1');
    await kv.put('later', '2');
    await expect.poll(() => watch.get('later'), { timeout: 1_000 }).toBe('2');
    await kv.delete('before');
    await expect.poll(() => watch.get('before'), { timeout: 1_000 }).toBeUndefined();
    await kv.purge('later');
    await expect.poll(() => watch.entries().size, { timeout: 1_000 }).toBe(0);
    expect(told).toEqual([
      ['before', '1'],
      ['later', '2'],
      ['before', undefined],
      ['later', undefined],
    ]);
    await watch.stop();
  });

  it('that is empty is ready at once; one key can be asked for', async () => {
    const watch = backend.nats.watch(BUCKETS.jwks);
    await watch.ready;
    expect([watch.entries().size, watch.isReady(), watch.staleMs() < 1_000]).toEqual([0, true, true]);
    await (await backend.nats.kv(BUCKETS.jwks)).put('kid', 'key');
    await watch.refresh('kid');
    expect(watch.get('kid')).toBe('key');
    await watch.refresh('none');
    await watch.stop();
  });

  it('whose last entry was purged from its stream is read whole all the same, and counts as agreed with', async () => {
    const kv = await backend.nats.kv(BUCKETS.roles);
    await kv.put('stays', '1');
    await kv.put('purged', '1');
    await backend.nats.jsm.streams.purge(`KV_${BUCKETS.roles}`, { filter: `$KV.${BUCKETS.roles}.purged` });
    const watch = backend.nats.watch(BUCKETS.roles);
    await watch.ready;
    expect(watch.get('stays')).toBe('1');
    expect(backend.nats.catchingUp()).toEqual([]);
    // The next probe proves that memory and bucket agree: writes would be refused for ever if it did not.
    const atFirst = watch.staleMs();
    await expect.poll(() => watch.staleMs(), { timeout: 20_000 }).toBeGreaterThan(WATCH_PROBE_MS / 2 + atFirst);
    await expect.poll(() => watch.staleMs(), { timeout: 20_000 }).toBeLessThan(WATCH_PROBE_MS / 2);
    await watch.stop();
  });

  it('that was lost and made anew is followed again, and what went with it goes here', async () => {
    const before = await backend.nats.kv(BUCKETS.revocations);
    await before.put('gone', '1');
    await before.put('kept', '1');
    const watch = backend.nats.watch(BUCKETS.revocations);
    await watch.ready;
    await backend.nats.jsm.streams.delete(`KV_${BUCKETS.revocations}`);
    await ensureTopology(backend.nats);
    // As many entries as before: the revisions alone would look the same.
    const anew = await backend.nats.kv(BUCKETS.revocations);
    await anew.put('kept', '2');
    await anew.put('new', '2');
    await expect.poll(() => Object.fromEntries(watch.entries()), { timeout: 18_000 }).toEqual({ kept: '2', new: '2' });
    await watch.stop();
  });
});
