import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { WALLET_CONNECT_TIMEOUT_MS } from '@cord/contracts/rules/timings';
import { createStore, type Sdk } from '@cord/sdk';
import { WalletReadyState } from '@solana/wallet-adapter-base';
import { useWallet, type WalletContextState, WalletProvider } from '@solana/wallet-adapter-react';
import { type ReactNode, useEffect } from 'react';
import { WalletFailure } from '../failures';
import { WALLET_NAME_KEY } from '../front';
import type { Account, Chain, WalletOption } from './chain';
import { pay } from './pay';
import { mobileAdapters } from './phone/mobile-adapters';
import { chainOf } from './rpc';
import { connectFailure } from './wallet-errors';

/** Timeout for loading the adapters, ms. */
const OPEN_MS = 10_000;
/** Timeout for a remembered wallet to appear, ms. */
const RESUME_MS = 3_000;
/** Timeout for a wallet to disconnect, ms; then it is dropped without a response. */
const LEAVE_MS = 3_000;
const READY: ReadonlySet<WalletReadyState> = new Set([WalletReadyState.Installed, WalletReadyState.Loadable]);

/**
 * Starts the wallet adapters.
 * @param provide mounts their provider, which renders nothing, once for the whole page; null unmounts it
 * @throws WalletFailure 'unavailable' after the timeout
 */
export async function openChain(sdk: Sdk, provide: (adapters: ReactNode) => void): Promise<Chain> {
  const wallets = createStore<readonly WalletOption[] | null>(null);
  const account = createStore<Account | null>(null);
  const link = createStore<string | null>(null);
  const reflector = await reflectorOf(sdk);
  const mobile = mobileAdapters({ chain: () => chainOf(sdk.api), link, reflector });
  const provided = createStore<WalletContextState | null>(null);
  let failed: ((error: unknown) => void) | null = null;
  /** Number of started connections: one that ends after the next has started does not disconnect the next one's wallet. */
  let begun = 0;

  await new Promise<void>((ready, refuse) => {
    setTimeout(() => refuse(new WalletFailure({ kind: 'unavailable' }, '')), OPEN_MS);
    const take = (now: WalletContextState) => {
      provided.set(now);
      takeWallets(now);
      takeAccount(now);
      ready();
    };
    provide(
      <WalletProvider
        wallets={mobile}
        autoConnect
        localStorageKey={WALLET_NAME_KEY}
        onError={(error) => failed?.(error)}
      >
        <Listener take={take} />
      </WalletProvider>,
    );
  }).catch((error: unknown) => {
    provide(null);
    throw error;
  });

  function takeWallets(now: WalletContextState): void {
    const found = now.wallets
      .filter(({ readyState }) => READY.has(readyState))
      .map(({ adapter }) => ({ name: adapter.name as string, icon: adapter.icon }));
    const known = wallets.get();
    const same = known?.length === found.length && known.every(({ name }, index) => name === found[index]?.name);
    if (!same) wallets.set(found);
  }

  function takeAccount({ connected, publicKey, wallet }: WalletContextState): void {
    const now =
      connected && publicKey && wallet
        ? { wallet: wallet.adapter.name as string, address: publicKey.toBase58() }
        : null;
    const known = account.get();
    if (known?.wallet !== now?.wallet || known?.address !== now?.address) account.set(now);
  }

  /** Resolves to the account of the wallet once it is connected. */
  function accountOf(name: string, timeoutMs: number, begin: () => void): Promise<Account> {
    return new Promise<Account>((resolve, reject) => {
      const look = () => {
        const now = account.get();
        if (now?.wallet === name) end(() => resolve(now));
      };
      const stop = account.listen(look);
      const timer = setTimeout(() => end(() => reject(new WalletFailure({ kind: 'timeout' }, name))), timeoutMs);
      const end = (finish: () => void) => {
        stop();
        clearTimeout(timer);
        if (failed === fail) failed = null;
        finish();
      };
      const fail = (error: unknown) => end(() => reject(connectFailure(error, name)));
      failed = fail;
      begin();
      look();
    });
  }

  /** Disconnects. A wallet that does not respond, as after an update of its extension, is dropped all the same. */
  async function leave(): Promise<void> {
    const leaving = provided
      .get()
      ?.disconnect()
      .then(() => true);
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, LEAVE_MS, false));
    const answered = await Promise.race([leaving, late]).catch(() => false);
    if (!answered) provided.get()?.select(null);
  }

  /** Disconnects any other wallet first: the provider selects another one only after that. */
  async function leaveOther(name: string): Promise<void> {
    const { wallet } = provided.get() ?? {};
    if (!wallet || wallet.adapter.name === name) return;
    await leave();
    await new Promise<void>((resolve) => {
      const look = () => {
        if (provided.get()?.wallet) return;
        stop();
        resolve();
      };
      const stop = provided.listen(look);
      look();
    });
  }

  return {
    wallets,
    account,
    link,
    async connect(name) {
      begun += 1;
      const own = begun;
      await leaveOther(name);
      try {
        return await accountOf(name, WALLET_CONNECT_TIMEOUT_MS, () => {
          const context = provided.get();
          if (context?.wallet?.adapter.name === name) void context.connect().catch(() => undefined);
          else context?.select(name as Parameters<WalletContextState['select']>[0]);
        });
      } catch (error) {
        if (own === begun) provided.get()?.select(null);
        throw error;
      }
    },
    // The provider connects a remembered wallet silently when it is found.
    resume: (name) => accountOf(name, RESUME_MS, () => undefined).catch(() => null),
    disconnect: leave,
    async pay(order, payer, signed, requested) {
      const adapter = provided.get()?.wallet?.adapter;
      if (!adapter) throw new WalletFailure({ kind: 'disconnected' }, payer.wallet);
      return pay({ sdk, adapter, order, account: payer, signed, requested });
    },
  };
}

/** Reads the reflector's host; null on failure, because all other wallets work without it. */
async function reflectorOf({ api }: Sdk): Promise<string | null> {
  const settings = await api.call(rewardEndpoints.walletSettings).catch(() => null);
  return settings?.reflector ?? null;
}

function Listener({ take }: { take: (context: WalletContextState) => void }) {
  const context = useWallet();
  useEffect(() => take(context));
  return null;
}
