import type { Store, WritableStore } from '@cord/sdk';
import type { Order } from '../orders';

/** A wallet of this browser that can be requested. */
export interface WalletOption {
  name: string;
  /** A data: address. */
  icon: string;
}

/** The account that a wallet lends to this page. */
export interface Account {
  wallet: string;
  /** Base58. */
  address: string;
}

/** Wallets and network, by web3.js and the wallet adapters; everything of them stands behind this. */
export interface Chain {
  /** Wallets found so far; null while nobody had time to answer. */
  wallets: Store<readonly WalletOption[] | null>;
  account: Store<Account | null>;
  /** The address that a phone scans to connect, while one is wanted; setting it to null gives up. */
  link: WritableStore<string | null>;
  /** @throws WalletFailure */
  connect(name: string): Promise<Account>;
  /** Connects without asking the user, where the wallet still allows it. */
  resume(name: string): Promise<Account | null>;
  disconnect(): Promise<void>;
  /**
   * Pays an order: transfer with its reference, signed by the wallet and sent.
   * @param signed gets the signature before it is sent, where the wallet leaves sending to the page
   * @param requested called before a wallet is requested that signs and sends by itself
   * @returns the signature, base58
   * @throws WalletFailure when nothing was sent; ApiError when the network did not answer
   */
  pay(order: Order, account: Account, signed: (signature: string) => void, requested: () => void): Promise<string>;
}

export { openChain } from './open-chain';
