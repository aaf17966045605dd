import { createStore, deviceStorage, type Sdk, type Store, type WritableStore } from '@cord/sdk';
import type { Desk } from './desk/desk';
import { WalletFailure } from './failures';
import { keptJson } from './kept';
import { watchOrder } from './orders';
import { createPurchaseMachine, type PurchaseMachine } from './purchase-machine';

/** The five states of the wallet button. */
export type WalletPhase = 'no-wallet' | 'has-wallet' | 'connecting' | 'connected' | 'disconnecting';

export interface WalletState {
  phase: WalletPhase;
  /** Name of the chosen wallet; null without one. */
  name: string | null;
  /** Base58, once connected. */
  address: string | null;
}

/**
 * The state that the parts of this module show, and the loader of the desk (dialogs, wallets, web3.js), which is loaded when
 * it is needed, not with the page.
 */
export interface Front {
  wallet: WritableStore<WalletState>;
  purchase: PurchaseMachine;
  /** The desk once it is loaded; `WalletHost` renders it. */
  opened: Store<Desk | null>;
  /** @throws WalletFailure 'unavailable' if it cannot be loaded; the next call retries */
  desk(): Promise<Desk>;
}

export type LoadDesk = (sdk: Sdk, front: Front) => Promise<Desk>;

const fronts = new WeakMap<Sdk, Front>();

/** The page's single front; header, cards and other modules' pages share it. */
export function frontOf(sdk: Sdk, load: LoadDesk = loadDesk): Front {
  const known = fronts.get(sdk);
  if (known) return known;
  let desk: Promise<Desk> | null = null;
  const opened = createStore<Desk | null>(null);
  const front: Front = {
    wallet: createStore<WalletState>(rememberedWallet()),
    purchase: createPurchaseMachine(),
    opened,
    desk() {
      desk ??= load(sdk, front).then(
        (loaded) => {
          opened.set(loaded);
          return loaded;
        },
        (cause: unknown) => {
          desk = null;
          throw new WalletFailure({ kind: 'unavailable' }, '', cause);
        },
      );
      return desk;
    },
  };
  sdk.session.state.listen((now, before) => {
    const isOther = before.user !== null && before.user.id !== now.user?.id;
    if (now.status !== 'signed-out' && !isOther) return;
    // The next user has their own wallet and purchase.
    front.purchase.send({ kind: 'ended' });
    const opening = desk;
    forgetWallet(front);
    // A desk that failed to load holds no wallet.
    void opening?.then(
      (loaded) => {
        loaded.close();
        return loaded.disconnect();
      },
      () => undefined,
    );
  });
  watchOrder(sdk, front);
  fronts.set(sdk, front);
  return front;
}

async function loadDesk(sdk: Sdk, front: Front): Promise<Desk> {
  const { openDesk } = await import('./desk/desk');
  return openDesk(sdk, front, (provide) => import('./chain/chain').then(({ openChain }) => openChain(sdk, provide)));
}

/** Storage key of the chosen wallet's name, in the format of the adapters: a JSON string. */
export const WALLET_NAME_KEY = 'cord.wallet';

/** Storage key of the authorization by a wallet on this phone. */
export const AUTHORIZATION_KEY = 'cord.wallet.authorization';

/** Removes the chosen wallet and its authorization, here and after a reload. */
export function forgetWallet(front: Front): void {
  deviceStorage.removeItem(WALLET_NAME_KEY);
  deviceStorage.removeItem(AUTHORIZATION_KEY);
  front.wallet.set({ phase: 'no-wallet', name: null, address: null });
}

function rememberedWallet(): WalletState {
  const name = readName();
  return { phase: name === null ? 'no-wallet' : 'has-wallet', name, address: null };
}

function readName(): string | null {
  const name: unknown = keptJson(WALLET_NAME_KEY);
  return typeof name === 'string' && name !== '' ? name : null;
}
