import {
  AddressLookupTableAccount,
  Keypair,
  type MessageV0,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  type VersionedMessage,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { judge, returnsPayment } from '../domain/payment.js';
import { readTransaction } from './read-transaction.js';

const PRICE = 20_000_000;
const key = () => Keypair.generate().publicKey;
const [buyer, treasury, reference, friend] = [key(), key(), key(), key()];
const DUE = {
  reference: reference.toBase58(),
  treasury: treasury.toBase58(),
  lamports: PRICE,
  walletAddress: null,
  expiresAtMs: 1_000_000,
};

const payment = (lamports = PRICE): TransactionInstruction => {
  const transfer = SystemProgram.transfer({ fromPubkey: buyer, toPubkey: treasury, lamports });
  transfer.keys.push({ pubkey: reference, isSigner: false, isWritable: false });
  return transfer;
};
const plan = (instructions: TransactionInstruction[]) =>
  new TransactionMessage({ payerKey: buyer, recentBlockhash: PublicKey.default.toBase58(), instructions });
type Loaded = { writable: PublicKey[]; readonly: PublicKey[] };

/** A response of the network; the treasury gains `gain` lamports. */
function answer(message: VersionedMessage, gain: number, loaded?: Loaded): VersionedTransactionResponse {
  const keys = message
    .getAccountKeys(loaded ? { accountKeysFromLookups: loaded } : undefined)
    .keySegments()
    .flat();
  return {
    slot: 1,
    blockTime: 1,
    transaction: { message, signatures: [] },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: keys.map(() => 1e9),
      postBalances: keys.map((one) => 1e9 + (one.equals(treasury) ? gain : 0)),
      ...(loaded ? { loadedAddresses: loaded } : {}),
    },
  };
}

describe('a payment is read and confirmed from', () => {
  test('a legacy transaction', () => {
    const read = readTransaction('s', answer(plan([payment()]).compileToLegacyMessage(), PRICE));
    expect(read).toMatchObject({ signature: 's', succeeded: true, blockTimeMs: 1_000, signers: [buyer.toBase58()] });
    expect(judge(DUE, read).kind).toBe('confirmed');
  });

  test('a version 0 transaction', () => {
    const read = readTransaction('s', answer(plan([payment()]).compileToV0Message(), PRICE));
    expect(judge(DUE, read)).toEqual({
      kind: 'confirmed',
      paid: { payer: buyer.toBase58(), lamports: BigInt(PRICE) },
    });
  });

  test('a version 0 transaction that loads treasury and reference from a lookup table, and rejected without them', () => {
    const table = new AddressLookupTableAccount({
      key: key(),
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        authority: buyer,
        addresses: [reference, friend, treasury],
      },
    });
    const message: MessageV0 = plan([payment()]).compileToV0Message([table]);
    expect(message.staticAccountKeys.map(String)).not.toContain(treasury.toBase58());
    const loaded = { writable: [treasury], readonly: [reference] };
    const read = readTransaction('s', answer(message, PRICE, loaded));
    expect(read.transfers).toEqual([
      {
        from: buyer.toBase58(),
        to: treasury.toBase58(),
        lamports: BigInt(PRICE),
        keys: [buyer, treasury, reference].map(String),
      },
    ]);
    expect(judge(DUE, read).kind).toBe('confirmed');
    // Without the loaded addresses nothing can be decided: that is no refusal.
    expect(() => readTransaction('s', withoutLoaded(answer(message, PRICE, loaded)))).toThrow();
  });
});

/** A response in which a wallet's program made the transfer, like that of a multisig. */
function madeInside(from: PublicKey): VersionedTransactionResponse {
  const inner = SystemProgram.transfer({ fromPubkey: from, toPubkey: treasury, lamports: PRICE });
  inner.keys.push({ pubkey: reference, isSigner: false, isWritable: false });
  const keys = [...inner.keys.map((one) => ({ ...one, isSigner: false })), { ...OF_SYSTEM }];
  const message = plan([{ programId: key(), keys, data: Buffer.of(1) }]).compileToV0Message();
  const whole = answer(message, PRICE);
  const at = (one: PublicKey) => message.staticAccountKeys.findIndex((each) => each.equals(one));
  const compiled = {
    programIdIndex: at(SystemProgram.programId),
    accounts: inner.keys.map(({ pubkey }) => at(pubkey)),
    data: bs58.encode(inner.data),
  };
  return { ...whole, meta: { ...(whole.meta as Meta), innerInstructions: [{ index: 0, instructions: [compiled] }] } };
}
type Meta = NonNullable<VersionedTransactionResponse['meta']>;
const OF_SYSTEM = { pubkey: SystemProgram.programId, isSigner: false, isWritable: false };

describe('a transfer made by a wallet’s program', () => {
  test('pays like any other if the payer has signed', () => {
    expect(judge(DUE, readTransaction('s', madeInside(buyer)))).toEqual({
      kind: 'confirmed',
      paid: { payer: buyer.toBase58(), lamports: BigInt(PRICE) },
    });
  });

  test('out of a vault, which signs nothing, is owed to the vault', () => {
    const vault = key();
    expect(judge(DUE, readTransaction('s', madeInside(vault)))).toEqual({
      kind: 'owed',
      reason: 'other-payer',
      paid: [{ payer: vault.toBase58(), lamports: BigInt(PRICE) }],
    });
  });

  test('can return a payment out of a treasury that is a vault, if it succeeded and its payer keeps it', () => {
    const transaction = readTransaction('s', madeInside(friend));
    const returned = (more: object, from = friend) =>
      returnsPayment({ ...transaction, ...more }, treasury.toBase58(), BigInt(PRICE), [from.toBase58()]);
    expect([returned({}), returned({}, buyer)]).toEqual([true, false]);
    expect([returned({ succeeded: false }), returned({ changes: new Map() })]).toEqual([false, false]);
  });
});

describe('a transaction', () => {
  test('has no transfers of another program, of another instruction or with malformed data', () => {
    const other = payment();
    other.programId = key();
    const allocate = SystemProgram.allocate({ accountPubkey: buyer, space: 10 });
    allocate.keys.push(...payment().keys.slice(1));
    const broken = payment();
    broken.data = broken.data.subarray(0, 6);
    const message = plan([other, allocate, broken]).compileToV0Message();
    expect(readTransaction('s', answer(message, PRICE)).transfers).toEqual([]);
  });

  test('without its outcome cannot be read', () => {
    const whole = answer(plan([payment()]).compileToV0Message(), PRICE);
    expect(() => readTransaction('s', { ...whole, meta: null })).toThrow('the transaction has no meta');
  });
});

function withoutLoaded(response: VersionedTransactionResponse): VersionedTransactionResponse {
  if (!response.meta) return response;
  const { loadedAddresses: _, ...meta } = response.meta;
  return { ...response, meta };
}
