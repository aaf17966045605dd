import { AreaBoundary, createStore, type Sdk, SdkProvider, type Store } from '@cord/sdk';
import { createRoot } from 'react-dom/client';
import type { Chain } from '../chain/chain';
import type { Front } from '../front';
import { DeskBroken } from './desk-broken';
import { DeskDialogs } from './desk-dialogs';
import { createPurchase } from './purchase';
import { createWalletDesk, type WalletChoice } from './wallet-desk';

/** What the desk shows; one thing at a time. */
export type Shown =
  | { at: 'nothing' }
  /** Which wallet; with `scan`, also a code for a wallet elsewhere. `failure` is why the last one did not connect. */
  | { at: 'choose'; scan: boolean; connecting: string | null; failure: unknown }
  | { at: 'no-wallet'; incompatible: boolean }
  | { at: 'scan' }
  /** The order's way; `approving` names the wallet that is asked now. */
  | { at: 'order'; approving: string | null };

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
  showOrder(): void;
  choose(choice: WalletChoice): void;
  close(): void;
  /** Nobody scans the code that connects a wallet. */
  giveUpScan(): void;
  /** Takes the desk off the page. */
  leave(): void;
}

/**
 * Opens the desk in a root of its own: buttons stand in header, cards and other modules' pages, and what one of them opened
 * must stay when its page goes.
 */
export async function openDesk(sdk: Sdk, front: Front, loadChain: () => Promise<Chain>): Promise<Desk> {
  const shown = createStore<Shown>({ at: 'nothing' });
  const wallets = createWalletDesk({ sdk, front, shown, loadChain });
  const purchase = createPurchase({ sdk, front, shown, wallets });
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const desk: Desk = {
    shown,
    chain: wallets.chain,
    connect: () => wallets.connect(),
    change: () => wallets.change(),
    disconnect: () => wallets.disconnect(),
    resume: () => wallets.resume(),
    buy: () => purchase.buy(),
    showOrder: () => shown.set({ at: 'order', approving: null }),
    choose: (choice) => wallets.choose(choice),
    close() {
      shown.set({ at: 'nothing' });
      wallets.closed();
      purchase.closed();
    },
    giveUpScan: () => wallets.chain.get()?.link.set(null),
    leave() {
      root.unmount();
      place.remove();
    },
  };
  root.render(
    <SdkProvider sdk={sdk}>
      <AreaBoundary
        place={{ module: 'mfe_wallet', part: 'wallet/desk' }}
        fallback={(_error, retry) => <DeskBroken desk={desk} retry={retry} />}
      >
        <DeskDialogs desk={desk} />
      </AreaBoundary>
    </SdkProvider>,
  );
  return desk;
}
