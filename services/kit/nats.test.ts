import { subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import { rpc } from '@cord/contracts/rpc/rpc';
import { headers } from '@nats-io/transport-node';
import { mongo } from 'mongoose';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { currentCause, runWithCause } from './cause.js';
import { on } from './nats/consume.js';
import { listDeadLetters, retryDeadLetter } from './nats/dead-letters.js';
import { connectNats } from './nats.js';
import { conflict, Problem } from './problem.js';
import { claim } from './test/claim.js';
import { startCable } from './testing/cable.js';
import { randomId, startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';
import { PATIENCE_MS } from './testing/patience.js';
import { ensureTopology } from './topology.js';

/** A server without passwords does not check the sender. */
const TESTED = { from: ['auth'], by: 'mining' } as const;

const backend = forAllTests(() => startTestBackend({ store: false, own: true }));

describe('events', () => {
  it('reach the durable consumer once, although published twice', async () => {
    const userId = randomId();
    const seen: string[] = [];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'mining',
      handlers: [on(claimMade, async (event) => void seen.push(event.userId))],
    });
    const first = await backend.nats.publish(subjectOf(claimMade, userId), claim(userId), `claim:${userId}`);
    const second = await backend.nats.publish(subjectOf(claimMade, userId), claim(userId), `claim:${userId}`);
    await vi.waitFor(() => expect(seen).toContain(userId), PATIENCE_MS);
    expect([first.duplicate, second.duplicate]).toEqual([false, true]);
    await consuming.stop();
    expect(seen.filter((id) => id === userId)).toHaveLength(1);
  });

  it('that do not fit their schema are not published', async () => {
    const userId = randomId();
    const wrong = { ...claim(userId), amountMicro: 1.5 };
    await expect(backend.nats.publish(subjectOf(claimMade, userId), wrong, 'x')).rejects.toThrow(/amountMicro/);
  });

  it('become dead letters after N failed deliveries, and are handled when retried', async () => {
    const userId = randomId();
    let broken = true;
    const handled: string[] = [];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'mining',
      maxFailures: 2,
      handlers: [
        on(claimMade, async (event) => {
          if (broken) throw new Error('broken on purpose');
          handled.push(event.userId);
        }),
      ],
    });
    await backend.nats.publish(subjectOf(claimMade, userId), claim(userId), `claim:${userId}`);
    const letter = await vi.waitFor(async () => {
      const found = (await listDeadLetters(backend.nats)).find(({ subject }) => subject.endsWith(userId));
      expect(found?.deliveries).toBe(2);
      return found;
    }, PATIENCE_MS);
    broken = false;
    expect(await retryDeadLetter(backend.nats, letter?.deadSeq ?? 0)).toBe('retried');
    await vi.waitFor(() => expect(handled).toEqual([userId]), PATIENCE_MS);
    expect((await listDeadLetters(backend.nats)).find(({ subject }) => subject.endsWith(userId))).toBeUndefined();
    await consuming.stop();
  });

  it('of one user are handled in order, while those of others run concurrently', async () => {
    // A stream that keeps all of a subject, so that there is an order to be seen.
    const { config } = await backend.nats.jsm.streams.info('CORD_REWARDS');
    await backend.nats.jsm.streams.update('CORD_REWARDS', { ...config, max_msgs_per_subject: -1 });
    const users = [randomId(), randomId(), randomId()];
    const seen = new Map<string, string[]>();
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'auth',
      handlers: [
        on(claimMade, async (event) => {
          if (!users.includes(event.userId)) return;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
          seen.set(event.userId, [...(seen.get(event.userId) ?? []), event.seq]);
        }),
      ],
    });
    const order = Array.from({ length: 20 }, (_, index) => String(index + 1));
    for (const seq of order) {
      for (const userId of users) {
        await backend.nats.publish(subjectOf(claimMade, userId), claim(userId, seq), `claim:${userId}:${seq}`);
      }
    }
    await vi.waitFor(
      () => expect(users.map((userId) => seen.get(userId))).toEqual(users.map(() => order)),
      PATIENCE_MS,
    );
    await consuming.stop();
    await ensureTopology(backend.nats);
  });
});

describe('during an outage', () => {
  it.each([
    ['is away', Object.assign(new Error('lost'), { name: 'MongoServerSelectionError' })],
    ['takes no writes, as its disk is full', new mongo.MongoServerError({ message: 'full', code: 14_031 })],
  ])('a message waits in place while the store %s, and becomes no dead letter', async (_, refusal) => {
    const userId = randomId();
    let away = true;
    const counts: number[] = [];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'mining',
      maxFailures: 1,
      handlers: [
        on(claimMade, async (event, { deliveryCount }) => {
          if (event.userId !== userId) return;
          counts.push(deliveryCount);
          if (away) throw refusal;
        }),
      ],
    });
    await backend.nats.publish(subjectOf(claimMade, userId), claim(userId), `claim:${userId}`);
    await vi.waitFor(() => expect(counts.length).toBeGreaterThan(1), PATIENCE_MS);
    away = false;
    const later = randomId();
    await backend.nats.publish(subjectOf(claimMade, later), claim(later), `claim:${later}`);
    await vi.waitFor(async () => {
      const info = await backend.nats.jsm.consumers.info('CORD_REWARDS', 'mining');
      expect([info.num_ack_pending, info.num_pending]).toEqual([0, 0]);
    }, PATIENCE_MS);
    expect(new Set(counts)).toEqual(new Set([1]));
    expect((await listDeadLetters(backend.nats)).filter(({ subject }) => subject.endsWith(userId))).toEqual([]);
    await consuming.stop();
  });

  it('consumers, requests and ordered reading continue by themselves after a crash of NATS', async () => {
    const ping = rpc('test.ping', TESTED, z.object({}), z.object({ pong: z.literal(true) }));
    const serving = backend.nats.serve(ping, async () => ({ pong: true as const }));
    const [durable, ordered]: [string[], string[]] = [[], []];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'mining',
      handlers: [on(claimMade, async (event) => void durable.push(event.userId))],
    });
    const reading = backend.nats.orderedConsume({
      stream: 'CORD_REWARDS',
      handlers: [on(claimMade, async (event) => void ordered.push(event.userId))],
    });
    await reading.caughtUp;
    const seenBefore = [...ordered];
    await backend.natsServer?.kill();
    await expect.poll(() => backend.nats.connected()).toBe(false);
    await expect(backend.nats.request(ping, {})).rejects.toMatchObject({ status: 503 });
    await backend.natsServer?.restart();
    await expect.poll(() => backend.nats.connected()).toBe(true);
    expect(await backend.nats.request(ping, {})).toEqual({ pong: true });
    const userId = randomId();
    await backend.nats.publish(subjectOf(claimMade, userId), claim(userId), `claim:${userId}`);
    await vi.waitFor(() => expect([durable.at(-1), ordered.at(-1)]).toEqual([userId, userId]), PATIENCE_MS);
    expect(ordered.slice(0, seenBefore.length)).toEqual(seenBefore);
    // The last seconds once more, for the server may have lost its end: what stands there, in its order, and what is new once.
    const again = ordered.slice(seenBefore.length, -1).map((id) => seenBefore.lastIndexOf(id));
    expect(again).toEqual([...new Set(again)].sort((one, other) => one - other));
    expect(again).not.toContain(-1);
    await Promise.all([serving.stop(), consuming.stop(), reading.stop()]);
  });
});

describe('requests', () => {
  const double = rpc('test.double', TESTED, z.object({ n: z.number() }), z.object({ n: z.number() }));

  it('return the parsed response without fields that its schema does not name', async () => {
    const serving = backend.nats.serve(double, async ({ n }) => ({ n: n * 2, secret: 1 }) as { n: number });
    expect(await backend.nats.request(double, { n: 21 })).toEqual({ n: 42 });
    await serving.stop();
  });

  it('get each response at an unguessable address of its own', async () => {
    const serving = backend.nats.serve(double, async ({ n }) => ({ n }));
    const inboxes: (string | undefined)[] = [];
    const watching = backend.nats.nc.subscribe(double.subject, {
      callback: (_err, msg) => void inboxes.push(msg.reply),
    });
    for (let n = 0; n < 3; n += 1) await backend.nats.request(double, { n });
    watching.unsubscribe();
    await serving.stop();
    expect(new Set(inboxes).size).toBe(3);
    for (const inbox of inboxes) expect(inbox).toMatch(/^_INBOX_test\.[0-9a-f]{32}$/);
  });

  it('carry the request id and the trace of their call', async () => {
    const seen: object[] = [];
    const serving = backend.nats.serve(double, async ({ n }) => {
      seen.push(currentCause() ?? {});
      return { n };
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await runWithCause({ requestId: 'r-12345678', traceparent }, () => backend.nats.request(double, { n: 1 }));
    await backend.nats.request(double, { n: 1 });
    const begun = { traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) };
    expect(seen).toEqual([{ requestId: 'r-12345678', traceparent }, begun]);
    await serving.stop();
  });

  it('return a refusal with its type, status and text', async () => {
    const serving = backend.nats.serve(double, async () => {
      throw conflict('already-done', 'Done before');
    });
    const refusal = await backend.nats.request(double, { n: 1 }).catch((err: unknown) => err);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({ status: 409, type: 'already-done', message: 'Done before' });
    await serving.stop();
  });

  it('that do not fit are refused with the name of the field', async () => {
    const serving = backend.nats.serve(double, async ({ n }) => ({ n }));
    const msg = await backend.nats.nc.request(double.subject, '{"n":"x"}', { timeout: 1_000, headers: headers() });
    expect(msg.json()).toMatchObject({ ok: false, problem: { status: 400, errors: [{ path: 'n' }] } });
    const notJson = await backend.nats.nc.request(double.subject, '{', { timeout: 1_000 });
    expect(notJson.json()).toMatchObject({ ok: false, problem: { status: 400 } });
    await serving.stop();
  });

  it('show no internals of a fault on the other side', async () => {
    const serving = backend.nats.serve(double, async () => {
      throw new Error('password is hunter2');
    });
    const refusal = await backend.nats.request(double, { n: 1 }).catch((err: unknown) => err);
    expect(refusal).toMatchObject({ status: 500, type: 'internal-error' });
    expect(String(refusal)).not.toContain('hunter2');
    await serving.stop();
  });

  it('get 503 service-unavailable when no service responds, or one is too slow', async () => {
    await expect(backend.nats.request(double, { n: 1 })).rejects.toMatchObject({
      status: 503,
      type: 'service-unavailable',
    });
    const silent = backend.nats.serve(double, () => new Promise(() => undefined));
    await expect(backend.nats.request(double, { n: 1 }, { timeoutMs: 50 })).rejects.toMatchObject({
      status: 503,
      type: 'service-unavailable',
    });
    await silent.stop();
  });
});

describe('topology', () => {
  it('does not change when it is created twice', async () => {
    const before = await backend.nats.jsm.streams.info('CORD_BALANCE');
    await ensureTopology(backend.nats);
    const after = await backend.nats.jsm.streams.info('CORD_BALANCE');
    expect(after.config).toEqual(before.config);
    expect(after.config).toMatchObject({ discard: 'new', max_msgs_per_subject: 1, max_age: 0 });
  });
});

it.each(['before', 'while'])('a connection that is lost %s it drains is closed without an error', async (when) => {
  const cable = await startCable(backend.natsUrl);
  const one = await connectNats({ NATS_URL: cable.url }, 'mining', backend.nats.log);
  if (when === 'before') await cable.stop();
  const drained = one.drain();
  if (when === 'while') await cable.stop();
  expect(await drained).toBeUndefined();
  expect(one.nc.isClosed()).toBe(true);
});
