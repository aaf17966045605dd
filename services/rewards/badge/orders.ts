import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@cord/contracts/rules/days';
import type { Clock } from '@cord/kit/clock';
import { badInput, conflict, refused, tooMany, unavailable } from '@cord/kit/problem';
import { Keypair, PublicKey } from '@solana/web3.js';
import { nextLookAtMs } from '../domain/look-schedule.js';
import { isReusable, ORDER_MS, type Order } from '../domain/orders.js';
import type { SolPrice } from '../sol-price.js';
import type { HolderDocument, RewardsStore } from '../store.js';
import type { OrderStore, StoredOrder } from './order-store.js';

/** Maximum number of a user's orders within the time to pay one, over all wallets: each is looked up on the chain. */
const OPEN_MAX = 10;
/** Maximum number of a user's orders in 24 hours: each is looked up on the chain for a week. */
const A_DAY_MAX = 20;

export type Orders = ReturnType<typeof createOrders>;

/** Creates orders before payments: price, treasury and reference are fixed here and never taken from a client. */
export function createOrders(parts: {
  orders: OrderStore;
  store: RewardsStore;
  price: SolPrice;
  clock: Clock;
  /** Address that receives payments; null without a wallet network. */
  treasury: string | null;
  /** Price of the badge, lamports; stored in each order. */
  lamports: number;
}) {
  const { orders, store, price, clock, treasury, lamports } = parts;
  return {
    /**
     * Creates an order, or returns one that is open or whose payment is on its way, so that no buyer pays twice.
     * @throws Problem 400 for an invalid wallet, 409 when the badge is owned, 422 with too many open orders or for a
     *   deleted account, 429 with too many orders in 24 hours, 503 without a wallet network
     */
    async create(userId: string, walletAddress: string | null): Promise<StoredOrder> {
      if (walletAddress !== null && !isKey(walletAddress)) throw badInput('walletAddress', 'must be a Solana address');
      const holder = await store.holders.get(userId);
      if (holder?.erased) throw accountErased();
      if (holder?.badge) throw conflict('badge-owned', 'You already own the Badge of Honor');
      if (!treasury)
        throw unavailable('wallet-network-away', 'The wallet network is not available. Nothing was charged.', 60);
      const known = (await orders.ofUser(userId)).find((each) => isReusable(each, walletAddress, clock.now()));
      if (known) return known;
      const quote = await price.quote();
      const nowMs = clock.now();
      await store.holders.update(userId, (now) => withOrder(now, nowMs));
      const terms: Order = {
        userId,
        reference: Keypair.generate().publicKey.toBase58(),
        lamports,
        treasury,
        walletAddress,
        usd: Math.round((quote.usd * lamports) / 1e7) / 100,
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
      // The account may have been deleted since it was read: its erasure does not see an order written afterwards.
      if ((await store.holders.get(userId))?.erased) {
        await orders.remove(order._id);
        throw accountErased();
      }
      return order;
    },
  };
}

/** Counts one more order in the holder's document, so that concurrent calls cannot exceed the limits. @throws Problem */
function withOrder(holder: HolderDocument, nowMs: number): HolderDocument {
  if (holder.erased) throw accountErased();
  const ofDay = (holder.ordersAtMs ?? []).filter((atMs) => atMs > nowMs - DAY_MS);
  if (ofDay.filter((atMs) => atMs > nowMs - ORDER_MS).length >= OPEN_MAX) {
    throw refused('too-many-orders', 'You have too many open orders. Please pay one, or wait until they expire.');
  }
  const [first = nowMs] = ofDay;
  if (ofDay.length >= A_DAY_MAX) throw tooManyOfDay(first + DAY_MS - nowMs);
  return { ...holder, ordersAtMs: [...ofDay, nowMs] };
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

const tooManyOfDay = (waitMs: number) =>
  tooMany(
    waitMs / 1_000,
    'too-many-orders-today',
    'You have made too many orders in the last 24 hours. Please pay one of them, or try again tomorrow.',
  );

const accountErased = () => refused('account-erased', 'This account was deleted');

function isKey(text: string): boolean {
  try {
    return new PublicKey(text).toBytes().length === 32;
  } catch {
    return false;
  }
}
