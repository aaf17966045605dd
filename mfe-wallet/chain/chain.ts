import type { Store, WritableStore } from '@cord/sdk';
import type { Order } from '../orders';

/** A wallet of this browser. */
export interface WalletOption {
  name: string;
  /** A data: URL. */
  icon: string;
}

/** The account that a wallet has connected to this page. */
export interface Account {
  wallet: string;
  /** Base58. */
  address: string;
}

/** The interface to wallets and network, implemented with web3.js and the wallet adapters. */
export interface Chain {
  /** Wallets found so far; null while the search has just begun. */
  wallets: Store<readonly WalletOption[] | null>;
  account: Store<Account | null>;
  /** The URL that a phone scans to connect, while connecting; set it to null to cancel. */
  link: WritableStore<string | null>;
  /** @throws WalletFailure */
  connect(name: string): Promise<Account>;
  /** Connects without a prompt, if the wallet still allows it. */
  resume(name: string): Promise<Account | null>;
  disconnect(): Promise<void>;
  /**
   * Pays an order: a transfer with its reference, signed by the wallet and sent.
   * @param signed called with the signature before it is sent, if the wallet leaves sending to the page
   * @param requested called before a request to a wallet that signs and sends by itself
   * @returns the signature, base58
   * @throws WalletFailure if nothing was sent; ApiError if the network did not respond
   */
  pay(order: Order, account: Account, signed: (signature: string) => void, requested: () => void): Promise<string>;
}

export { openChain } from './open-chain';
