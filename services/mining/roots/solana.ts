import { MEMO_PROGRAM, memosOf, solanaRpc } from '@cord/contracts/proof/memos';
import { Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

/** Fee of a transaction with one signature, lamports. */
const FEE_LAMPORTS = 5_000;

/** A signed transaction, and until when it can land. */
interface SignedMemo {
  signature: string;
  /** base64 */
  wire: string;
  /** Height of the last block that can include it. */
  lastBlock: number;
}

/** The state of a transaction at a node. `final` and `failed` never change. */
export type Sighting = { kind: 'unseen' | 'seen' | 'failed' } | { kind: 'final'; slot: number };

/** The Solana calls for memos. Each throws an Error when the node does not respond. */
export type MemoNetwork = ReturnType<typeof memoNetwork>;

/** @param seed LEDGER_MEMO_KEY: 64 hex characters, the seed of the account's key */
export function memoNetwork(url: string, seed: string) {
  const key = Keypair.fromSeed(Buffer.from(seed, 'hex'));
  const signer = key.publicKey.toBase58();
  const rpc = solanaRpc(url);
  const value = async <T>(method: string, params: readonly unknown[]) =>
    ((await rpc(method, params)) as { value: T }).value;
  return {
    /** The signing account, base58. */
    signer,
    /** Returns the signer's memos that name a log, after a transaction, newest first. */
    memos: (origin: string, until: string | undefined) => memosOf(rpc, { signer, origin, until }),
    /** @throws Error when the account cannot pay for it */
    async sign(text: string): Promise<SignedMemo> {
      const lamports = await value<number>('getBalance', [signer, { commitment: 'finalized' }]);
      const keeps = Number(await rpc('getMinimumBalanceForRentExemption', [0]));
      // The network silently drops a transaction that leaves less than that, except for exactly zero.
      if (!(lamports === FEE_LAMPORTS || lamports >= FEE_LAMPORTS + keeps))
        throw new Error(
          `the memo account ${signer} has ${lamports} lamports, but needs ${FEE_LAMPORTS} for the fee and ${keeps} for rent`,
        );
      const { blockhash, lastValidBlockHeight } = await value<{ blockhash: string; lastValidBlockHeight: number }>(
        'getLatestBlockhash',
        [{ commitment: 'finalized' }],
      );
      const memo = new TransactionInstruction({
        programId: new PublicKey(MEMO_PROGRAM),
        keys: [{ pubkey: key.publicKey, isSigner: true, isWritable: false }],
        data: Buffer.from(text),
      });
      const message = { payerKey: key.publicKey, recentBlockhash: blockhash, instructions: [memo] };
      const transaction = new VersionedTransaction(new TransactionMessage(message).compileToLegacyMessage());
      transaction.sign([key]);
      return {
        signature: bs58.encode(transaction.signatures[0] ?? new Uint8Array()),
        wire: Buffer.from(transaction.serialize()).toString('base64'),
        lastBlock: lastValidBlockHeight,
      };
    },
    // Checked before, so without preflight. It may be sent again and lands once.
    send: async (wire: string): Promise<void> =>
      void (await rpc('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }])),
    async sighting(signature: string): Promise<Sighting> {
      type Status = { slot: number; err: unknown; confirmationStatus?: string } | null;
      const [found] = await value<Status[]>('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);
      if (!found) return { kind: 'unseen' };
      if (found.confirmationStatus !== 'finalized') return { kind: 'seen' };
      return found.err === null ? { kind: 'final', slot: found.slot } : { kind: 'failed' };
    },
    /** Returns the height of the last final block. */
    height: async () => Number(await rpc('getBlockHeight', [{ commitment: 'finalized' }])),
  };
}
