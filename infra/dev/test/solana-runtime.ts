import { join } from 'node:path';
import {
  Connection,
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { createApp } from '../solana/app.js';
import { Chain } from '../solana/chain.js';
import { serve } from './serve.js';

/** Opens a Solana runtime on a free port, with the test's clock. */
export async function openRuntime(folder: string, now: () => number, treasury = Keypair.generate().publicKey) {
  const chain = Chain.open(join(folder, 'solana', 'journal.jsonl'), now);
  const server = await serve();
  server.answerWith(createApp(chain, treasury.toBase58()));
  const { origin: url, post } = server;
  return {
    url,
    chain,
    treasury,
    connection: new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true }),
    post,
    fault: (mode: string, times?: number) => post('/dev/solana/faults', { mode, times }),
    airdrop: (to: PublicKey, sol = 1) => post('/dev/solana/airdrop', { address: to.toBase58(), sol }),
    async close() {
      await server.close();
      chain.close();
    },
  };
}

export type Runtime = Awaited<ReturnType<typeof openRuntime>>;

/** Makes a signed transfer that names a reference, as in Solana Pay. */
export async function signedTransfer(
  connection: Connection,
  from: Keypair,
  { to, lamports, reference, version = 0 }: TransferOf,
): Promise<Uint8Array> {
  const transfer = SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });
  if (reference) transfer.keys.push({ pubkey: reference, isSigner: false, isWritable: false });
  const { blockhash } = await connection.getLatestBlockhash();
  if (version === 'legacy') {
    const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash }).add(transfer);
    transaction.sign(from);
    return transaction.serialize();
  }
  const message = new TransactionMessage({
    payerKey: from.publicKey,
    recentBlockhash: blockhash,
    instructions: [transfer],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([from]);
  return transaction.serialize();
}

interface TransferOf {
  to: PublicKey;
  lamports: number;
  reference?: PublicKey;
  version?: 0 | 'legacy';
}
