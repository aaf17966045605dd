import { creditRpc } from '@cord/contracts/rpc/ledger';
import { PARTITIONS, partitionOf } from '@cord/contracts/rules/affinity';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { REPLICA_BEAT_MS, REPLICA_GONE_MS } from './bounds.js';
import { createLogger } from './log.js';
import { connectNats, type Nats } from './nats.js';
import { followReplicas, type Replicas } from './replicas.js';
import { startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const backend = forAllTests(() => startTestBackend({ store: false }));
const running: { replicas: Replicas; nats: Nats }[] = [];

afterEach(async () => {
  for (const { replicas, nats } of running.splice(0)) {
    replicas.stop();
    await nats.drain();
  }
});

/** A replica of mining that keeps a list of what it has. */
async function start(number: number) {
  const settings = { NATS_URL: backend.natsUrl, CORD_REPLICA: number };
  const nats = await connectNats(settings, 'mining', createLogger('test', 'silent'));
  const replicas = followReplicas(nats);
  running.push({ replicas, nats });
  const has = new Set<number>();
  replicas.owning((partition) => {
    has.add(partition);
    return () => has.delete(partition);
  });
  return { nats, replicas, has };
}

/** Checks that each partition has one of these replicas, and each replica some. */
const areShared = (shares: ReadonlySet<number>[]) =>
  expect
    .poll(() => ({
      sum: shares.reduce((sum, has) => sum + has.size, 0),
      union: new Set(shares.flatMap((has) => [...has])).size,
      none: shares.some((has) => has.size === 0),
    }))
    .toEqual({ sum: PARTITIONS, union: PARTITIONS, none: false });

describe('the replicas of a service', () => {
  it('share the users as replicas join, leave and become silent', async () => {
    const first = await start(3);
    expect(first.has.size).toBe(PARTITIONS);
    const second = await start(5);
    await areShared([first.has, second.has]);
    const third = await start(9);
    await areShared([first.has, second.has, third.has]);
    third.replicas.leave();
    expect(third.has.size).toBe(0);
    await areShared([first.has, second.has]);
    // As after a crash: its beats end without a last message.
    second.replicas.stop();
    await expect.poll(() => first.has.size).toBe(PARTITIONS);
  });

  it('give the users of a yielding replica to the others, unless all of them yield', async () => {
    const [first, second] = [await start(3), await start(5)];
    await areShared([first.has, second.has]);
    const share = new Set(first.has);
    let isLost = true;
    first.nats.yieldWhile(() => isLost);
    await expect.poll(() => [first.has.size, second.has.size]).toEqual([0, PARTITIONS]);
    let isOtherLost = true;
    second.nats.yieldWhile(() => isOtherLost);
    await areShared([first.has, second.has]);
    expect(first.has).toEqual(share);
    isOtherLost = false;
    await expect.poll(() => [first.has.size, second.has.size]).toEqual([0, PARTITIONS]);
    isLost = false;
    await areShared([first.has, second.has]);
    expect(first.has).toEqual(share);
  });

  it('clear their caches after a stall, as the others have written their users meanwhile', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    let receive: (text: string) => void = () => undefined;
    const published: string[] = [];
    const stalled = followReplicas({
      service: 'mining',
      replica: 1,
      connected: () => true,
      onReconnect: () => () => undefined,
      isYielding: () => false,
      onYield: () => () => undefined,
      nc: {
        subscribe(_subject: string, { callback }: { callback(err: null, msg: { string(): string }): void }) {
          receive = (text) => callback(null, { string: () => text });
          return { unsubscribe: () => undefined };
        },
        publish: (_subject: string, text: string) => void published.push(text),
        isClosed: () => false,
      },
    } as unknown as Nats);
    let forgotten = 0;
    const beat = JSON.stringify({ replica: 2, leaving: false, yields: false });
    receive(beat);
    stalled.onOvertaken(() => {
      forgotten += 1;
    });
    clock.mockReturnValue(REPLICA_BEAT_MS + 500);
    receive(beat);
    expect(forgotten).toBe(0);
    published.length = 0;
    // It reads what has come before its own timer runs.
    clock.mockReturnValue(REPLICA_BEAT_MS + 500 + REPLICA_GONE_MS);
    receive(beat);
    expect([forgotten, published.length]).toEqual([1, 1]);
    stalled.stop();
    clock.mockRestore();
  });

  it('ignore messages that are not from a replica', async () => {
    const alone = await start(0);
    for (const text of ['', '{}', '{"replica":99,"leaving":false}', '{"replica":0,"leaving":true}'])
      backend.nats.nc.publish('cord.replica.v1.mining', text);
    await backend.nats.nc.flush();
    await alone.nats.nc.flush();
    expect(alone.has.size).toBe(PARTITIONS);
  });
});

describe('a request about a user', () => {
  const userId = 'c'.repeat(32);
  const rpc = creditRpc('tasks');
  const request = { userId, key: 'task:t:c', source: 'task' as const, amountMicro: '1', reason: '' };
  const answering = (nats: Nats, replicas: Pick<Replicas, 'owning'>, requested: string[]) =>
    nats.serve(
      rpc,
      async ({ key, amountMicro }, { subject }) => {
        requested.push(`${nats.replica} ${subject}`);
        return { key, replayed: false, amountMicro, balanceMicro: '1', seq: '1', at: 1 };
      },
      replicas,
    );

  it('reaches the replica that owns the user, or another one at once when none does', async () => {
    const requested: string[] = [];
    const both = [await start(1), await start(2)];
    await areShared(both.map(({ has }) => has));
    const serving = both.map(({ nats, replicas }) => answering(nats, replicas, requested));
    for (const { nats } of both) await nats.nc.flush();
    for (let n = 0; n < 6; n += 1) await backend.nats.request(rpc, request, { userId });
    const part = partitionOf(userId);
    const owner = both.findIndex(({ has }) => has.has(part)) + 1;
    expect(new Set(requested)).toEqual(new Set([`${owner} ${rpc.subject}.p${part}`]));

    requested.length = 0;
    for (const { replicas, nats } of both) {
      replicas.leave();
      await nats.nc.flush();
    }
    const before = performance.now();
    await backend.nats.request(rpc, request, { userId });
    expect(requested.map((text) => text.slice(2))).toEqual([rpc.subject]);
    expect(performance.now() - before).toBeLessThan(1_900);
    for (const one of serving) await one.stop();
  });
});

describe('a request between services', () => {
  const rpc = creditRpc('tasks');
  const userId = 'd'.repeat(32);
  const request = { userId, key: 'task:t:d', source: 'task' as const, amountMicro: '1', reason: '' };
  const answeringAs = async (nats: Nats, answered: number[]) => {
    const serving = nats.serve(rpc, async ({ key, amountMicro }) => {
      answered.push(nats.replica);
      return { key, replayed: false, amountMicro, balanceMicro: '1', seq: '1', at: 1 };
    });
    await nats.nc.flush();
    return serving;
  };

  it('avoids a yielding replica while another responds, reaches one when all yield, and each again afterwards', async () => {
    const answered: number[] = [];
    const both = [await start(1), await start(2)];
    const serving = await Promise.all(both.map(({ nats }) => answeringAs(nats, answered)));
    const lost = [true, false];
    const areAt = (...yields: boolean[]) =>
      expect.poll(() => both.map(({ nats }) => nats.isYielding())).toEqual(yields);
    /** Who answers twenty requests; a replica is chosen at random. */
    const answers = async () => {
      for (const { nats } of both) await nats.nc.flush();
      answered.length = 0;
      for (let n = 0; n < 20; n += 1) await backend.nats.request(rpc, request, n % 2 === 0 ? { userId } : {});
      return new Set(answered);
    };
    for (const [n, { nats }] of both.entries()) nats.yieldWhile(() => lost[n] === true);
    await areAt(true, false);
    expect(await answers()).toEqual(new Set([2]));
    lost[1] = true;
    await areAt(true, true);
    expect((await answers()).size).toBeGreaterThan(0);
    expect(answered).toHaveLength(20);
    lost[0] = false;
    await areAt(false, true);
    expect(await answers()).toEqual(new Set([1]));
    lost[1] = false;
    await areAt(false, false);
    await expect.poll(answers).toEqual(new Set([1, 2]));
    for (const one of serving) await one.stop();
    await expect(backend.nats.request(rpc, request)).rejects.toMatchObject({ type: 'service-unavailable' });
  });

  it('reaches a replica that yielded before it began to serve only while no other one responds', async () => {
    const answered: number[] = [];
    const [away, other] = [await start(1), await start(2)];
    away.nats.yieldWhile(() => true);
    await expect.poll(() => away.nats.isYielding()).toBe(true);
    const serving = [await answeringAs(away.nats, answered)];
    await backend.nats.request(rpc, request);
    serving.push(await answeringAs(other.nats, answered));
    for (let n = 0; n < 10; n += 1) await backend.nats.request(rpc, request);
    expect(answered).toEqual([1, ...Array(10).fill(2)]);
    for (const one of serving) await one.stop();
  });
});

it('a draining connection no longer counts as connected', async () => {
  const nats = await connectNats({ NATS_URL: backend.natsUrl }, 'test', backend.nats.log);
  expect(nats.connected()).toBe(true);
  const drained = nats.drain();
  expect(nats.connected()).toBe(false);
  await drained;
});
