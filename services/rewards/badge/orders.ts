import { randomBytes } from 'node:crypto';
import { BADGE_PRICE_LAMPORTS } from '@cord/contracts/rules/bonuses';
import type { Clock } from '@cord/kit/clock';
import { conflict, unavailable } from '@cord/kit/problem';
import { Keypair } from '@solana/web3.js';
import { nextLookAtMs } from '../domain/look-schedule.js';
import { isReusable, ORDER_MS, type Order } from '../domain/orders.js';
import type { SolPrice } from '../sol-price.js';
import type { RewardsStore } from '../store.js';
import type { OrderStore, StoredOrder } from './order-store.js';

export interface Orders {
  /**
   * Writes an order, or gives one again that is open or whose payment is on its way: nobody is led to pay twice.
   * @throws Problem 409 when the badge is owned, 503 without a wallet network
   */
  create(userId: string, walletAddress: string | null): Promise<StoredOrder>;
}

/** Orders come before payments: price, treasury and reference are fixed here and never taken from a client. */
export function createOrders(parts: {
  orders: OrderStore;
  store: RewardsStore;
  price: SolPrice;
  clock: Clock;
  /** Address that is paid; null without a wallet network. */
  treasury: string | null;
}): Orders {
  const { orders, store, price, clock, treasury } = parts;
  return {
    async create(userId, walletAddress) {
      if ((await store.holders.get(userId))?.badge) throw conflict('badge-owned', 'You own the Badge of Honor already');
      if (!treasury)
        throw unavailable('wallet-network-away', 'The wallet network is not available. Nothing was charged.', 60);
      const known = (await orders.ofUser(userId)).find((each) => isReusable(each, walletAddress, clock.now()));
      if (known) return known;
      const quote = await price.quote();
      const nowMs = clock.now();
      const terms: Order = {
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
        ...NOTHING_PAID,
      };
      const order = {
        ...terms,
        _id: randomBytes(16).toString('hex'),
        seq: 1n,
        lookAtMs: nextLookAtMs(terms, nowMs),
      };
      await orders.insert(order);
      return order;
    },
  };
}

const NOTHING_PAID = {
  status: 'pending',
  transactionHash: null,
  sentAtMs: null,
  payer: null,
  confirmedAtMs: null,
  reason: null,
  judged: [] as string[],
  looks: 0,
  lookedAtMs: null,
  lookAtMs: null,
} as const;
