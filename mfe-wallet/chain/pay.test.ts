import { ApiError } from '@cord/sdk';
import { at, createTestSdk, offline, type TestSdk } from '@cord/sdk/testing';
import {
  type Adapter,
  type SignerWalletAdapter,
  WalletConfigError,
  WalletSignTransactionError,
} from '@solana/wallet-adapter-base';
import { Keypair, type Transaction, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, expect, test, vi } from 'vitest';
import { WalletFailure } from '../failures';
import { ORDER } from '../wallet.fixtures';
import { pay } from './pay';

const payer = Keypair.generate();
const address = payer.publicKey.toBase58();
const account = { wallet: 'Phantom', address };
const BLOCKHASH = Keypair.generate().publicKey.toBase58();
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKU3V3TkfWHHz';

/** Of the blockhash. */
const SLOT = 150;
/** What an account has to keep unless it is emptied. */
const RENT = 890_880;

type Answer = { result?: unknown; error?: { code: number; message: string } };

/** With which the network refuses what its preflight finds. */
const PREFLIGHT = -32_002;

/** The network, method by method. */
function networkOf(answers: Record<string, Answer | (() => Answer)> = {}): TestSdk {
  const usual: Record<string, Answer> = {
    getGenesisHash: { result: 'a network of this machine' },
    getLatestBlockhash: {
      result: { context: { slot: SLOT }, value: { blockhash: BLOCKHASH, lastValidBlockHeight: 300 } },
    },
    getBalance: { result: { value: 1_000_000_000 } },
    getFeeForMessage: { result: { value: 5_000 } },
    getMinimumBalanceForRentExemption: { result: RENT },
    sendTransaction: { result: 'sent' },
  };
  const sdk = createTestSdk();
  sdk.api.on(at.rewards.rpc, ({ body }) => {
    const answer = answers[body?.method ?? ''] ?? usual[body?.method ?? ''] ?? {};
    return typeof answer === 'function' ? answer() : answer;
  });
  return sdk;
}

function adapterOf(changes: Record<string, unknown> = {}): Adapter {
  return {
    name: 'Phantom',
    publicKey: payer.publicKey,
    supportedTransactionVersions: new Set(['legacy', 0]),
    signTransaction: async (payment: Transaction | VersionedTransaction) => {
      if (payment instanceof VersionedTransaction) payment.sign([payer]);
      else payment.sign(payer);
      return payment;
    },
    ...changes,
  } as unknown as Adapter;
}

const sent = (sdk: TestSdk) =>
  sdk.api
    .callsOf(at.rewards.rpc)
    .map(({ body }) => body as { method: string; params: unknown[] })
    .filter(({ method }) => method === 'sendTransaction');

const problemOf = (failing: Promise<unknown>) =>
  failing.then(
    () => null,
    (error: unknown) => (error instanceof WalletFailure ? error.problem : error),
  );

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://cord.example' });
});

test.each([
  ['0', new Set(['legacy', 0])],
  ['legacy', null],
])('signs a transaction of version %s, and reports its signature before sending it', async (version, versions) => {
  const sdk = networkOf();
  const signatures: { signature: string; sentBefore: number }[] = [];
  const signature = await pay({
    sdk,
    adapter: adapterOf({ supportedTransactionVersions: versions }),
    order: ORDER,
    account,
    signed: (each) => signatures.push({ signature: each, sentBefore: sent(sdk).length }),
    requested: () => expect.unreachable('it signs alone'),
  });
  expect(signatures).toEqual([{ signature, sentBefore: 0 }]);
  const bytes = Buffer.from(String(sent(sdk)[0]?.params[0]), 'base64');
  const transaction = VersionedTransaction.deserialize(bytes);
  expect(String(transaction.version)).toBe(version);
  // By a number of tries its node would give up while the payment can still be taken.
  expect(sent(sdk)[0]?.params[1]).not.toHaveProperty('maxRetries');
  // A node that is behind does not know the blockhash, nor does a preflight with finalized state.
  const options = { encoding: 'base64', preflightCommitment: 'confirmed', minContextSlot: SLOT };
  expect(sent(sdk)[0]?.params[1]).toMatchObject(options);
  expect(bs58.encode(transaction.signatures[0] as Uint8Array)).toBe(signature);
});

test.each([
  ['a network of this machine', '#localhost'],
  [MAINNET, '#https://api.mainnet-beta.solana.com'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', '#devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', '#testnet'],
])('uses a wallet that only signs and sends by itself, on the network with genesis hash %s', async (genesis, mark) => {
  const sdk = networkOf({ getGenesisHash: { result: genesis } });
  const [sendTransaction, requested] = [vi.fn(async () => 'its signature'), vi.fn()];
  const adapter = adapterOf({ signTransaction: undefined, sendTransaction });
  expect(await pay({ sdk, adapter, order: ORDER, account, signed: () => undefined, requested })).toBe('its signature');
  expect(requested).toHaveBeenCalledBefore(sendTransaction);
  const [, connection] = sendTransaction.mock.calls[0] as unknown as [unknown, { rpcEndpoint: string }];
  expect(connection.rpcEndpoint).toBe(`https://cord.example/api/rpc${mark}`);
  expect(sent(sdk)).toEqual([]);
});

const refused = (adapter: Adapter, sdk = networkOf(), order = ORDER) =>
  problemOf(pay({ sdk, adapter, order, account, signed: () => undefined, requested: () => undefined })).then(
    (problem) => {
      expect(sent(sdk)).toEqual([]);
      return problem;
    },
  );

test.each([
  ['that signs', { signTransaction: () => new Promise(() => undefined) }, 'disconnected'],
  ['that signs and sends', { signTransaction: undefined, sendTransaction: () => new Promise(() => undefined) }, 'lost'],
])('a wallet %s and never responds is given up once its blockhash has expired', async (_which, mute, kind) => {
  vi.useFakeTimers();
  const sdk = networkOf();
  const ended = vi.fn();
  void refused(adapterOf(mute), sdk).then(ended);
  await vi.advanceTimersByTimeAsync(149_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledWith({ kind });
  vi.useRealTimers();
});

test('a decline by code or by text is rejected', async () => {
  const declines = (error: Error) => adapterOf({ signTransaction: () => Promise.reject(error) });
  const coded = Object.assign(new Error('no'), { code: 4001 });
  expect(await refused(declines(new WalletSignTransactionError('no', coded)))).toEqual({ kind: 'rejected' });
  expect(await refused(declines(new Error('User rejected the request.')))).toEqual({ kind: 'rejected' });
});

test('a wallet without the required feature is unsupported', async () => {
  const signTransaction = () => Promise.reject(new WalletConfigError('no such feature'));
  expect(await refused(adapterOf({ signTransaction }))).toEqual({ kind: 'unsupported' });
});

test('a wallet without an account is disconnected', async () => {
  expect(await refused(adapterOf({ publicKey: null }))).toEqual({ kind: 'disconnected' });
});

test('an account other than the requested one, or than that of the order, does not pay', async () => {
  const other = Keypair.generate().publicKey;
  const changed = { kind: 'account-changed', address: other.toBase58() };
  expect(await refused(adapterOf({ publicKey: other }))).toEqual(changed);
  expect(await refused(adapterOf(), networkOf(), { ...ORDER, walletAddress: other.toBase58() })).toEqual({
    kind: 'account-changed',
    address,
  });
});

test('a wallet on another network gets the name of the expected one', async () => {
  const wallet = { accounts: [{ chains: ['solana:devnet'] }] };
  const adapter = adapterOf({ standard: true, wallet });
  expect(await refused(adapter)).toEqual({ kind: 'wrong-network', network: 'solana:localnet' });
  const mainnet = networkOf({ getGenesisHash: { result: MAINNET } });
  expect(await refused(adapter, mainnet)).toEqual({ kind: 'wrong-network', network: 'solana:mainnet' });
});

test.each([
  ['less than price and fee', 20_000_000],
  ['what would leave one lamport less than the rent minimum', 20_005_000 + RENT - 1],
  ['what would leave one lamport', 20_005_001],
])('%s is not enough, shown with both numbers before signing', async (_, has) => {
  const signTransaction = vi.fn();
  const poor = networkOf({ getBalance: { result: { value: has } } });
  expect(await refused(adapterOf({ signTransaction }), poor)).toEqual({
    kind: 'not-enough',
    has,
    needs: 20_005_000 + RENT,
  });
  expect(signTransaction).not.toHaveBeenCalled();
});

test('default values replace a fee and rent minimum that the network does not return', async () => {
  const away = { error: { code: -32_603, message: 'Internal error' } };
  const has = 20_005_000 + RENT - 1;
  const sdk = networkOf({
    getBalance: { result: { value: has } },
    getFeeForMessage: away,
    getMinimumBalanceForRentExemption: away,
  });
  expect(await refused(adapterOf(), sdk)).toEqual({ kind: 'not-enough', has, needs: 20_005_000 + RENT });
});

test.each([
  ['empties it', 20_005_000],
  ['leaves the rent minimum', 20_005_000 + RENT],
])('a wallet pays if the payment %s', async (_, has) => {
  const sdk = networkOf({ getBalance: { result: { value: has } } });
  await pay({ sdk, adapter: adapterOf(), order: ORDER, account, signed: () => undefined, requested: () => undefined });
  expect(sent(sdk)).toHaveLength(1);
});

test.each([
  'Transfer: insufficient lamports 7, need 20000000',
  'Transaction results in an account (0) with insufficient funds for rent',
  'Attempt to debit an account but found no record of a prior credit.',
  'Transaction simulation failed: {"InsufficientFundsForRent":{"account_index":0}}',
])('a balance that is too low when sending is not-enough too, for either kind of wallet: %s', async (message) => {
  let reads = 0;
  const sdk = networkOf({
    getBalance: () => ({ result: { value: reads++ % 2 === 0 ? 1_000_000_000 : 7 } }),
    sendTransaction: { error: { code: PREFLIGHT, message } },
  });
  const sendTransaction = () => Promise.reject(new Error(message));
  for (const adapter of [adapterOf(), adapterOf({ signTransaction: undefined, sendTransaction })]) {
    const problem = await problemOf(
      pay({ sdk, adapter, order: ORDER, account, signed: () => undefined, requested: () => undefined }),
    );
    expect(problem).toEqual({ kind: 'not-enough', has: 7, needs: 20_005_000 + RENT });
  }
});

test('a payment rejected by the preflight was not sent', async () => {
  const sdk = networkOf({ sendTransaction: { error: { code: PREFLIGHT, message: 'Blockhash not found' } } });
  const problem = await problemOf(
    pay({ sdk, adapter: adapterOf(), order: ORDER, account, signed: () => undefined, requested: () => undefined }),
  );
  expect(problem).toEqual({ kind: 'not-sent' });
});

test.each([
  ['had it before: its provider sends each twice', PREFLIGHT, 'This transaction has already been processed'],
  ['fails by itself, maybe after it has taken it', -32_603, 'Internal error'],
  ['is in front of another that is late', 504, 'upstream request timeout'],
])('a network that %s may have the payment, so its signature is returned', async (_, code, message) => {
  const sdk = networkOf({ sendTransaction: { error: { code, message } } });
  let known = '';
  const signed = (signature: string) => {
    known = signature;
  };
  const paid = pay({ sdk, adapter: adapterOf(), order: ORDER, account, signed, requested: () => undefined });
  expect(await paid).toBe(known);
});

test.each([
  ['refuses for now', { error: { code: 429, message: 'Too many requests' } }],
  ['is not so far yet to take', { error: { code: -32_016, message: 'Minimum context slot has not been reached' } }],
  ['does not answer', null],
])('a payment that the network %s is sent again with the same bytes, signed once', async (_, answer) => {
  vi.useFakeTimers();
  const answers: Answer[] = [];
  const sdk = networkOf({
    sendTransaction: () => {
      answers.push({ result: 'sent' });
      if (answers.length > 1) return { result: 'sent' };
      if (answer === null) throw offline();
      return answer;
    },
  });
  const signTransaction = vi.fn((adapterOf() as SignerWalletAdapter).signTransaction);
  const paid = pay({
    ...{ sdk, adapter: adapterOf({ signTransaction }), order: ORDER, account },
    ...{ signed: () => undefined, requested: () => undefined },
  });
  await paid.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(sent(sdk).length).toBeGreaterThan(1);
  expect(new Set(sent(sdk).map(({ params }) => JSON.stringify(params))).size).toBe(1);
  expect(signTransaction).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test('a wallet that reports its payment as already processed is lost, as the signature is unknown', async () => {
  const sendTransaction = () => Promise.reject(new Error('This transaction has already been processed'));
  expect(await refused(adapterOf({ signTransaction: undefined, sendTransaction }))).toEqual({ kind: 'lost' });
});

test('a missing response stays a network error, not a failure to send', async () => {
  const sdk = networkOf({
    sendTransaction: () => {
      throw offline();
    },
  });
  const problem = await problemOf(
    pay({ sdk, adapter: adapterOf(), order: ORDER, account, signed: () => undefined, requested: () => undefined }),
  );
  expect(problem).toBeInstanceOf(ApiError);
});

test('any other error shows the wallet’s own text', async () => {
  const adapter = adapterOf({ signTransaction: () => Promise.reject(new Error('Ledger is locked')) });
  expect(await refused(adapter)).toEqual({ kind: 'unexpected', message: 'Ledger is locked' });
});
