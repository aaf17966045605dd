import { createStore } from '@cord/sdk';
import { at, createTestSdk, SAMPLE_NOW_MS, sampleUser, type TestSdk } from '@cord/sdk/testing';
import type { Account, Chain, WalletOption } from './chain/chain';
import { openDesk } from './desk/desk';
import { WalletFailure, type WalletProblem } from './failures';
import { type Front, frontOf } from './front';
import type { Order } from './orders';

const iso = (ms: number) => new Date(ms).toISOString();

export const ORDER: Order = {
  id: 'c'.repeat(32),
  reference: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  lamports: 20_000_000,
  treasury: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  walletAddress: null,
  usd: 3.12,
  usdAt: iso(SAMPLE_NOW_MS),
  estimate: false,
  createdAt: iso(SAMPLE_NOW_MS),
  expiresAt: iso(SAMPLE_NOW_MS + 15 * 60_000),
  status: 'pending',
  transactionHash: null,
  reason: null,
  why: null,
  refunds: [],
};

export const ADDRESS = '5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM';
export const OTHER_ADDRESS = 'HN7cABqLq46Es1jh92dQQisAq662SmxELLLsHHe4YWrH';
export const SIGNATURE = '5hTqnR1Zr2DUi8KxSYvMtX3Vd1hAqk6t5yQ3nEwQYBqBzGq3wKPvkb5XbNt9kzWcZC7LqYUuDg6o1hM8e4F9KdLx';
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzNiAzNiI+PHJlY3Qgd2lkdGg9IjM2IiBoZWlnaHQ9IjM2IiByeD0iOCIgZmlsbD0iIzRiM2Y4YSIvPjwvc3ZnPg==';
export const WALLETS: readonly WalletOption[] = ['Phantom', 'Solflare'].map((name) => ({ name, icon: ICON }));

/** A fake of wallets and network. */
export interface FakeChain extends Chain {
  /** All orders that were paid, with the paying account. */
  paid: { order: Order; account: Account }[];
  /** The result of connecting; by default the account. */
  onConnect: (name: string) => Promise<Account>;
  /** The result of paying; by default the signature. */
  onPay: (signed: (signature: string) => void, requested: () => void) => Promise<string>;
  /** The wallet switches to another account, or disconnects. */
  become(account: Account | null): void;
}

export function fakeChain(wallets: readonly WalletOption[] | null = WALLETS): FakeChain {
  const account = createStore<Account | null>(null);
  // Like the adapters: an unchanged account is not set again.
  const take = (now: Account) => {
    const known = account.get();
    if (known?.wallet !== now.wallet || known.address !== now.address) account.set(now);
  };
  const chain: FakeChain = {
    wallets: createStore(wallets),
    account,
    link: createStore<string | null>(null),
    paid: [],
    onConnect: async (wallet) => ({ wallet, address: ADDRESS }),
    async onPay(signed) {
      signed(SIGNATURE);
      return SIGNATURE;
    },
    become: account.set,
    async connect(name) {
      const connected = await chain.onConnect(name);
      take(connected);
      return connected;
    },
    async resume(wallet) {
      take({ wallet, address: ADDRESS });
      return account.get();
    },
    async disconnect() {
      account.set(null);
    },
    async pay(order, payer, signed, requested) {
      chain.paid.push({ order, account: payer });
      return chain.onPay(signed, requested);
    },
  };
  return chain;
}

export function fails(problem: WalletProblem, wallet = 'Phantom'): Promise<never> {
  return Promise.reject(new WalletFailure(problem, wallet));
}

export interface WalletSdk extends TestSdk {
  chain: FakeChain;
  front: Front;
  /** Loads the wallets; by default the chain. */
  loadChain: () => Promise<Chain>;
}

/** An sdk with a fake rewards service and fake wallets. */
export function walletSdk({ holder = false, chain = fakeChain() } = {}): WalletSdk {
  const sdk = createTestSdk({ user: sampleUser({ hasbadgeofhonor: holder }) });
  let orders: Order[] = [];
  sdk.api
    .on(at.rewards.solPrice, { usd: 156, at: iso(SAMPLE_NOW_MS - 120_000), estimate: false })
    .on(at.rewards.walletSettings, { orders: true, reflector: null, lamports: 20_000_000 })
    .on(at.rewards.cordClaimHistory, { claims: [] })
    .on(at.rewards.cordClaim, {
      success: true,
      amountClaimed: 10_000,
      newBalance: 58_213.57,
      pending: false,
      updatedUser: { id: sampleUser().id, balanceSeq: '101', current_balance: 58_213.57 },
    })
    .on(at.rewards.purchases, [])
    .on(at.rewards.orders, () => orders)
    .on(at.rewards.createOrder, ({ body }) => {
      orders = [{ ...ORDER, walletAddress: body?.walletAddress ?? null }];
      return orders[0] as Order;
    })
    .on(at.rewards.purchase, ({ body }) => {
      orders = [{ ...ORDER, status: 'sent', transactionHash: body?.transactionHash ?? null }];
      return orders[0] as Order;
    });
  const front = frontOf(sdk, (own, itsFront) => openDesk(own, itsFront, () => whole.loadChain()));
  const whole: WalletSdk = Object.assign(sdk, { chain, front, loadChain: async () => chain });
  return whole;
}
