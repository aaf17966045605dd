import { createStore, type Sdk, type Store } from '@cord/sdk';
import type { ComponentType, ReactNode } from 'react';
import type { Chain } from '../chain/chain';
import type { Front } from '../front';
import { DeskHost } from './desk-host';
import { createPurchase } from './purchase';
import { createWalletDesk, type WalletChoice } from './wallet-desk';

/** The one dialog that the desk shows. */
export type Shown =
  | { at: 'nothing' }
  /** Wallet selection; with `scan`, also a code for another device. `failure` is the error of the last connection. */
  | { at: 'choose'; scan: boolean; connecting: string | null; failure: unknown }
  | { at: 'no-wallet'; incompatible: boolean }
  /** The code of this order, even if another order leads the list by now. */
  | { at: 'scan'; orderId: string }
  /** The progress of the order; `approving` names the wallet that must approve now. */
  | { at: 'order'; orderId: string; approving: string | null };

/** Wallets and purchase: loaded when one of their buttons is pressed. */
export interface Desk {
  shown: Store<Shown>;
  /** The wallets of this browser; null while they are loading. */
  chain: Store<Chain | null>;
  connect(): Promise<void>;
  change(): Promise<void>;
  disconnect(): Promise<void>;
  /** Reconnects the remembered wallet silently. */
  resume(): Promise<void>;
  buy(): Promise<void>;
  showOrder(orderId: string): void;
  choose(choice: WalletChoice): void;
  close(): void;
  /** Cancels connecting by a code. */
  giveUpScan(): void;
  /** The provider of the wallet adapters, which renders nothing; null until it is loaded. */
  adapters: Store<ReactNode>;
  /** Renders dialogs and adapters. */
  Host: ComponentType<{ desk: Desk }>;
}

export type LoadChain = (provide: (adapters: ReactNode) => void) => Promise<Chain>;

/** Creates the desk. `WalletHost` renders it beside every page, so that its dialogs survive a change of page. */
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
