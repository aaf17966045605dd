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

/** An open line to a wallet app. */
export interface MobileSession {
  wallet: Promise<MobileWallet>;
  close(): void;
}

interface MobileAdapterOptions {
  name: string;
  icon: string;
  readyState: WalletReadyState;
  /** Opens a line; `walletUriBase` is the wallet's own https address, once it has sent one. */
  open: (walletUriBase: string | undefined) => Promise<MobileSession>;
  /** The network that the page is on. */
  chain: () => Promise<ChainId>;
}

/** The most bytes of a signature (64); what follows the message in a signed payload. */
const SIGNATURE_BYTES = 64;

/**
 * A wallet app reached by the mobile wallet protocol of @solana-mobile, in this page's own dialogs: the library's bring inline
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

  /** What was authorized before still holds; the wallet app is requested when there is something to sign. */
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
      // The next try is authorized anew.
      if (isUnauthorized(error)) forgetAuthorization();
      // As after a code that nobody has scanned: without its cause, by which a payment might have been sent.
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

  /** Requests the account by the token of the last time. A wallet app may have ended that without its user: then without it. */
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

/* A wallet's leave, kept on this device: token, accounts and the wallet's base address. */

function keepAuthorization(authorization: AuthorizationResult): void {
  deviceStorage.setItem(AUTHORIZATION_KEY, JSON.stringify(authorization));
}

function forgetAuthorization(): void {
  deviceStorage.removeItem(AUTHORIZATION_KEY);
}

/** What a wallet app authorized before; null when it did not, or the record cannot be read. */
function keptAuthorization(): AuthorizationResult | null {
  const kept = keptJson<AuthorizationResult>(AUTHORIZATION_KEY);
  return kept?.auth_token && kept.accounts?.length ? (kept as AuthorizationResult) : null;
}
