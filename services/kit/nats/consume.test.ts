import { eventKind, subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CONSUMER_DELIVERIES_MAX } from '../bounds.js';
import { unavailable } from '../problem.js';
import { claim } from '../test/claim.js';
import { randomId, startTestBackend } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { PATIENCE_MS } from '../testing/patience.js';
import { type ConsumeOptions, on } from './consume.js';
import { listDeadLetters } from './dead-letters.js';

const backend = forAllTests(() => startTestBackend({ store: false, own: true }));

describe('an event for an account that must wait', () => {
  /** One user whose handler answers 503 while `busy` is set, beside others. */
  function consumeWith(stuck: string, busy: () => boolean, maxBusy?: number) {
    const handled: string[] = [];
    const tries: number[] = [];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'auth',
      maxFailures: 1,
      ...(maxBusy === undefined ? {} : { maxBusy }),
      handlers: [
        on(claimMade, async ({ userId }, { deliveryCount }) => {
          if (userId === stuck) tries.push(deliveryCount);
          if (userId === stuck && busy()) throw unavailable('ledger-outbox-full', 'The outbox is full', 1);
          handled.push(userId);
        }),
      ],
    });
    return { consuming, handled, tries };
  }

  it('is redelivered with backoff, blocks no other user, and is handled in the end', async () => {
    const [stuck, other] = [randomId(), randomId()];
    let busy = true;
    const { consuming, handled, tries } = consumeWith(stuck, () => busy);
    await backend.nats.publish(subjectOf(claimMade, stuck), claim(stuck), `claim:${stuck}`);
    await vi.waitFor(() => expect(tries.length).toBeGreaterThan(0), PATIENCE_MS);
    await backend.nats.publish(subjectOf(claimMade, other), claim(other), `claim:${other}`);
    await vi.waitFor(() => expect(handled).toContain(other), PATIENCE_MS);
    expect(handled).not.toContain(stuck);
    busy = false;
    await vi.waitFor(() => expect(handled).toContain(stuck), PATIENCE_MS);
    expect(tries.at(-1)).toBeGreaterThan(1);
    await consuming.stop();
  });

  it('becomes a dead letter with its reason at the last delivery', async () => {
    const stuck = randomId();
    const { consuming } = consumeWith(stuck, () => true, 2);
    await backend.nats.publish(subjectOf(claimMade, stuck), claim(stuck), `claim:${stuck}`);
    const letter = await vi.waitFor(async () => {
      const found = (await listDeadLetters(backend.nats)).find(({ subject }) => subject.endsWith(stuck));
      expect(found).toBeDefined();
      return found;
    }, PATIENCE_MS);
    expect(letter).toMatchObject({ deliveries: 2, reason: 'Problem: The outbox is full' });
    await consuming.stop();
  });

  it('becomes a dead letter at once with an impossible version, as readers keep the highest', async () => {
    const [forged, after] = [randomId(), randomId()];
    const { consuming, handled } = consumeWith(forged, () => false);
    const event = JSON.stringify(claim(forged, Date.now() + 60_000));
    await backend.nats.js.publish(subjectOf(claimMade, forged), event);
    await backend.nats.publish(subjectOf(claimMade, after), claim(after), `claim:${after}`);
    await vi.waitFor(() => expect(handled).toContain(after), PATIENCE_MS);
    await consuming.stop();
    const letters = await listDeadLetters(backend.nats);
    expect(letters.filter(({ subject }) => subject.endsWith(forged))).toHaveLength(1);
    expect(handled).not.toContain(forged);
  });

  it('is given back after a while, without a dead letter, when the store stays away for it alone', async () => {
    const [stuck, other] = [randomId(), randomId()];
    const seen: string[] = [];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'auth',
      maxFailures: 1,
      storeWaitMsMax: 0,
      handlers: [
        on(claimMade, async ({ userId }) => {
          seen.push(userId);
          if (userId === stuck) throw Object.assign(new Error('lost'), { name: 'MongoServerSelectionError' });
        }),
      ],
    });
    await backend.nats.publish(subjectOf(claimMade, stuck), claim(stuck), `claim:${stuck}`);
    await vi.waitFor(() => expect(seen).toContain(stuck), PATIENCE_MS);
    await backend.nats.publish(subjectOf(claimMade, other), claim(other), `claim:${other}`);
    await vi.waitFor(() => expect(seen).toContain(other), PATIENCE_MS);
    await consuming.stop();
    expect((await listDeadLetters(backend.nats)).filter(({ subject }) => subject.endsWith(stuck))).toEqual([]);
  });
});

describe('a message that was delivered before', () => {
  /** One user whose handler runs this at each delivery, counted from 1; others are skipped. */
  function consumeOf(user: string, handle: (tried: number) => void, options: Partial<ConsumeOptions> = {}) {
    const deliveries: number[] = [];
    const consuming = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'auth',
      handlers: [
        on(claimMade, async ({ userId }, { deliveryCount }) => {
          if (userId === user) handle(deliveries.push(deliveryCount));
        }),
      ],
      ...options,
    });
    return { consuming, deliveries };
  }
  /** Publishes a user's message, and takes it and gives it back until it was delivered as often as this. */
  async function delivered(userId: string, times: number): Promise<void> {
    const subject = subjectOf(claimMade, userId);
    await backend.nats.publish(subject, claim(userId), `claim:${userId}`);
    const reader = await backend.nats.js.consumers.get('CORD_REWARDS', 'auth');
    for (let count = 0; count < times; ) {
      const msg = await reader.next({ expires: 5_000 });
      if (msg?.subject === subject) {
        count = msg.info.deliveryCount;
        msg.nak();
      } else msg?.ack();
    }
  }
  const lettersOf = async (userId: string) =>
    (await listDeadLetters(backend.nats)).filter(({ subject }) => subject.endsWith(userId));

  it('keeps its tries after it was given back, as by a process that stops', async () => {
    const userId = randomId();
    await delivered(userId, 3);
    const failsOnce = (tried: number) => {
      if (tried === 1) throw new Error('fails once');
    };
    const { consuming, deliveries } = consumeOf(userId, failsOnce, { maxFailures: 2 });
    try {
      await vi.waitFor(() => expect(deliveries).toHaveLength(2), PATIENCE_MS);
    } finally {
      await consuming.stop();
    }
    expect(await lettersOf(userId)).toEqual([]);
  });

  it('keeps its tries after it had to wait for its account', async () => {
    const userId = randomId();
    const handle = (tried: number) => {
      if (tried === 1) throw unavailable('ledger-outbox-full', 'The outbox is full', 1);
      if (tried === 2) throw new Error('fails once');
    };
    const { consuming, deliveries } = consumeOf(userId, handle, { maxFailures: 2 });
    try {
      await delivered(userId, 0);
      await vi.waitFor(() => expect(deliveries).toHaveLength(3), PATIENCE_MS);
    } finally {
      await consuming.stop();
    }
    expect(await lettersOf(userId)).toEqual([]);
  });

  it('too often, as when it ends its process each time, becomes a dead letter without its handler', async () => {
    const userId = randomId();
    await delivered(userId, CONSUMER_DELIVERIES_MAX + 2);
    const { consuming, deliveries } = consumeOf(userId, () => undefined);
    try {
      await vi.waitFor(async () => {
        const [letter] = await lettersOf(userId);
        expect(letter?.deliveries).toBeGreaterThan(CONSUMER_DELIVERIES_MAX);
        expect(letter?.reason).toMatch(/^was delivered \d+ times/);
      }, PATIENCE_MS);
    } finally {
      await consuming.stop();
    }
    expect(deliveries).toEqual([]);
  });

  it('too often is still handled when no delivery is the last', async () => {
    const userId = randomId();
    await delivered(userId, CONSUMER_DELIVERIES_MAX + 2);
    const { consuming, deliveries } = consumeOf(userId, () => undefined, { maxBusy: Number.POSITIVE_INFINITY });
    try {
      await vi.waitFor(() => expect(deliveries).toHaveLength(1), PATIENCE_MS);
    } finally {
      await consuming.stop();
    }
    expect(await lettersOf(userId)).toEqual([]);
  });
});

describe('v2 of a subject beside v1', () => {
  it('is handled when known, skipped when unknown, and does not replace the last message of v1', async () => {
    const claimMade2 = eventKind('claim', 'made', 896, { cents: z.number() }, 2);
    const userId = randomId();
    const [seen, seenInOrder]: [unknown[], unknown[]] = [[], []];
    const { v: _v, kind: _kind, ...head } = claim(userId, '2');
    await backend.nats.js.publish(subjectOf(claimMade2, userId), JSON.stringify({ ...head, v: 1, cents: 5 }));
    await backend.nats.publish(subjectOf(claimMade, userId), claim(userId), `claim:${userId}`);
    const both = backend.nats.consume({
      stream: 'CORD_REWARDS',
      durable: 'auth',
      handlers: [
        on(claimMade, async (event) => void (event.userId === userId && seen.push(event.amountMicro))),
        on(claimMade2, async (event) => void (event.userId === userId && seen.push(event.cents))),
      ],
    });
    const first = backend.nats.orderedConsume({
      stream: 'CORD_REWARDS',
      handlers: [on(claimMade, async (event) => void (event.userId === userId && seenInOrder.push(event.amountMicro)))],
    });
    await first.caughtUp;
    await vi.waitFor(() => expect(seen).toHaveLength(2), PATIENCE_MS);
    await Promise.all([both.stop(), first.stop()]);
    expect(new Set(seen)).toEqual(new Set([5, '5']));
    expect(seenInOrder).toEqual(['5']);
    expect((await listDeadLetters(backend.nats)).filter(({ subject }) => subject.endsWith(userId))).toEqual([]);
  });
});
