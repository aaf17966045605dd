import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { post } from './post.ts';

/** A reference that no order has: a transfer that names it pays none. */
export const NO_ORDER = '11111111111111111111111111111112';

/** An order of the badge: recipient, reference and amount in lamports. */
interface Order {
  treasury: string;
  reference: string;
  lamports: number;
}

/**
 * Pays an order of the badge, directly on the chain of a local system.
 * @param wallet the payer; gets 1 SOL first
 * @returns the signature of the transaction
 */
export async function pay(origin: string, order: Order, wallet?: Keypair): Promise<string> {
  const { rpcUrl } = (await (await fetch(`${origin}/dev/solana`)).json()) as { rpcUrl: string };
  const airdrop = (address: string) => post(`${origin}/dev/solana/airdrop`, { address, sol: 1 });
  return payFrom({ connection: new Connection(rpcUrl), airdrop }, order, wallet);
}

/**
 * Pays an order of the badge, from a new wallet unless one is given.
 * @param network `airdrop` gives an address 1 SOL
 * @returns the signature of the transaction
 */
export async function payFrom(
  { connection, airdrop }: { connection: Connection; airdrop: (address: string) => Promise<unknown> },
  { treasury, reference, lamports }: Order,
  wallet = Keypair.generate(),
): Promise<string> {
  await airdrop(wallet.publicKey.toBase58());
  const toPubkey = new PublicKey(treasury);
  const transfer = SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey, lamports });
  transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({ payerKey: wallet.publicKey, recentBlockhash, instructions: [transfer] });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([wallet]);
  return connection.sendRawTransaction(transaction.serialize());
}
