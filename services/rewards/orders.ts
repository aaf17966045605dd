import { randomBytes } from 'node:crypto';
import { BADGE_PRICE_LAMPORTS } from '@cord/contracts/rules/bonuses';
import type { Clock } from '@cord/kit/clock';
import { conflict, notFound, unavailable } from '@cord/kit/problem';
import { Keypair } from '@solana/web3.js';
import type { Connection } from 'mongoose';
import { isReusable, ORDER_MS, type Order, orderAt } from './domain/orders.js';
import type { SolPrice } from './sol-price.js';
import type { RewardsStore } from './store.js';

const ORDERS = 'orders';
/** Orders shown at the most. */
const SHOWN_MAX = 50;

export type StoredOrder = Order & { _id: string };

export interface Orders {
  /**
   * Writes an order, or gives the open one again.
   * @throws Problem 409 when the badge is owned, 503 without a wallet network
   */
  create(userId: string, walletAddress: string | null): Promise<StoredOrder>;
  /** @throws Problem 404 for another's or none */
  get(userId: string, id: string): Promise<StoredOrder>;
  /** Newest first. */
  list(userId: string): Promise<StoredOrder[]>;
}

/** Orders come before payments: price, treasury and reference are fixed here and never taken from a client. */
export async function createOrders(parts: {
  connection: Connection;
  store: RewardsStore;
  price: SolPrice;
  clock: Clock;
  /** Address that is paid; undefined without a wallet network. */
  treasury: string | undefined;
}): Promise<Orders> {
  const { connection, store, price, clock, treasury } = parts;
  const orders = connection.collection<StoredOrder>(ORDERS);
  await orders.createIndex({ userId: 1, createdAtMs: -1 });
  await orders.createIndex({ reference: 1 }, { unique: true });
  const now = (order: StoredOrder): StoredOrder => ({ ...orderAt(order, clock.now()), _id: order._id });
  const list = async (userId: string): Promise<StoredOrder[]> =>
    (await orders.find({ userId }).sort({ createdAtMs: -1 }).limit(SHOWN_MAX).toArray()).map(now);

  return {
    list,
    async get(userId, id) {
      const order = await orders.findOne({ _id: id, userId });
      if (!order) throw notFound('order-not-found', 'No such order');
      return now(order);
    },
    async create(userId, walletAddress) {
      if ((await store.holders.get(userId))?.badge) throw conflict('badge-owned', 'You own the Badge of Honor already');
      if (!treasury)
        throw unavailable('wallet-network-away', 'The wallet network is not available. Nothing was charged.', 60);
      const open = (await list(userId)).find((each) => isReusable(each, walletAddress, clock.now()));
      if (open) return open;
      const quote = await price.quote();
      const nowMs = clock.now();
      const order: StoredOrder = {
        _id: randomBytes(16).toString('hex'),
        userId,
        reference: Keypair.generate().publicKey.toBase58(),
        lamports: Number(BADGE_PRICE_LAMPORTS),
        treasury,
        walletAddress,
        usd: Math.round((quote.usd * Number(BADGE_PRICE_LAMPORTS)) / 1e7) / 100,
        usdAtMs: quote.atMs,
        estimate: quote.estimate,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + ORDER_MS,
        status: 'pending',
        transactionHash: null,
        reason: null,
      };
      await orders.insertOne(order);
      return order;
    },
  };
}
