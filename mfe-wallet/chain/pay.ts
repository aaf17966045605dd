import { ApiError, type Sdk } from '@cord/sdk';
import type { Adapter, SignerWalletAdapter, StandardWalletAdapter } from '@solana/wallet-adapter-base';
import {
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { type ChainId, WalletFailure } from '../failures';
import { MAY_ARRIVE_MS } from '../hand-in';
import type { Order } from '../orders';
import { base64 } from './base64';
import type { Account } from './chain';
import { chainOf, connectionBy, rpc } from './rpc';
import { isTooLittle, mayBeTaken, payFailure } from './wallet-errors';

/** Default fee of a signature, if the network does not return it, lamports. */
const USUAL_FEE = 5_000;
/** Times at which a payment is sent again while its arrival is unknown, ms after the first time: within the life of its blockhash. */
const SEND_AGAIN_MS = [2_000, 6_000, 15_000];
/** Default rent minimum of an account that is not emptied, if the network does not return it, lamports. */
const USUAL_RENT = 890_880;

interface Blockhash {
  context: { slot: number };
  value: { blockhash: string; lastValidBlockHeight: number };
}

interface Payment {
  sdk: Sdk;
  adapter: Adapter;
  order: Order;
  account: Account;
  /** Called with the signature before it is sent. */
  signed: (signature: string) => void;
  /** Called before a request to a wallet that signs and sends by itself. */
  requested: () => void;
}

/** Pays an order with a connected wallet (Chain.pay). */
export async function pay({ sdk: { api }, adapter, order, account, signed, requested }: Payment): Promise<string> {
  const { wallet } = account;
  try {
    const payer = payerOf(adapter, account, order);
    const chain = await chainOf(api);
    checkNetwork(adapter, chain, wallet);
    const { context, value } = await rpc<Blockhash>(api, 'getLatestBlockhash', [{ commitment: 'confirmed' }]);
    const version = adapter.supportedTransactionVersions?.has(0) ? 0 : 'legacy';
    const payment = paymentOf({ order, payer, ...value }, version);
    const needs = await checkBalance(account.address, order.lamports, payment);
    const sending = <T>(send: () => Promise<T>) => send().catch((error: unknown) => refusedFor(needs, error));
    if (!canSign(adapter)) {
      requested();
      const sends = () => adapter.sendTransaction(payment, connectionBy(api, chain));
      return await answered('lost', sending(sends));
    }
    const ready = await answered('disconnected', adapter.signTransaction(payment));
    const bytes = signatureBytes(ready);
    if (bytes === null) throw new WalletFailure({ kind: 'rejected' }, wallet);
    const signature = bs58.encode(bytes);
    signed(signature);
    // Without maxRetries the node resends it until it is final or its blockhash expires. With minContextSlot a node that is behind refuses it temporarily;
    // without it the node would not find the blockhash and refuse for good.
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', minContextSlot: context.slot };
    const send = () => rpc<string>(api, 'sendTransaction', [base64(ready.serialize()), options]);
    await sending(send).catch((error: unknown) => {
      const isTaken = mayBeTaken(error);
      // It is executed once, however often it is sent.
      if (isTaken || error instanceof ApiError)
        for (const ms of SEND_AGAIN_MS) setTimeout(() => void send().catch(() => undefined), ms);
      if (!isTaken) throw error;
    });
    return signature;
  } catch (error) {
    throw payFailure(error, wallet);
  }

  /** Awaits the wallet's response. @throws WalletFailure of that kind if there is none, as after an update of its extension */
  async function answered<T>(kind: 'lost' | 'disconnected', answer: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const none = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new WalletFailure({ kind }, wallet)), MAY_ARRIVE_MS);
    });
    return Promise.race([answer, none]).finally(() => clearTimeout(timer));
  }

  /**
   * Checks the balance: the network refuses a payment that leaves less than the rent minimum in the wallet, except exactly 0.
   * @returns lamports that the wallet needs, including that minimum
   */
  async function checkBalance(address: string, lamports: number, payment: Transaction | VersionedTransaction) {
    const [has, fee, rent] = await Promise.all([
      rpc<{ value: number }>(api, 'getBalance', [address, { commitment: 'confirmed' }]),
      rpc<{ value: number | null }>(api, 'getFeeForMessage', [
        base64(messageBytes(payment)),
        { commitment: 'confirmed' },
      ]).catch(() => ({ value: null })),
      rpc<number>(api, 'getMinimumBalanceForRentExemption', [0]).catch(() => USUAL_RENT),
    ]);
    const left = has.value - lamports - (fee.value ?? USUAL_FEE);
    const needs = has.value - left + rent;
    if (left !== 0 && left < rent) throw new WalletFailure({ kind: 'not-enough', has: has.value, needs }, wallet);
    return needs;
  }

  /** Handles a refusal for too little balance that the check could not foresee, also for a payment that the wallet sent itself. */
  async function refusedFor(needs: number, error: unknown): Promise<never> {
    if (!isTooLittle(error)) throw error;
    const { value } = await rpc<{ value: number }>(api, 'getBalance', [account.address]);
    throw new WalletFailure({ kind: 'not-enough', has: value, needs }, wallet, error);
  }
}

/** The paying account: it must still be connected, and be the one that the order names. */
function payerOf(adapter: Adapter, { wallet, address }: Account, order: Order): PublicKey {
  const { publicKey } = adapter;
  if (publicKey === null) throw new WalletFailure({ kind: 'disconnected' }, wallet);
  const now = publicKey.toBase58();
  if (now !== address || (order.walletAddress !== null && order.walletAddress !== now)) {
    throw new WalletFailure({ kind: 'account-changed', address: now }, wallet);
  }
  return new PublicKey(now);
}

/** Checks the networks of an account. Older wallets do not list them and are accepted. */
function checkNetwork(adapter: Adapter, chain: ChainId, wallet: string): void {
  const account = isStandard(adapter) ? adapter.wallet.accounts[0] : undefined;
  if (account && !account.chains.includes(chain)) {
    throw new WalletFailure({ kind: 'wrong-network', network: chain }, wallet);
  }
}

function isStandard(adapter: Adapter): adapter is StandardWalletAdapter {
  return 'standard' in adapter && adapter.standard === true;
}

/** Whether the wallet can sign without sending. That is preferred: the page knows the signature first, and can resend. */
function canSign(adapter: Adapter): adapter is Adapter & SignerWalletAdapter {
  return 'signTransaction' in adapter && typeof adapter.signTransaction === 'function';
}

/** The order's transfer: exactly its lamports to its treasury, with its reference among the keys (Solana Pay). */
export function transferOf(order: Order, payer: PublicKey): TransactionInstruction {
  const transfer = SystemProgram.transfer({
    fromPubkey: payer,
    toPubkey: new PublicKey(order.treasury),
    lamports: order.lamports,
  });
  transfer.keys.push({ pubkey: new PublicKey(order.reference), isSigner: false, isWritable: false });
  return transfer;
}

interface Draft {
  order: Order;
  payer: PublicKey;
  blockhash: string;
  /** Block height after which the network refuses it. */
  lastValidBlockHeight: number;
}

/** The unsigned payment: version 0 if the wallet supports it, else legacy. */
export function paymentOf(draft: Draft, version: 0 | 'legacy'): Transaction | VersionedTransaction {
  const { order, payer, blockhash, lastValidBlockHeight } = draft;
  const instruction = transferOf(order, payer);
  if (version === 'legacy') {
    return new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight }).add(instruction);
  }
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions: [instruction] });
  return new VersionedTransaction(message.compileToV0Message());
}

/** The bytes of the message, for reading its fee. */
function messageBytes(payment: Transaction | VersionedTransaction): Uint8Array {
  return payment instanceof Transaction ? payment.compileMessage().serialize() : payment.message.serialize();
}

/** The first signature, which identifies the transaction; null while there is none. */
export function signatureBytes(payment: Transaction | VersionedTransaction): Uint8Array | null {
  if (payment instanceof Transaction) return payment.signature;
  const [signature] = payment.signatures;
  return signature?.some((byte) => byte !== 0) ? signature : null;
}
