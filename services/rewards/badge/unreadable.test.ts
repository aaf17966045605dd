import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test } from 'vitest';
import { Unreadable } from '../chain/wallet-network.js';
import { orderAt } from '../domain/orders.js';
import { IN_DOUBT, NOT_PAID, NOT_PAID_YET } from '../domain/reasons.js';
import { openDesks, purchaseAt, reconcile } from '../test/desks.js';
import { WALK_BOUNDS } from './reference-walk.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const HOUR_MS = 3_600_000;

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

const purchase = (bounds = WALK_BOUNDS) => purchaseAt(desks, NOON, bounds);

describe('the reconciler and unreadable payments', () => {
  test('an order whose list is unreadable blocks no other order', async () => {
    const { clock, network, rewards, order, status } = await purchase();
    const unreadable = await rewards.creating.create(randomId(), null);
    const { signaturesOf } = network;
    network.signaturesOf = async (reference, page) => {
      if (reference === unreadable.reference) throw new Unreadable('nonsense');
      return signaturesOf(reference, page);
    };
    network.land(order, 'beside-nonsense');
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
    expect((await rewards.orders.get(unreadable._id)).lookAtMs).toBeGreaterThan(clock.now() - 60_000);
  });

  test('an unreadable transaction of an order does not block its payment', async () => {
    const { clock, network, rewards, order, status } = await purchase({ page: 2, pages: 1, judged: 2 });
    const { sighting } = network;
    network.sighting = async (signature) => {
      if (signature === 'of-a-later-version') throw new Unreadable('version 9');
      return sighting(signature);
    };
    network.land(order, 'of-a-later-version');
    network.land(order, 'after-it');
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
    expect((await rewards.orders.get(order._id)).walk?.undecided).toEqual(['of-a-later-version']);
  });

  test.each([
    ['another node does not have', () => ({ kind: 'unseen' as const })],
    [
      'cannot be read',
      () => {
        throw new Unreadable('version 9');
      },
    ],
  ])('a buyer never sees “nothing was charged” while the network lists a payment that %s', async (_, answer) => {
    const { clock, network, rewards, order, status } = await purchase();
    const reason = async () => orderAt(await rewards.orders.get(order._id), clock.now()).reason;
    const { sighting } = network;
    network.sighting = async () => answer();
    network.land(order, 'listed');
    await reconcile(rewards, clock);
    expect(await reason()).toBe(NOT_PAID_YET);
    network.sighting = sighting;
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
  });

  test('a buyer sees “nothing was charged” once the list is empty; the watch of an unreadable payment ends', async () => {
    const { clock, network, rewards, order } = await purchase();
    const unreadable = await rewards.creating.create(randomId(), null);
    const reasonOf = async (id: string) => orderAt(await rewards.orders.get(id), clock.now()).reason;
    const { sighting } = network;
    network.sighting = async (signature) => {
      if (signature === 'never-read') throw new Unreadable('version 9');
      return sighting(signature);
    };
    network.land(unreadable, 'never-read');
    await reconcile(rewards, clock);
    expect([await reasonOf(order._id), await reasonOf(unreadable._id)]).toEqual([NOT_PAID, NOT_PAID_YET]);
    await clock.advance(8 * 24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    expect((await rewards.orders.get(unreadable._id)).lookAtMs).toBeNull();
  });

  test('a submitted payment that stays unreadable is given up as in doubt, and accepted once it is readable', async () => {
    const { clock, network, rewards, userId, order, status } = await purchase();
    const { sighting } = network;
    network.sighting = async () => {
      throw new Unreadable('version 9');
    };
    expect(await rewards.payments.submit(order, 'unread')).toBe('verifying');
    await clock.advance(60_000);
    await rewards.reconciler.sweepOnce();
    expect(await status()).toBe('sent');
    await clock.advance(120_000);
    await rewards.reconciler.sweepOnce();
    expect(await rewards.orders.get(order._id)).toMatchObject({
      ...{ status: 'pending', transactionHash: null, reason: IN_DOUBT },
      walk: { undecided: ['unread'] },
    });
    expect((await rewards.creating.create(userId, 'So11111111111111111111111111111111111111112'))._id).not.toBe(
      order._id,
    );
    await reconcile(rewards, clock);
    expect(orderAt(await rewards.orders.get(order._id), clock.now()).reason).toBe(NOT_PAID_YET);
    network.sighting = sighting;
    network.land(order, 'unread');
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
  });

  test('a buyer sees “nothing was charged” once an unreadable payment is found nowhere', async () => {
    const { clock, network, rewards, order } = await purchase();
    const { sighting } = network;
    network.sighting = async () => {
      throw new Unreadable('node is behind');
    };
    await rewards.payments.submit(order, 'never-sent');
    await clock.advance(180_000);
    await rewards.reconciler.sweepOnce();
    network.sighting = sighting;
    await reconcile(rewards, clock);
    expect(orderAt(await rewards.orders.get(order._id), clock.now()).reason).toBe(NOT_PAID);
  });

  test('a payment that a fork dropped counts as not charged, and is accepted if it comes back', async () => {
    const { clock, network, rewards, order, status } = await purchase();
    const { sighting, signaturesOf } = network;
    network.land(order, 'forked', {}, false);
    await clock.advance(20_000);
    await rewards.reconciler.sweepOnce();
    expect(await status()).toBe('sent');
    network.sighting = async () => ({ kind: 'unseen' });
    network.signaturesOf = async () => [];
    await reconcile(rewards, clock);
    expect(orderAt(await rewards.orders.get(order._id), clock.now()).reason).toBe(NOT_PAID);
    Object.assign(network, { sighting, signaturesOf });
    network.finalise();
    await clock.advance(24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    expect(await status()).toBe('confirmed');
  });

  test('a rejected payment that is submitted again while the network is away does not block the order', async () => {
    const { clock, network, rewards, userId, order } = await purchase();
    network.land(order, 'failed', { succeeded: false });
    expect(await rewards.payments.submit(order, 'failed')).toBe('transaction-failed');
    network.away = true;
    expect(await rewards.payments.submit(order, 'failed')).toBe('verifying');
    network.away = false;
    await reconcile(rewards, clock);
    expect(await rewards.orders.get(order._id)).toMatchObject({ status: 'pending', judged: ['failed'] });
    expect((await rewards.creating.create(userId, null))._id).not.toBe(order._id);
  });

  test('the doubt is removed once an unreadable payment turns out to have failed', async () => {
    const { clock, network, rewards, order } = await purchase();
    const { sighting } = network;
    network.sighting = async () => {
      throw new Unreadable('version 9');
    };
    await rewards.payments.submit(order, 'unread');
    await clock.advance(180_000);
    await rewards.reconciler.sweepOnce();
    expect(await rewards.orders.get(order._id)).toMatchObject({ status: 'pending', reason: IN_DOUBT });
    network.sighting = sighting;
    network.land(order, 'unread', { succeeded: false });
    await clock.advance(20_000);
    await rewards.reconciler.sweepOnce();
    expect(await rewards.orders.get(order._id)).toMatchObject({ status: 'pending', reason: null, judged: ['unread'] });
  });

  test.each([
    ['a payment that is never final', 'seen'],
    ['a payment that is never readable', 'unreadable'],
    ['a list that is never readable', 'unlisted'],
  ])('the watch of %s ends, and nothing of it is left after an erasure', async (_, what) => {
    const { clock, network, rewards, userId, order } = await purchase();
    const gone = await purchase();
    for (const each of [order, gone.order]) {
      if (what === 'seen') network.land(each, `never-${each._id}`, {}, false);
      else if (what === 'unlisted')
        network.signaturesOf = async () => {
          throw new Unreadable('nonsense');
        };
      else
        network.sighting = async () => {
          throw new Unreadable('version 9');
        };
      await rewards.payments.submit(each, `never-${each._id}`);
    }
    await rewards.erase(gone.userId);
    await reconcile(rewards, clock);
    await clock.advance(8 * 24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    const ended = await rewards.orders.get(order._id);
    expect([ended.status, ended.lookAtMs]).toEqual(['pending', null]);
    expect(orderAt(ended, clock.now()).reason).not.toBe(NOT_PAID);
    await expect(rewards.orders.get(gone.order._id)).rejects.toMatchObject({ status: 404 });
    expect((await rewards.creating.create(userId, null))._id).not.toBe(order._id);
  });
});
