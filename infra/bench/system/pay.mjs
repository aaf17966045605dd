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
 * @param {string} origin
 * @param {{treasury: string, reference: string, lamports: number}} order
 * @returns {Promise<string>} the signature of the transaction
 */
export async function pay(origin, { treasury, reference, lamports }) {
  const { rpcUrl } = await (await fetch(`${origin}/dev/solana`)).json();
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
