import {
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Order } from '../orders';

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
export function messageBytes(payment: Transaction | VersionedTransaction): Uint8Array {
  return payment instanceof Transaction ? payment.compileMessage().serialize() : payment.message.serialize();
}

/** The first signature, which names the transaction; null while there is none. */
export function signatureBytes(payment: Transaction | VersionedTransaction): Uint8Array | null {
  if (payment instanceof Transaction) return payment.signature;
  const [signature] = payment.signatures;
  return signature?.some((byte) => byte !== 0) ? signature : null;
}
