import {
  type PublicKey,
  SystemInstruction,
  SystemProgram,
  TransactionInstruction,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { ChainTransaction, Transfer } from '../domain/payment.js';

/**
 * Reads the parts of a transaction (legacy or version 0) that a payment is judged by. Transfers made inside a program
 * count like any other: a multisig wallet's program passes the order's reference on.
 * @throws Error when the network omitted a part: the payment cannot be decided yet
 */
export function readTransaction(signature: string, response: VersionedTransactionResponse): ChainTransaction {
  const { transaction, meta, blockTime } = response;
  if (!meta) throw new Error('the transaction has no meta');
  const { message } = transaction;
  const loaded = meta.loadedAddresses;
  const keys = message.getAccountKeys(loaded ? { accountKeysFromLookups: loaded } : undefined);
  const all = keys.keySegments().flat();
  const at = (index: number): PublicKey => {
    const key = all[index];
    if (!key) throw new Error('the transaction refers to a missing account key');
    return key;
  };
  const inside = (meta.innerInstructions ?? []).flatMap(({ instructions }) =>
    instructions.map(({ accounts, data, ...of }) => ({ ...of, accountKeyIndexes: accounts, data: bs58.decode(data) })),
  );
  const made = [...message.compiledInstructions, ...inside];
  const transfers = made.flatMap(({ programIdIndex, accountKeyIndexes, data }) => {
    if (!at(programIdIndex).equals(SystemProgram.programId)) return [];
    const named = accountKeyIndexes.map((index) => ({ pubkey: at(index), isSigner: false, isWritable: false }));
    const transfer = transferOf(
      new TransactionInstruction({ programId: SystemProgram.programId, keys: named, data: Buffer.from(data) }),
    );
    return transfer ? [transfer] : [];
  });
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  return {
    signature,
    succeeded: meta.err === null,
    blockTimeMs: typeof blockTime === 'number' ? blockTime * 1_000 : null,
    signers: signers.map(String),
    transfers,
    changes: new Map(
      all.map((key, index) => [
        key.toBase58(),
        BigInt(meta.postBalances[index] ?? 0) - BigInt(meta.preBalances[index] ?? 0),
      ]),
    ),
  };
}

/** Returns null for any other instruction of the system program, and for a malformed one. */
function transferOf(instruction: TransactionInstruction): Transfer | null {
  try {
    if (SystemInstruction.decodeInstructionType(instruction) !== 'Transfer') return null;
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
    return {
      from: fromPubkey.toBase58(),
      to: toPubkey.toBase58(),
      lamports,
      keys: instruction.keys.map(({ pubkey }) => pubkey.toBase58()),
    };
  } catch {
    return null;
  }
}
