import { beforeEach, describe, expect, it } from 'vitest';
import { OUTBOX_ITEMS_MAX } from './bounds.js';
import { listDeadLetters } from './nats/dead-letters.js';
import { addToOutbox, type OutboxEvent } from './outbox/items.js';
import { type Account, item, startOutboxFixture } from './test/outbox-fixture.js';
import { randomId } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const at = forAllTests(() => startOutboxFixture());
beforeEach(() => at.reset());

describe('the relay', () => {
  it('publishes the items of the outbox in order, and leaves the document clean', async () => {
    const userId = randomId();
    await at.insert(userId, [item(userId, 1), item(userId, 2), item(userId, 3)]);
    await at.outboxOver(at.backend.nats).relayNow(userId);
    expect(await at.amountsPublished(userId)).toEqual(['1', '2', '3']);
    expect(await at.accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 1n, outbox: [] });
  });

  it('runs beforePublish of its owner before each publish', async () => {
    const userId = randomId();
    const entries: string[] = [];
    const nats = at.natsAfter((_subject, msgId) => {
      expect(entries.at(-1)).toBe(msgId.slice(0, msgId.lastIndexOf(':')));
    });
    await at.insert(userId, [item(userId, 1), item(userId, 2)]);
    const beforePublish = async (document: Account, { key }: OutboxEvent) => {
      expect(document._id).toBe(userId);
      entries.push(key);
    };
    await at.outboxOver(nats, { beforePublish }).relayNow(userId);
    expect(entries).toEqual([`claim:${userId}:1`, `claim:${userId}:2`]);
  });

  it('publishes a slot once more when it was overwritten during the publish', async () => {
    const userId = randomId();
    await at.insert(userId, [item(userId, 1, 5n)]);
    let overwritten = false;
    const nats = at.natsAfter(async () => {
      if (!overwritten) {
        overwritten = true;
        await at.accounts().updateOne({ _id: userId }, { $set: { outbox: [item(userId, 1, 6n)], seq: 2n } });
      }
    });
    await at.outboxOver(nats).relayNow(userId);
    expect(await at.amountsPublished(userId)).toHaveLength(2);
    expect(await at.accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 2n, outbox: [] });
  });

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['whose document goes', (userId) => at.accounts().deleteOne({ _id: userId })],
    [
      'who leaves a tombstone',
      (userId) => at.accounts().updateOne({ _id: userId }, { $set: { erased: true, seq: 2n, outbox: [] } as object }),
    ],
  ])('withdraws the events of a user %s during the publish', async (_how, erase) => {
    const userId = randomId();
    await at.insert(userId, [item(userId, 1), item(userId, 2)]);
    const nats = at.natsAfter(async () => {
      await erase(userId);
    });
    await at.outboxOver(nats).relayNow(userId);
    expect(await at.amountsPublished(userId)).toEqual([]);
  });

  it('withdraws them even when it gets no further than its first event', async () => {
    const userId = randomId();
    await at.insert(userId, [item(userId, 1), item(userId, 2)]);
    let published = 0;
    const nats = at.natsAfter(async () => {
      published += 1;
      if (published > 1) throw new Error('no acknowledgement');
      await at.accounts().deleteOne({ _id: userId });
    });
    await at.outboxOver(nats).relayNow(userId);
    expect(published).toBe(2);
    expect(await at.amountsPublished(userId)).toEqual([]);
  });

  it('keeps the document dirty until items added meanwhile are published too', async () => {
    const userId = randomId();
    await at.insert(userId, [item(userId, 1)]);
    let added = 0;
    const nats = at.natsAfter(async () => {
      if (added++ < 10) {
        const more = item(userId, added + 1);
        await at
          .accounts()
          .updateOne({ _id: userId }, { $push: { outbox: more as never }, $set: { dirtyAt: at.clock.now() } });
      }
    });
    const relay = at.outboxOver(nats);
    await relay.relayNow(userId);
    const left = await at.accounts().findOne({ _id: userId });
    expect(left?.dirtyAt).toBe(at.clock.now());
    for (let n = 0; n < 5; n++) {
      await at.clock.advance(6_000);
      await relay.sweepOnce();
    }
    expect(await at.accounts().findOne({ _id: userId })).not.toHaveProperty('dirtyAt');
    expect(await at.amountsPublished(userId)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
  });
});

describe('an event that no stream will ever accept', () => {
  it.each([
    ['whose payload does not fit', (one: OutboxEvent) => ({ ...one, payload: { ...one.payload, amountMicro: 1.5 } })],
    [
      'that contracts do not have',
      (one: OutboxEvent) => ({ ...one, subject: `cord.nothing.v1.here.${one.payload.userId}` }),
    ],
    [
      'that is too large',
      (one: OutboxEvent) => ({
        ...one,
        payload: { ...one.payload, amountMicro: '1', id: one.key, kind: 'x'.repeat(2 ** 21) },
      }),
    ],
  ])('%s becomes a dead letter with its reason, and does not block the rest of its document', async (_, spoiled) => {
    const userId = randomId();
    await at.insert(userId, [item(userId, 1), spoiled(item(userId, 2)), item(userId, 3)]);
    await at.outboxOver(at.backend.nats).relayNow(userId);
    expect(await at.amountsPublished(userId)).toEqual(['1', '3']);
    expect(await at.accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 1n, outbox: [] });
    const letters = (await listDeadLetters(at.backend.nats)).filter(({ subject }) => subject.endsWith(userId));
    expect(letters).toMatchObject([
      { durable: 'test', streamSeq: 0, reason: expect.stringContaining('cannot be published') },
    ]);
  });

  it('stays while its dead letter cannot be written', async () => {
    const userId = randomId();
    await at.insert(userId, [{ ...item(userId, 1), payload: { v: 1 } }]);
    const js = { ...at.backend.nats.js, publish: () => Promise.reject(new Error('no acknowledgement')) };
    await at.outboxOver({ ...at.backend.nats, js: js as never }).relayNow(userId);
    expect((await at.accounts().findOne({ _id: userId }))?.outbox).toHaveLength(1);
  });
});

describe('a dirty mark without an item', () => {
  it.each([{ outbox: [] }, {}])('is removed by the sweep that finds it, with %o', async (rest) => {
    const userId = randomId();
    await at.accounts().insertOne({ _id: userId, seq: 1n, dirtyAt: at.clock.now(), ...rest });
    const relay = at.outboxOver(at.backend.nats);
    await at.clock.advance(6_000);
    expect(await relay.sweepOnce()).toBe(1);
    expect(await at.accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 1n, ...rest });
    expect(await relay.sweepOnce()).toBe(0);
  });
});

describe('an outbox', () => {
  it('holds 64 items and refuses the next with 503, but overwrites a slot with the same key', () => {
    const userId = randomId();
    let outbox: OutboxEvent[] = [];
    for (let n = 0; n < OUTBOX_ITEMS_MAX; n++) outbox = addToOutbox(outbox, item(userId, n));
    expect(() => addToOutbox(outbox, item(userId, 64))).toThrow(
      expect.objectContaining({ status: 503, type: 'outbox-full' }),
    );
    const overwritten = addToOutbox(outbox, { ...item(userId, 0), seq: 99n });
    expect(overwritten).toHaveLength(OUTBOX_ITEMS_MAX);
    expect(overwritten.at(-1)?.seq).toBe(99n);
  });
});
