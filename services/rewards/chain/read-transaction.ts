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
 * A transaction as the network gave it, legacy or version 0, as far as a payment is judged by it. A transfer that a program makes inside counts
 * like any other: the program of a wallet, as of a multisig, passes the order's reference on.
 * @throws Error when the network left a part out: then nothing can be decided yet
 */
export function readTransaction(signature: string, response: VersionedTransactionResponse): ChainTransaction {
  const { transaction, meta, blockTime } = response;
  if (!meta) throw new Error('a transaction without its outcome');
  const { message } = transaction;
  const loaded = meta.loadedAddresses;
  const keys = message.getAccountKeys(loaded ? { accountKeysFromLookups: loaded } : undefined);
  const all = keys.keySegments().flat();
  const at = (index: number): PublicKey => {
    const key = all[index];
    if (!key) throw new Error('a transaction with a key that is not there');
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

/** Null for any other instruction of the system program, and for one that is not well-formed. */
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
