import { createStore, LONG_TOAST_MS, type Sdk, type Store, type WritableStore } from '@cord/sdk';
import { shortenAddress } from '@cord/ui';
import type { Account, Chain } from '../chain/chain';
import { WalletFailure } from '../failures';
import { type Front, forgetWallet } from '../front';
import { TEXTS } from '../texts';
import type { Shown } from './desk';

/** The user's choice: a wallet of this browser by its name, or one that scans a code. */
export type WalletChoice = { by: 'wallet'; name: string } | { by: 'scan' };

/** The payer: a connected account, or a wallet that scans the code. */
export type Payer = { by: 'wallet'; account: Account } | { by: 'scan' };

export interface WalletDesk {
  chain: Store<Chain | null>;
  connect(): Promise<void>;
  change(): Promise<void>;
  disconnect(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves to the connected account, or the one that the user connects now. @throws WalletFailure */
  payer(): Promise<Payer>;
  /** The user's choice in the dialog. */
  choose(choice: WalletChoice): void;
  /** The user closed the dialog. */
  closed(): void;
}

interface Parts {
  sdk: Sdk;
  front: Front;
  shown: WritableStore<Shown>;
  loadChain: () => Promise<Chain>;
}

/** Manages the connected wallet and the dialog that selects one. */
export function createWalletDesk({ sdk, front, shown, loadChain }: Parts): WalletDesk {
  const chain = createStore<Chain | null>(null);
  let loading: Promise<Chain> | null = null;
  let resuming: Promise<void> | null = null;
  let picked: ((choice: WalletChoice) => void) | null = null;
  let closeChoice: () => void = () => undefined;
  /** Number of started connections: only the last one may leave the page without a wallet. */
  let begun = 0;

  function load(): Promise<Chain> {
    loading ??= loadChain().then(
      (loaded) => {
        chain.set(loaded);
        follow(loaded);
        return loaded;
      },
      (cause: unknown) => {
        loading = null;
        throw new WalletFailure({ kind: 'unavailable' }, '', cause);
      },
    );
    return loading;
  }

  /** Follows the wallet, which may change its account or disconnect by itself. */
  function follow({ account }: Chain): void {
    let before = account.get();
    showAccount(before);
    account.listen(() => {
      const now = account.get();
      if (before && now && before.address !== now.address) showChanged(now);
      if (before && !now && front.wallet.get().phase === 'connected') showLost(before);
      before = now;
      showAccount(now);
    });
  }

  function showAccount(account: Account | null): void {
    if (account) front.wallet.set({ phase: 'connected', name: account.wallet, address: account.address });
    else if (front.wallet.get().phase === 'connected') forgetWallet(front);
  }

  function showChanged({ wallet, address }: Account): void {
    const t = TEXTS.get();
    const text = t.accountChangedText({ wallet, address: shortenAddress(address) });
    sdk.toasts.show({ kind: 'info', title: t.accountChangedTitle, text, durationMs: LONG_TOAST_MS });
  }

  function showLost({ wallet }: Account): void {
    const t = TEXTS.get();
    const text = t.disconnectedText({ wallet });
    sdk.toasts.show({ kind: 'warning', title: t.disconnectedTitle, text, durationMs: LONG_TOAST_MS });
  }

  async function connectTo(name: string): Promise<Account> {
    begun += 1;
    const own = begun;
    front.wallet.set({ phase: 'connecting', name, address: null });
    try {
      const account = await (await load()).connect(name);
      // A wallet that was already connected does not change its account, so no listener is called.
      showAccount(account);
      return account;
    } catch (error) {
      if (own === begun) forgetWallet(front);
      throw error;
    }
  }

  /**
   * Shows the dialog until a wallet is connected, a code is chosen, or it is closed. Closing it during a connection ends it at once;
   * a later approval in the wallet only connects it.
   */
  function openChoice(scan: boolean): Promise<Payer> {
    closeChoice();
    return new Promise<Payer>((resolve, reject) => {
      const closing = new AbortController();
      closeChoice = () => {
        closing.abort();
        reject(new WalletFailure({ kind: 'cancelled' }, ''));
      };
      letChoose(scan, closing.signal).then(resolve, reject);
    });
  }

  async function letChoose(scan: boolean, closed: AbortSignal): Promise<Payer> {
    let failure: unknown = null;
    for (;;) {
      shown.set({ at: 'choose', scan, connecting: null, failure });
      load().catch((unavailable: unknown) => {
        // The wallet adapters did not load: the error replaces the list while it is still awaited.
        if (closed.aborted || picked === null || chain.get() !== null) return;
        shown.set({ at: 'choose', scan, connecting: null, failure: unavailable });
      });
      const choice = await new Promise<WalletChoice>((resolve) => {
        picked = resolve;
      });
      picked = null;
      if (choice.by === 'scan') return choice;
      shown.set({ at: 'choose', scan, connecting: choice.name, failure: null });
      try {
        const account = await connectTo(choice.name);
        if (!closed.aborted) shown.set({ at: 'nothing' });
        return { by: 'wallet', account };
      } catch (error) {
        // Closed during the connection: no error is shown any more.
        if (closed.aborted) throw error;
        const kind = error instanceof WalletFailure ? error.problem.kind : null;
        if (kind === 'not-found' || kind === 'incompatible') {
          shown.set({ at: 'no-wallet', incompatible: kind === 'incompatible' });
          throw error;
        }
        failure = error;
      }
    }
  }

  function resume(): Promise<void> {
    resuming ??= resumeOnce().finally(() => {
      resuming = null;
    });
    return resuming;
  }

  async function resumeOnce(): Promise<void> {
    const { name } = front.wallet.get();
    if (name === null) return;
    const found = await load().then(
      (loaded) => loaded.resume(name),
      () => null,
    );
    if (found === null && front.wallet.get().phase === 'has-wallet') forgetWallet(front);
  }

  const quietly = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof WalletFailure)) throw error;
      },
    );

  return {
    chain,
    connect() {
      const { name, phase } = front.wallet.get();
      if (phase !== 'has-wallet' || name === null) return quietly(openChoice(false));
      return quietly(connectTo(name).catch(() => openChoice(false)));
    },
    change: () => quietly(openChoice(false)),
    async disconnect() {
      front.wallet.set({ ...front.wallet.get(), phase: 'disconnecting' });
      await chain
        .get()
        ?.disconnect()
        .catch(() => undefined);
      forgetWallet(front);
    },
    resume,
    async payer() {
      if (front.wallet.get().phase === 'has-wallet') await resume();
      const account = chain.get()?.account.get();
      return account ? { by: 'wallet', account } : openChoice(true);
    },
    choose: (choice) => picked?.(choice),
    closed: () => closeChoice(),
  };
}
