import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { openRuntime, type Runtime } from '../../../infra/dev/test/solana-runtime.js';

export type { Runtime };

/** Starts a Solana runtime for one test, in a temporary folder. */
export async function startChain(now: () => number) {
  const folder = await mkdtemp(join(tmpdir(), 'cord-chain-'));
  const treasurer = Keypair.generate();
  const runtime = await openRuntime(folder, now, treasurer.publicKey);
  return {
    ...runtime,
    /** Key pair of the treasury. */
    treasurer,
    async stop() {
      await runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a wallet with SOL. */
export async function wallet(chain: Runtime, sol = 10): Promise<Keypair> {
  const owner = Keypair.generate();
  await chain.airdrop(owner.publicKey, sol);
  return owner;
}

/** Returns a transfer as an order requires it, or a deviating one. */
export function transferOf(
  from: Keypair,
  { to, lamports, reference }: { to: string; lamports: number; reference?: string | undefined },
): TransactionInstruction {
  const transfer = SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: new PublicKey(to), lamports });
  if (reference) transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
  return transfer;
}

/** Signs and sends instructions as one transaction. @returns its signature */
export async function send(
  chain: Runtime,
  signers: [Keypair, ...Keypair[]],
  instructions: TransactionInstruction[],
  version: 0 | 'legacy' = 0,
): Promise<string> {
  const { blockhash } = await chain.connection.getLatestBlockhash('processed');
  const plain = new TransactionMessage({ payerKey: signers[0].publicKey, recentBlockhash: blockhash, instructions });
  const message = version === 0 ? plain.compileToV0Message() : plain.compileToLegacyMessage();
  const transaction = new VersionedTransaction(message);
  transaction.sign(signers);
  return chain.connection.sendRawTransaction(transaction.serialize());
}
