import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';

/**
 * Pays an order of the badge from a fresh wallet, straight to the network of a local system.
 * @param order lamports is what is due
 * @returns the signature of the transaction
 */
export async function pay(
  origin: string,
  { treasury, reference, lamports }: { treasury: string; reference: string; lamports: number },
): Promise<string> {
  const { rpcUrl } = (await (await fetch(`${origin}/dev/solana`)).json()) as { rpcUrl: string };
  const connection = new Connection(rpcUrl);
  const wallet = Keypair.generate();
  await fetch(`${origin}/dev/solana/airdrop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: wallet.publicKey.toBase58(), sol: 1 }),
  });
  const toPubkey = new PublicKey(treasury);
  const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey, lamports });
  transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({ payerKey: wallet.publicKey, recentBlockhash, instructions: [transfer] });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([wallet]);
  return connection.sendRawTransaction(transaction.serialize());
}
