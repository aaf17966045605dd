import { createStore, type Sdk, type Store } from '@cord/sdk';
import type { ComponentType, ReactNode } from 'react';
import type { Chain } from '../chain/chain';
import type { Front } from '../front';
import { DeskHost } from './desk-host';
import { createPurchase } from './purchase';
import { createWalletDesk, type WalletChoice } from './wallet-desk';

/** What the desk shows; one thing at a time. */
export type Shown =
  | { at: 'nothing' }
  /** Which wallet; with `scan`, also a code for a wallet elsewhere. `failure` is why the last one did not connect. */
  | { at: 'choose'; scan: boolean; connecting: string | null; failure: unknown }
  | { at: 'no-wallet'; incompatible: boolean }
  /** The code of this order, whichever the list of orders begins with by now. */
  | { at: 'scan'; orderId: string }
  /** The order's way; `approving` names the wallet that is requested now. */
  | { at: 'order'; orderId: string; approving: string | null };

/** Wallets and purchase, behind the buttons: loaded when the first of them is pressed. */
export interface Desk {
  shown: Store<Shown>;
  /** The wallets found in this browser; null while they are looked for. */
  chain: Store<Chain | null>;
  connect(): Promise<void>;
  change(): Promise<void>;
  disconnect(): Promise<void>;
  /** Connects again, silently, the wallet that this browser remembers. */
  resume(): Promise<void>;
  buy(): Promise<void>;
  showOrder(orderId: string): void;
  choose(choice: WalletChoice): void;
  close(): void;
  /** Nobody scans the code that connects a wallet. */
  giveUpScan(): void;
  /** The provider of the wallets' adapters, which shows nothing; null until it is loaded. */
  adapters: Store<ReactNode>;
  /** Draws dialogs and adapters. */
  Host: ComponentType<{ desk: Desk }>;
}

export type LoadChain = (provide: (adapters: ReactNode) => void) => Promise<Chain>;

/** Makes the desk; `WalletHost` draws it, beside every page, so that what a button opened stays when its page goes. */
export async function openDesk(sdk: Sdk, front: Front, loadChain: LoadChain): Promise<Desk> {
  const shown = createStore<Shown>({ at: 'nothing' });
  const adapters = createStore<ReactNode>(null);
  const wallets = createWalletDesk({ sdk, front, shown, loadChain: () => loadChain(adapters.set) });
  const purchase = createPurchase({ sdk, front, shown, wallets });
  const giveUpScan = () => wallets.chain.get()?.link.set(null);
  return {
    shown,
    adapters,
    Host: DeskHost,
    chain: wallets.chain,
    connect: wallets.connect,
    change: wallets.change,
    disconnect: wallets.disconnect,
    resume: wallets.resume,
    buy: purchase.buy,
    showOrder: (orderId) => shown.set({ at: 'order', orderId, approving: null }),
    choose: wallets.choose,
    close() {
      giveUpScan();
      shown.set({ at: 'nothing' });
      wallets.closed();
      purchase.closed();
    },
    giveUpScan,
  };
}
