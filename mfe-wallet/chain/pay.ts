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

/** What a signature costs where the network does not return it, lamports. */
const USUAL_FEE = 5_000;
/** When a payment is sent again of which nobody knows whether the network has it, ms after the first time: within the life of its blockhash. */
const SEND_AGAIN_MS = [2_000, 6_000, 15_000];
/** What an account has to keep unless it is emptied, where the network does not return it, lamports. */
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
  /** Gets the signature as soon as there is one, before it is sent. */
  signed: (signature: string) => void;
  /** Before a wallet is requested that signs and sends by itself. */
  requested: () => void;
}

/** Pays an order by a connected wallet (Chain.pay). */
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
    // Without maxRetries its node sends it on until it is final or its blockhash is too old. By the slot a node that is behind refuses for now; without it
    // it does not find the blockhash, which is refused for good.
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', minContextSlot: context.slot };
    const send = () => rpc<string>(api, 'sendTransaction', [base64(ready.serialize()), options]);
    await sending(send).catch((error: unknown) => {
      const isTaken = mayBeTaken(error);
      // It lands once, however often it is sent.
      if (isTaken || error instanceof ApiError)
        for (const ms of SEND_AGAIN_MS) setTimeout(() => void send().catch(() => undefined), ms);
      if (!isTaken) throw error;
    });
    return signature;
  } catch (error) {
    throw payFailure(error, wallet);
  }

  /** The wallet's answer. @throws WalletFailure of that kind where it gives none, as after its extension was updated */
  async function answered<T>(kind: 'lost' | 'disconnected', answer: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const none = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new WalletFailure({ kind }, wallet)), MAY_ARRIVE_MS);
    });
    return Promise.race([answer, none]).finally(() => clearTimeout(timer));
  }

  /**
   * The network takes no payment that leaves less than the rent minimum in the wallet, except nothing at all.
   * @returns what the wallet needs with that minimum
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

  /** The network may find too little all the same, of a page's payment and of one that the wallet sends by itself. */
  async function refusedFor(needs: number, error: unknown): Promise<never> {
    if (!isTooLittle(error)) throw error;
    const { value } = await rpc<{ value: number }>(api, 'getBalance', [account.address]);
    throw new WalletFailure({ kind: 'not-enough', has: value, needs }, wallet, error);
  }
}

/** The account that pays now: still connected, and the one that the order was written for. */
function payerOf(adapter: Adapter, { wallet, address }: Account, order: Order): PublicKey {
  const { publicKey } = adapter;
  if (publicKey === null) throw new WalletFailure({ kind: 'disconnected' }, wallet);
  const now = publicKey.toBase58();
  if (now !== address || (order.walletAddress !== null && order.walletAddress !== now)) {
    throw new WalletFailure({ kind: 'account-changed', address: now }, wallet);
  }
  return new PublicKey(now);
}

/** Wallets show on which networks an account can be used; older ones show nothing and are requested. */
function checkNetwork(adapter: Adapter, chain: ChainId, wallet: string): void {
  const account = isStandard(adapter) ? adapter.wallet.accounts[0] : undefined;
  if (account && !account.chains.includes(chain)) {
    throw new WalletFailure({ kind: 'wrong-network', network: chain }, wallet);
  }
}

function isStandard(adapter: Adapter): adapter is StandardWalletAdapter {
  return 'standard' in adapter && adapter.standard === true;
}

/** Signing alone is better: the page knows the signature before anything is sent, and can send it again. */
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
  /** Block after which the network takes it no more. */
  lastValidBlockHeight: number;
}

/** The payment, unsigned: version 0 where the wallet takes it, else legacy. */
export function paymentOf(draft: Draft, version: 0 | 'legacy'): Transaction | VersionedTransaction {
  const { order, payer, blockhash, lastValidBlockHeight } = draft;
  const instruction = transferOf(order, payer);
  if (version === 'legacy') {
    return new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight }).add(instruction);
  }
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions: [instruction] });
  return new VersionedTransaction(message.compileToV0Message());
}

/** The bytes of the message, for reading what it costs. */
function messageBytes(payment: Transaction | VersionedTransaction): Uint8Array {
  return payment instanceof Transaction ? payment.compileMessage().serialize() : payment.message.serialize();
}

/** The first signature, which names the transaction; null while there is none. */
export function signatureBytes(payment: Transaction | VersionedTransaction): Uint8Array | null {
  if (payment instanceof Transaction) return payment.signature;
  const [signature] = payment.signatures;
  return signature?.some((byte) => byte !== 0) ? signature : null;
}
