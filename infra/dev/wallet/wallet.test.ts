import { createPublicKey, verify } from 'node:crypto';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transpilePackages } from '../../build/transpile.ts';
import { openConsole } from '../test/console.js';
import { addKey, currentKey, openKeyring, readKeyring, sign } from './keyring.js';
import { describe as describeTransaction, readTransaction, withSignature } from './transaction.js';

const LAMPORTS = 20_000_000;
const BLOCKHASH = Keypair.generate().publicKey.toBase58();
const TO = Keypair.generate().publicKey;
/** ASN.1 header before the 32 bytes of an Ed25519 public key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

function unsigned(version: 'legacy' | 0, payer: PublicKey): Uint8Array<ArrayBuffer> {
  const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey: TO, lamports: LAMPORTS });
  transfer.keys.push({ pubkey: Keypair.generate().publicKey, isSigner: false, isWritable: false });
  if (version === 'legacy') {
    const transaction = new Transaction({ feePayer: payer, blockhash: BLOCKHASH, lastValidBlockHeight: 1 });
    return new Uint8Array(transaction.add(transfer).serialize({ requireAllSignatures: false }));
  }
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: BLOCKHASH, instructions: [transfer] });
  return new Uint8Array(new VersionedTransaction(message.compileToV0Message()).serialize());
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

  test('does not sign for another account', async () => {
    const key = currentKey(await openKeyring());
    const bytes = unsigned(0, Keypair.generate().publicKey);
    const read = readTransaction(bytes);
    const signature = await sign(key, read.message);
    expect(() => withSignature(bytes, read, key.address, signature)).toThrow('is not a signer of the transaction');
  });

  test('keeps its accounts, and the newest is the current one', async () => {
    const first = currentKey(await openKeyring());
    const second = currentKey(await addKey(readKeyring()));
    expect(second.address).not.toBe(first.address);
    expect(currentKey(readKeyring())).toEqual(second);
    expect((await openKeyring()).keys).toHaveLength(2);
  });

  test('is not connected at first', async () => {
    expect((await openKeyring()).connected).toBe(false);
  });
});

describe('/dev/wallet', () => {
  let site: Awaited<ReturnType<typeof openConsole>>;
  beforeAll(async () => {
    await transpilePackages({ packages: ['infra/dev'] });
    site = await openConsole();
  });
  afterAll(() => site.close());

  test('is the wallet’s own page, whose policy allows only its own scripts', async () => {
    const response = await fetch(`${site.origin}/dev/wallet`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('src="/dev/wallet/page.js"');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*/);
  });

  test('serves every module that its modules import, and refers to no source map', async () => {
    const seen = new Set<string>();
    const queue = ['register.js', 'page.js'];
    for (const name of queue) {
      if (seen.has(name)) continue;
      seen.add(name);
      const response = await fetch(`${site.origin}/dev/wallet/${name}`);
      expect(response.status, name).toBe(200);
      expect(response.headers.get('content-type'), name).toContain('text/javascript');
      const source = await response.text();
      expect(source, name).not.toContain('sourceMappingURL');
      for (const [, imported] of source.matchAll(/(?:from|import\()\s*'\.\/([a-z0-9]+\.js)'/g))
        queue.push(imported as string);
    }
    expect(seen).toContain('window.js');
  });

  test('responds with 404 to any other file', async () => {
    for (const path of ['README.md', '..%2Fapp.js', 'nothing.js']) {
      expect((await fetch(`${site.origin}/dev/wallet/${path}`)).status, path).toBe(404);
    }
  });
});
