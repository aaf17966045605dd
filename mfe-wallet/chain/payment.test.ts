import {
  Keypair,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  type Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { ORDER } from '../wallet.fixtures';
import { paymentOf, signatureBytes, transferOf } from './pay';

const payer = Keypair.generate();
const draft = {
  order: ORDER,
  payer: payer.publicKey,
  blockhash: Keypair.generate().publicKey.toBase58(),
  lastValidBlockHeight: 300,
};

test('the transfer has exactly the lamports, treasury and reference of the order', () => {
  const transfer = transferOf(ORDER, payer.publicKey);
  const decoded = SystemInstruction.decodeTransfer({ ...transfer, keys: transfer.keys.slice(0, 2) });
  expect(decoded.toPubkey.toBase58()).toBe(ORDER.treasury);
  expect(Number(decoded.lamports)).toBe(ORDER.lamports);
  expect(transfer.keys.at(-1)).toEqual({ pubkey: new PublicKey(ORDER.reference), isSigner: false, isWritable: false });
});

test('a wallet with version 0 gets that version, another the legacy one; both contain the reference', () => {
  const versioned = paymentOf(draft, 0) as VersionedTransaction;
  expect(versioned.version).toBe(0);
  expect(versioned.message.staticAccountKeys.map(String)).toContain(ORDER.reference);
  const legacy = paymentOf(draft, 'legacy') as Transaction;
  expect(legacy.feePayer?.equals(payer.publicKey)).toBe(true);
  expect(legacy.instructions).toHaveLength(1);
  expect(legacy.instructions[0]?.programId.equals(SystemProgram.programId)).toBe(true);
  expect(legacy.instructions[0]?.keys.map(({ pubkey }) => pubkey.toBase58())).toContain(ORDER.reference);
});

test('an unsigned payment has no signature, a signed one has 64 bytes', () => {
  for (const version of [0, 'legacy'] as const) {
    const payment = paymentOf(draft, version);
    expect(signatureBytes(payment)).toBeNull();
    if (payment instanceof VersionedTransaction) payment.sign([payer]);
    else payment.sign(payer);
    expect(signatureBytes(payment)).toHaveLength(64);
  }
});
