import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Chain } from '../solana/chain.js';
import { openRuntime, type Runtime, signedTransfer } from './solana-runtime.js';

const PRICE = 20_000_000;
let nowMs: number;
let place: Awaited<ReturnType<typeof scratch>>;
let runtime: Runtime;
let buyer: Keypair;
let reference: Keypair['publicKey'];

const statusOf = async (signature: string) =>
  (await runtime.connection.getSignatureStatus(signature, { searchTransactionHistory: true })).value;
const pay = async (version: 0 | 'legacy' = 0) =>
  signedTransfer(runtime.connection, buyer, { to: runtime.treasury, lamports: PRICE, reference, version });
const received = () => runtime.connection.getBalance(runtime.treasury);

beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 21);
  place = stopAfterTest(await scratch());
  runtime = await openRuntime(place.folder, () => nowMs);
  buyer = Keypair.generate();
  reference = Keypair.generate().publicKey;
  await runtime.airdrop(buyer.publicKey);
});
afterEach(() => runtime.close());

describe('a transfer', () => {
  test.each([['legacy' as const], [0 as const]])(
    'of version %s moves lamports, charges a fee, and is found by its reference',
    async (version) => {
      const signature = await runtime.connection.sendRawTransaction(await pay(version));
      expect(await received()).toBe(PRICE);
      expect(await runtime.connection.getBalance(buyer.publicKey)).toBe(1e9 - PRICE - 5_000);
      nowMs += 60_000;
      const [found] = await runtime.connection.getSignaturesForAddress(reference, {}, 'finalized');
      expect(found).toMatchObject({ signature, err: null, confirmationStatus: 'finalized' });
      const whole = await runtime.connection.getTransaction(signature, {
        commitment: 'finalized',
        maxSupportedTransactionVersion: 0,
      });
      const keys = whole?.transaction.message.getAccountKeys().staticAccountKeys ?? [];
      expect(keys.map(String)).toEqual(
        expect.arrayContaining([buyer.publicKey, runtime.treasury, reference].map(String)),
      );
      const at = keys.findIndex((key) => key.equals(runtime.treasury));
      expect((whole?.meta?.postBalances[at] ?? 0) - (whole?.meta?.preBalances[at] ?? 0)).toBe(PRICE);
    },
  );

  test('becomes processed, confirmed and finalized over time', async () => {
    const signature = await runtime.connection.sendRawTransaction(await pay());
    expect((await statusOf(signature))?.confirmationStatus).toBe('processed');
    expect(await runtime.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })).toBeNull();
    nowMs += 1_000;
    expect((await statusOf(signature))?.confirmationStatus).toBe('confirmed');
    expect(await runtime.connection.getSignaturesForAddress(reference, {}, 'finalized')).toEqual([]);
    nowMs += 3_000;
    expect((await statusOf(signature))?.confirmationStatus).toBe('finalized');
  });

  test('without enough lamports, with a wrong signature or an old blockhash is rejected before it is sent', async () => {
    const poor = Keypair.generate();
    await runtime.airdrop(poor.publicKey, 0.01);
    const tooMuch = await signedTransfer(runtime.connection, poor, { to: runtime.treasury, lamports: PRICE });
    await expect(runtime.connection.sendRawTransaction(tooMuch)).rejects.toThrow(/insufficient lamports/);
    const forged = await pay();
    forged[5] = (forged[5] ?? 0) ^ 1;
    await expect(runtime.connection.sendRawTransaction(forged)).rejects.toThrow(/SignatureFailure/);
    const stale = await pay();
    nowMs += 61_000;
    await expect(runtime.connection.sendRawTransaction(stale)).rejects.toThrow(/Blockhash not found/);
    expect(await received()).toBe(0);
  });

  test('lands once when it is sent twice', async () => {
    const wire = await pay();
    const first = await runtime.connection.sendRawTransaction(wire);
    expect(await runtime.connection.sendRawTransaction(wire, { skipPreflight: true })).toBe(first);
    await expect(runtime.connection.sendRawTransaction(wire)).rejects.toThrow(/already been processed/);
    expect(await received()).toBe(PRICE);
  });
});

test('a restart restores balances, transactions and blockhashes, even after a torn last line', async () => {
  const signature = await runtime.connection.sendRawTransaction(await pay('legacy'));
  const { blockhash } = await runtime.connection.getLatestBlockhash('processed');
  const genesis = await runtime.connection.getGenesisHash();
  const { treasury } = runtime;
  await runtime.close();
  await appendFile(join(place.folder, 'solana', 'journal.jsonl'), '{"kind":"airdrop","addr');
  nowMs += 10_000;
  runtime = await openRuntime(place.folder, () => nowMs, treasury);
  expect(await received()).toBe(PRICE);
  expect(await runtime.connection.getBalance(buyer.publicKey)).toBe(1e9 - PRICE - 5_000);
  expect((await statusOf(signature))?.confirmationStatus).toBe('finalized');
  expect((await runtime.connection.getSignaturesForAddress(reference)).map((one) => one.signature)).toEqual([
    signature,
  ]);
  expect((await runtime.connection.isBlockhashValid(blockhash)).value).toBe(true);
  expect(await runtime.connection.getGenesisHash()).toBe(genesis);
  await runtime.connection.sendRawTransaction(await pay());
  expect(await received()).toBe(2 * PRICE);
});

describe('the fault', () => {
  test('drop: returns the signature, and the transaction never lands', async () => {
    await runtime.fault('drop', 1);
    const dropped = await runtime.connection.sendRawTransaction(await pay());
    nowMs += 100_000;
    expect(await statusOf(dropped)).toBeNull();
    expect(await received()).toBe(0);
    await runtime.connection.sendRawTransaction(await pay());
    expect(await received()).toBe(PRICE);
  });

  test('hold: the transaction lands when the fault is cleared, unless its blockhash has expired', async () => {
    await runtime.fault('hold');
    const held = await runtime.connection.sendRawTransaction(await pay());
    nowMs += 20_000;
    expect(await statusOf(held)).toBeNull();
    await runtime.fault('clear');
    expect((await statusOf(held))?.err).toBeNull();
    expect(await received()).toBe(PRICE);
    await runtime.fault('hold', 1);
    const lost = await runtime.connection.sendRawTransaction(await pay());
    nowMs += 61_000;
    await runtime.fault('clear');
    expect(await statusOf(lost)).toBeNull();
    expect(await received()).toBe(PRICE);
  });

  test('fail: the transaction lands with an error and costs its fee, also after a restart', async () => {
    await runtime.fault('fail', 1);
    const failed = await runtime.connection.sendRawTransaction(await pay());
    expect((await statusOf(failed))?.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    const { treasury } = runtime;
    await runtime.close();
    runtime = await openRuntime(place.folder, () => nowMs, treasury);
    expect(await received()).toBe(0);
    expect(await runtime.connection.getBalance(buyer.publicKey)).toBe(1e9 - 5_000);
  });

  test('rpc-down: fails as many calls as requested', async () => {
    await runtime.fault('rpc-down', 2);
    await expect(runtime.connection.getSlot()).rejects.toThrow(/503/);
    await expect(runtime.connection.getSlot()).rejects.toThrow(/503/);
    expect(await runtime.connection.getSlot()).toBeGreaterThan(-1);
  });

  test.each([[{ mode: 'explode' }], [{ mode: 'drop', times: 0 }], [{}]])('%j is rejected', async (body) => {
    expect((await runtime.post('/dev/solana/faults', body)).status).toBe(400);
  });
});

test('a wallet gets the fee, the rent and an unsigned simulation before it signs', async () => {
  const { connection } = runtime;
  const { VersionedTransaction } = await import('@solana/web3.js');
  const transaction = VersionedTransaction.deserialize(await pay());
  expect((await connection.getFeeForMessage(transaction.message)).value).toBe(5_000);
  expect(await connection.getMinimumBalanceForRentExemption(0)).toBe(890_880);
  transaction.signatures = [new Uint8Array(64)];
  const { value } = await connection.simulateTransaction(transaction, {
    sigVerify: false,
    replaceRecentBlockhash: true,
  });
  expect(value.err).toBeNull();
  expect(await received()).toBe(0);
  const unknown = await runtime.post('/', { jsonrpc: '2.0', id: 7, method: 'getProgramAccounts', params: [] });
  expect(await unknown.json()).toMatchObject({ id: 7, error: { code: -32_601 } });
});

/* The kernel refuses files above a process limit: this simulates a full disk, which has room again once the limit is lifted. */
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!hasLimits)('a full disk (skipped without prlimit)', () => {
  test('an airdrop that the journal could not store did not happen; the next start reads all others', async () => {
    const file = join(place.folder, 'full.jsonl');
    const to = Keypair.generate().publicKey.toBase58();
    const script = `
      import { execFileSync } from 'node:child_process';
      const { Chain } = await import(${JSON.stringify(new URL('../solana/chain.ts', import.meta.url).href)});
      const chain = Chain.open(${JSON.stringify(file)}, () => ${nowMs});
      let airdrops = 0;
      try {
        for (;;) {
          chain.airdrop('${to}', 1e9);
          airdrops += 1;
        }
      } catch {}
      const full = chain.balance('${to}') / 1e9;
      execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:unlimited']);
      chain.airdrop('${to}', 1e9);
      console.log(JSON.stringify({ airdrops, full, after: chain.balance('${to}') / 1e9 }));`;
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    const env = { ...process.env, NODE_OPTIONS: '' };
    const child = spawnSync('prlimit', ['--fsize=1000:unlimited', ...node], { env, encoding: 'utf8' });
    expect(child.stderr).toBe('');
    const { airdrops, full, after } = JSON.parse(child.stdout);
    expect([full, after]).toEqual([airdrops, airdrops + 1]);
    const again = Chain.open(file, () => nowMs);
    expect(again.balance(to) / 1e9).toBe(after);
    again.close();
  });
});
