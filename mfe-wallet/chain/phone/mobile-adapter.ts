import { deviceStorage } from '@cord/sdk';
import {
  BaseWalletAdapter,
  WalletConnectionError,
  WalletDisconnectedError,
  type WalletName,
  WalletNotConnectedError,
  type WalletReadyState,
  WalletSendTransactionError,
  WalletSignMessageError,
} from '@solana/wallet-adapter-base';
import { PublicKey, Transaction, type TransactionVersion, type VersionedTransaction } from '@solana/web3.js';
import type { AuthorizationResult, MobileWallet } from '@solana-mobile/mobile-wallet-adapter-protocol';
import bs58 from 'bs58';
import type { ChainId } from '../../failures';
import { AUTHORIZATION_KEY } from '../../front';
import { keptJson } from '../../kept';
import { base64, bytesOf } from '../base64';
import { AUTHORIZATION_FAILED } from '../wallet-errors';

/** An open session with a wallet app. */
export interface MobileSession {
  wallet: Promise<MobileWallet>;
  close(): void;
}

interface MobileAdapterOptions {
  name: string;
  icon: string;
  readyState: WalletReadyState;
  /** Opens a session; `walletUriBase` is the wallet's own https URL, once it has sent one. */
  open: (walletUriBase: string | undefined) => Promise<MobileSession>;
  /** The network of the page. */
  chain: () => Promise<ChainId>;
}

/** Bytes of a signature; in a signed payload it follows the message. */
const SIGNATURE_BYTES = 64;

/**
 * A wallet app over the mobile wallet protocol of @solana-mobile, with this page's own dialogs: those of the library use inline
 * styles and markup that the content security policy refuses. Such a wallet signs and sends by itself.
 */
export class MobileAdapter extends BaseWalletAdapter {
  readonly name: WalletName;
  readonly url = 'https://solanamobile.com/wallets';
  readonly icon: string;
  readonly readyState: WalletReadyState;
  readonly supportedTransactionVersions: ReadonlySet<TransactionVersion> = new Set(['legacy', 0] as const);
  publicKey: PublicKey | null = null;
  connecting = false;
  readonly #options: MobileAdapterOptions;

  constructor(options: MobileAdapterOptions) {
    super();
    this.name = options.name as WalletName;
    this.icon = options.icon;
    this.readyState = options.readyState;
    this.#options = options;
  }

  async connect(): Promise<void> {
    await this.#connecting(async () => {
      await this.#withWallet((wallet) => this.#authorize(wallet));
    });
  }

  /** Uses the stored authorization; the wallet app is opened only when there is something to sign. */
  override async autoConnect(): Promise<void> {
    const kept = keptAuthorization();
    if (kept) this.#take(kept);
  }

  async disconnect(): Promise<void> {
    forgetAuthorization();
    this.publicKey = null;
    this.emit('disconnect');
  }

  async sendTransaction(transaction: Transaction | VersionedTransaction): Promise<string> {
    const bytes =
      transaction instanceof Transaction
        ? transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
        : transaction.serialize();
    return this.#request(WalletSendTransactionError, async (wallet) => {
      const { signatures } = await wallet.signAndSendTransactions({ payloads: [base64(bytes)] });
      return bs58.encode(bytesOf(signatures[0] ?? ''));
    });
  }

  async signMessage(message: Uint8Array): Promise<Uint8Array> {
    return this.#request(WalletSignMessageError, async (wallet, { accounts }) => {
      const { signed_payloads } = await wallet.signMessages({
        addresses: [accounts[0]?.address ?? ''],
        payloads: [base64(message)],
      });
      return bytesOf(signed_payloads[0] ?? '').slice(-SIGNATURE_BYTES);
    });
  }

  async #connecting(connect: () => Promise<void>): Promise<void> {
    if (this.connected || this.connecting) return;
    this.connecting = true;
    try {
      await connect();
    } catch (error) {
      const failure = new WalletConnectionError(messageOf(error), error);
      this.emit('error', failure);
      throw failure;
    } finally {
      this.connecting = false;
    }
  }

  async #request<T>(
    Failure: typeof WalletSendTransactionError,
    work: (wallet: MobileWallet, authorization: AuthorizationResult) => Promise<T>,
  ): Promise<T> {
    if (!this.connected) throw new WalletNotConnectedError();
    let isRequested = false;
    try {
      return await this.#withWallet(async (wallet) => {
        const authorization = await this.#authorize(wallet);
        isRequested = true;
        return work(wallet, authorization);
      });
    } catch (error) {
      // The next try requests a new authorization.
      if (isUnauthorized(error)) forgetAuthorization();
      // Handled like a code that was not scanned: the cause is dropped, because it would count as a payment that may have been sent.
      const isClosed = (error as { code?: unknown })?.code === 'ERROR_SESSION_CLOSED';
      if (isClosed && !isRequested) throw new WalletDisconnectedError(messageOf(error));
      throw new Failure(messageOf(error), error);
    }
  }

  async #withWallet<T>(use: (wallet: MobileWallet) => Promise<T>): Promise<T> {
    const session = await this.#options.open(keptAuthorization()?.wallet_uri_base);
    try {
      return await use(await session.wallet);
    } finally {
      session.close();
    }
  }

  /** Requests the account with the stored token. If the wallet app has revoked that, requests it without a token. */
  async #authorize(wallet: MobileWallet): Promise<AuthorizationResult> {
    const request = {
      chain: await this.#options.chain(),
      identity: { name: 'CORD', uri: location.origin, icon: 'favicon.svg' },
    };
    const kept = keptAuthorization();
    const authorization = await wallet
      .authorize(kept ? { ...request, auth_token: kept.auth_token } : request)
      .catch((error: unknown) => {
        if (!kept || !isUnauthorized(error)) throw error;
        return wallet.authorize(request);
      });
    keepAuthorization(authorization);
    this.#take(authorization);
    return authorization;
  }

  #take({ accounts }: AuthorizationResult): void {
    const address = accounts[0]?.address;
    if (address === undefined) return;
    const key = new PublicKey(bytesOf(address));
    if (this.publicKey?.equals(key)) return;
    this.publicKey = key;
    this.emit('connect', key);
  }
}

function isUnauthorized(error: unknown): boolean {
  return (error as { code?: unknown })?.code === AUTHORIZATION_FAILED;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/* A wallet's authorization, stored on this device: token, accounts and the wallet's base URL. */

function keepAuthorization(authorization: AuthorizationResult): void {
  deviceStorage.setItem(AUTHORIZATION_KEY, JSON.stringify(authorization));
}

function forgetAuthorization(): void {
  deviceStorage.removeItem(AUTHORIZATION_KEY);
}

/** The stored authorization of a wallet app; null if there is none, or it cannot be read. */
function keptAuthorization(): AuthorizationResult | null {
  const kept = keptJson<AuthorizationResult>(AUTHORIZATION_KEY);
  return kept?.auth_token && kept.accounts?.length ? (kept as AuthorizationResult) : null;
}
