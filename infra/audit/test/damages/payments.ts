import { DAY_MS, type Damage } from './damage.js';

/** Damages of orders, badges, refunds and their notices. */
export const payments: Damage[] = [
  [
    'an order is confirmed and its buyer has no badge',
    (d, { late }) => d.own('rewards.orders', late, { $set: { status: 'confirmed', confirmedAtMs: 1 } }),
    /its buyer has no badge/,
  ],
  [
    'two orders are paid by one transaction',
    async (d, { buyer, late }) => {
      const { transactionHash } = await d.one('rewards', 'orders', { userId: buyer.userId });
      await d.own('rewards.orders', late, { $set: { status: 'confirmed', transactionHash } });
    },
    /its transaction also paid order/,
  ],
  [
    'an order was dearer than what was paid',
    (d, { buyer }) => d.own('rewards.orders', buyer, { $inc: { lamports: 1_000_000 } }),
    /the chain's verdict on its payment: amount-too-small/,
  ],
  [
    'an order names a transaction that is not on the chain',
    (d, { buyer }) => d.own('rewards.orders', buyer, { $set: { transactionHash: '1'.repeat(64) } }),
    /the chain has no transaction/,
  ],
  [
    'a used transaction is forgotten',
    async (d, { buyer }) => {
      const { _id } = await d.one('rewards', 'orders', { userId: buyer.userId });
      await d.remove('rewards', 'signatures', { orderId: _id });
    },
    /is not marked as used/,
  ],
  [
    'a badge is owned by an order that is not there',
    (d, { buyer }) => d.remove('rewards', 'orders', { userId: buyer.userId }),
    /badge of \S+: order \S+ of this user does not exist/,
  ],
  [
    'a payment goes back and is on no list',
    (d, { later }) => d.remove('rewards', 'refunds', { userId: later.userId }),
    /must be returned, but has no refund/,
  ],
  [
    'a refund is of more than arrived',
    (d, { later }) => d.own('rewards.refunds', later, { $inc: { lamports: 1_000_000 } }),
    /lamports are owed, \d+ arrived/,
  ],
  [
    'the payment of a refund arrived at another account than the treasury',
    async (d, { later }) => {
      const { payer } = await d.one('rewards', 'refunds', { userId: later.userId });
      await d.own('rewards.refunds', later, { $set: { treasury: payer } });
    },
    /lamports are owed, -\d+ arrived/,
  ],
  [
    'a refund names a payer who has paid nothing',
    (d, { later }) => d.own('rewards.refunds', later, { $set: { payer: '1'.repeat(32) } }),
    /neither signed nor sent/,
  ],
  [
    'a refund is proven by a transaction that brings nothing back',
    async (d, { later, buyer }) => {
      const { transactionHash } = await d.one('rewards', 'orders', { userId: buyer.userId });
      const proven = { status: 'returned', returnTransaction: transactionHash, returnedAtMs: 1, provenAtMs: 1 };
      await d.own('rewards.refunds', later, { $set: proven });
    },
    /does not bring \d+ lamports back/,
  ],
  [
    'a notice names an order that is not there',
    (d, { friend }) =>
      d.insert('notices', 'notices', {
        _id: 'a'.repeat(32),
        userId: friend.userId,
        kind: 'payment',
        subject: 'x',
        atMs: 1,
        facts: { orderId: 'b'.repeat(32) },
        readAtMs: null,
        expiresAt: new Date(Date.now() + 366 * DAY_MS),
      }),
    /it names order \S+, which does not exist/,
  ],
];
