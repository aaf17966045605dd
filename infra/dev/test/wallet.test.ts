import { createPublicKey, verify } from 'node:crypto';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
// @ts-expect-error: plain JavaScript of the page, without types
import { addKey, currentKey, openKeyring, readKeyring, sign } from '../wallet/keyring.mjs';
// @ts-expect-error: plain JavaScript of the page, without types
import { describe as describeTransaction, readTransaction, withSignature } from '../wallet/transaction.mjs';

const LAMPORTS = 20_000_000;
const BLOCKHASH = Keypair.generate().publicKey.toBase58();
const TO = Keypair.generate().publicKey;
/** What stands before the 32 bytes of an Ed25519 public key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

function unsigned(version: 'legacy' | 0, payer: PublicKey): Uint8Array {
  const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey: TO, lamports: LAMPORTS });
  transfer.keys.push({ pubkey: Keypair.generate().publicKey, isSigner: false, isWritable: false });
  if (version === 'legacy') {
    const transaction = new Transaction({ feePayer: payer, blockhash: BLOCKHASH, lastValidBlockHeight: 1 });
    return transaction.add(transfer).serialize({ requireAllSignatures: false });
  }
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: BLOCKHASH, instructions: [transfer] });
  return new VersionedTransaction(message.compileToV0Message()).serialize();
}

describe('the development wallet', () => {
  test.each(['legacy', 0] as const)('reads and signs a transaction of version %s', async (version) => {
    const key = currentKey(await openKeyring());
    const payer = new PublicKey(key.address);
    const bytes = unsigned(version, payer);
    const read = readTransaction(bytes);
    expect(describeTransaction(read)).toEqual({ transfers: [{ to: TO.toBase58(), lamports: LAMPORTS }], others: 0 });
    const signed = withSignature(bytes, read, key.address, await sign(key, read.message));
    const { signatures, message } = VersionedTransaction.deserialize(signed);
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI, payer.toBytes()]), format: 'der', type: 'spki' });
    expect(verify(null, message.serialize(), publicKey, signatures[0] as Uint8Array)).toBe(true);
  });

  test('signs for nobody else', async () => {
    const key = currentKey(await openKeyring());
    const bytes = unsigned(0, Keypair.generate().publicKey);
    const read = readTransaction(bytes);
    const signature = await sign(key, read.message);
    expect(() => withSignature(bytes, read, key.address, signature)).toThrow('not asked to sign');
  });

  test('keeps its accounts, and the new one is the current one', async () => {
    const first = currentKey(await openKeyring());
    const second = currentKey(await addKey(readKeyring()));
    expect(second.address).not.toBe(first.address);
    expect(currentKey(readKeyring())).toEqual(second);
    expect((await openKeyring()).keys).toHaveLength(2);
  });

  test('is not connected before somebody approves it', async () => {
    expect((await openKeyring()).connected).toBe(false);
  });
});
