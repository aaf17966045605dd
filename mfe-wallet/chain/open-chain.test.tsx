import { createStore, useStore, type WritableStore } from '@cord/sdk';
import { at, createTestSdk } from '@cord/sdk/testing';
import { act, inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { Keypair } from '@solana/web3.js';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { WalletFailure } from '../failures';
import { WALLET_NAME_KEY } from '../front';
import { ORDER } from '../wallet.fixtures';
import type { Chain } from './chain';
import { openChain } from './open-chain';

interface StandardAccount {
  address: string;
  publicKey: Uint8Array;
  chains: string[];
  features: string[];
}

/** A wallet as extensions announce theirs: Wallet Standard, in this page. */
class StandardWallet {
  readonly version = '1.0.0';
  readonly icon = 'data:image/svg+xml;base64,PHN2Zy8+';
  readonly chains = ['solana:localnet'];
  accounts: StandardAccount[] = [];
  onConnect: (silent: boolean) => Promise<void> = async () => this.show(this.account);
  onDisconnect: () => Promise<void> = async () => this.show(null);
  signing = vi.fn();
  #listeners = new Set<(properties: object) => void>();

  constructor(
    readonly name: string,
    readonly account = accountOf(),
  ) {
    const register = (api: { register(wallet: unknown): void }) => api.register(this);
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
    window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail));
  }

  show(account: StandardAccount | null): void {
    this.accounts = account ? [account] : [];
    for (const listener of this.#listeners) listener({ accounts: this.accounts });
  }

  get features() {
    return {
      'standard:connect': {
        version: '1.0.0',
        connect: async ({ silent = false } = {}) => {
          await this.onConnect(silent);
          return { accounts: this.accounts };
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: () => this.onDisconnect() },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (properties: object) => void) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: this.signing,
      },
    };
  }
}

function accountOf(): StandardAccount {
  const { publicKey } = Keypair.generate();
  return {
    address: publicKey.toBase58(),
    publicKey: publicKey.toBytes(),
    chains: ['solana:localnet'],
    features: ['solana:signTransaction'],
  };
}

let count = 0;
/** Registered wallets stay for the life of the page: each test has its own. */
function nextName(): string {
  count += 1;
  return `Wallet ${count}`;
}

inFakeTime();

function Provided({ place }: { place: WritableStore<ReactNode> }) {
  return useStore(place);
}

async function open(reflector: string | null = null): Promise<Chain> {
  const sdk = createTestSdk();
  sdk.api.on(at.rewards.walletSettings, { orders: true, reflector, lamports: 20_000_000 });
  const place = createStore<ReactNode>(null);
  renderWithSdk(<Provided place={place} />, sdk);
  const opening = openChain(sdk, place.set);
  await settle();
  return opening;
}

async function failureOf(connecting: Promise<unknown>, ms = 50): Promise<string | null> {
  const outcome = connecting.then(
    () => null,
    (error: unknown) => (error instanceof WalletFailure ? error.problem.kind : String(error)),
  );
  await settle(ms);
  return outcome;
}

test('finds a wallet that is already registered, and one that registers later', async () => {
  const early = new StandardWallet(nextName());
  const chain = await open();
  expect(chain.wallets.get()?.map(({ name }) => name)).toContain(early.name);
  const late = new StandardWallet(nextName());
  await settle();
  expect(chain.wallets.get()?.map(({ name }) => name)).toContain(late.name);
});

test('offers a wallet on another phone if a reflector is configured', async () => {
  const chain = await open('reflect.example');
  expect(chain.wallets.get()?.map(({ name }) => name)).toContain('Remote Mobile Wallet Adapter');
});

test('connects, follows a changed account, and is disconnected by the wallet or by the page', async () => {
  const wallet = new StandardWallet(nextName());
  const chain = await open();
  const connecting = chain.connect(wallet.name);
  await settle();
  expect(await connecting).toEqual({ wallet: wallet.name, address: wallet.account.address });
  const other = accountOf();
  await act(async () => wallet.show(other));
  await settle();
  expect(chain.account.get()?.address).toBe(other.address);
  await act(async () => wallet.show(null));
  await settle();
  expect(chain.account.get()).toBeNull();
  const again = chain.connect(wallet.name);
  await settle();
  await again;
  await act(async () => chain.disconnect());
  await settle();
  expect(chain.account.get()).toBeNull();
});

test('connecting the connected wallet again returns its account, without a change of the store', async () => {
  const wallet = new StandardWallet(nextName());
  const chain = await open();
  const connecting = chain.connect(wallet.name);
  await settle();
  const account = await connecting;
  const changed = vi.fn();
  chain.account.listen(changed);
  const again = chain.connect(wallet.name);
  await settle();
  expect(await again).toEqual(account);
  expect(changed).not.toHaveBeenCalled();
});

test('a connection declined by its user is refused, and can be requested again', async () => {
  const wallet = new StandardWallet(nextName());
  const chain = await open();
  wallet.onConnect = () => Promise.reject(new Error('User rejected the request.'));
  expect(await failureOf(chain.connect(wallet.name))).toBe('refused');
  wallet.onConnect = async () => wallet.show(wallet.account);
  const again = chain.connect(wallet.name);
  await settle();
  expect((await again).address).toBe(wallet.account.address);
});

test('a wallet that does not respond times out after 30 s, not sooner', async () => {
  const wallet = new StandardWallet(nextName());
  wallet.onConnect = () => new Promise(() => undefined);
  const chain = await open();
  const failing = chain.connect(wallet.name);
  const failed = vi.fn();
  failing.catch(failed);
  await settle(29_900);
  expect(failed).not.toHaveBeenCalled();
  expect(await failureOf(failing, 200)).toBe('timeout');
});

test('changing the wallet disconnects the previous one', async () => {
  const [first, second] = [new StandardWallet(nextName()), new StandardWallet(nextName())];
  const chain = await open();
  for (const wallet of [first, second]) {
    const connecting = chain.connect(wallet.name);
    await settle();
    await connecting;
  }
  expect(chain.account.get()).toEqual({ wallet: second.name, address: second.account.address });
  expect(first.accounts).toEqual([]);
});

test('a wallet that never responds is left after 4 s, for another one or for none', async () => {
  const [mute, other] = [new StandardWallet(nextName()), new StandardWallet(nextName())];
  mute.onDisconnect = () => new Promise(() => undefined);
  const chain = await open();
  const connect = async ({ name }: StandardWallet) => {
    const connecting = chain.connect(name);
    await settle(4_000);
    return Promise.race([connecting, 'waiting']);
  };
  await connect(mute);
  expect(await connect(other)).toEqual({ wallet: other.name, address: other.account.address });
  other.onDisconnect = mute.onDisconnect;
  const left = vi.fn();
  void chain.disconnect().then(left);
  await settle(4_000);
  expect(left).toHaveBeenCalledOnce();
  expect(chain.account.get()).toBeNull();
});

test('a remembered wallet is connected silently, but not if it needs its user', async () => {
  const wallet = new StandardWallet(nextName());
  const silently: boolean[] = [];
  wallet.onConnect = async (silent) => {
    silently.push(silent);
    wallet.show(wallet.account);
  };
  localStorage.setItem(WALLET_NAME_KEY, JSON.stringify(wallet.name));
  const chain = await open();
  const resuming = chain.resume(wallet.name);
  await settle();
  expect((await resuming)?.address).toBe(wallet.account.address);
  expect(silently).toEqual([true]);

  const shy = new StandardWallet(nextName());
  shy.onConnect = async () => undefined;
  localStorage.setItem(WALLET_NAME_KEY, JSON.stringify(shy.name));
  const other = await open();
  const nothing = other.resume(shy.name);
  await settle(3_100);
  expect(await nothing).toBeNull();
});

test('a payment without a connected wallet fails as disconnected', async () => {
  const chain = await open();
  const nothing = () => undefined;
  const paying = chain.pay(ORDER, { wallet: 'Phantom', address: accountOf().address }, nothing, nothing);
  expect(await failureOf(paying)).toBe('disconnected');
});

test('adapters that are not ready after 10 s are unavailable', async () => {
  const opening = openChain(createTestSdk(), () => undefined).then(
    () => null,
    (error: unknown) => error,
  );
  await settle(9_900);
  expect(await Promise.race([opening, 'waiting'])).toBe('waiting');
  await settle(200);
  expect(await opening).toMatchObject({ problem: { kind: 'unavailable' } });
});

test('a connection that times out does not affect a wallet connected since', async () => {
  const [slow, quick] = [new StandardWallet(nextName()), new StandardWallet(nextName())];
  slow.onConnect = () => new Promise(() => undefined);
  const chain = await open();
  const first = chain.connect(slow.name).catch((error: WalletFailure) => error.problem.kind);
  await settle(1_000);
  const second = chain.connect(quick.name);
  await settle(1_000);
  expect(await second).toEqual({ wallet: quick.name, address: quick.account.address });
  await settle(31_000);
  expect(await first).toBe('timeout');
  expect(chain.account.get()?.wallet).toBe(quick.name);
});
