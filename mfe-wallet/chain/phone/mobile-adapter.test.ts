import { createStore } from '@cord/sdk';
import { WalletReadyState } from '@solana/wallet-adapter-base';
import { Keypair } from '@solana/web3.js';
import type { MobileWallet } from '@solana-mobile/mobile-wallet-adapter-protocol';
import bs58 from 'bs58';
import { beforeEach, expect, test, vi } from 'vitest';
import { ORDER } from '../../wallet.fixtures';
import { base64, bytesOf } from '../base64';
import { paymentOf } from '../pay';
import { connectFailure, payFailure } from '../wallet-errors';
import { MobileAdapter } from './mobile-adapter';
import { mobileAdapters } from './mobile-adapters';

const payer = Keypair.generate();
const blockhash = Keypair.generate().publicKey.toBase58();
const DRAFT = { order: ORDER, payer: payer.publicKey, blockhash, lastValidBlockHeight: 1 };
const SIGNATURE = Uint8Array.from({ length: 64 }, (_, index) => index + 1);

/** A wallet app that approves everything, and what was requested of it. */
function app(changes: Partial<Record<keyof MobileWallet, unknown>> = {}) {
  const authorize = vi.fn(async (_call: unknown) => ({
    accounts: [{ address: base64(payer.publicKey.toBytes()) }],
    auth_token: 'token',
    wallet_uri_base: 'https://wallet.example',
  }));
  const signAndSendTransactions = vi.fn(async (_call: { payloads: string[] }) => ({
    signatures: [base64(SIGNATURE)],
  }));
  const signMessages = vi.fn(async ({ payloads }: { payloads: string[] }) => ({
    signed_payloads: payloads.map((message) => base64(new Uint8Array([...bytesOf(message), ...SIGNATURE]))),
  }));
  const wallet = { authorize, signAndSendTransactions, signMessages, ...changes } as unknown as MobileWallet;
  const close = vi.fn();
  const open = vi.fn(async (_base: string | undefined) => ({ wallet: Promise.resolve(wallet), close }));
  const adapter = new MobileAdapter({
    name: 'Mobile Wallet Adapter',
    icon: 'data:,',
    readyState: WalletReadyState.Loadable,
    open,
    chain: async () => 'solana:devnet',
  });
  return { adapter, authorize, signAndSendTransactions, open, close };
}

const DESK = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('location', { origin: 'https://cord.example' });
  vi.stubGlobal('window', { isSecureContext: true });
  vi.stubGlobal('navigator', { userAgent: DESK });
});

test('requests an account of the wallet app on the page’s network, and closes the session', async () => {
  const { adapter, authorize, close } = app();
  await adapter.connect();
  expect(adapter.publicKey?.equals(payer.publicKey)).toBe(true);
  expect(authorize).toHaveBeenCalledWith(
    expect.objectContaining({ chain: 'solana:devnet', identity: expect.objectContaining({ name: 'CORD' }) }),
  );
  expect(close).toHaveBeenCalledOnce();
});

test('an expired token does not end a payment: the account is authorized again in the same session', async () => {
  const { adapter, authorize, open } = app();
  await adapter.connect();
  const ended = Object.assign(new Error('auth_token not valid'), { code: -1 });
  authorize.mockRejectedValueOnce(ended);
  expect(await adapter.sendTransaction(paymentOf(DRAFT, 0))).toBe(bs58.encode(SIGNATURE));
  expect(authorize.mock.calls[2]?.[0]).not.toHaveProperty('auth_token');
  expect(open).toHaveBeenCalledTimes(2);
});

test('if the app rejects the token at the payment, the next payment is authorized without it', async () => {
  const { adapter, authorize, signAndSendTransactions } = app();
  await adapter.connect();
  signAndSendTransactions.mockRejectedValueOnce(Object.assign(new Error('not authorized'), { code: -1 }));
  await expect(adapter.sendTransaction(paymentOf(DRAFT, 0))).rejects.toThrow('not authorized');
  expect(await adapter.sendTransaction(paymentOf(DRAFT, 0))).toBe(bs58.encode(SIGNATURE));
  expect(authorize.mock.calls.at(-1)?.[0]).not.toHaveProperty('auth_token');
});

test.each([0, 'legacy'] as const)('lets the app sign and send a transaction of version %s', async (version) => {
  const { adapter, authorize, signAndSendTransactions, open } = app();
  await adapter.connect();
  expect(await adapter.sendTransaction(paymentOf(DRAFT, version))).toBe(bs58.encode(SIGNATURE));
  expect(signAndSendTransactions).toHaveBeenCalledOnce();
  // The token of the first time, and the wallet's own address, go along.
  expect(authorize.mock.calls[1]?.[0]).toMatchObject({ auth_token: 'token' });
  expect(open.mock.calls.map(([base]) => base)).toEqual([undefined, 'https://wallet.example']);
});

test('returns the 64 bytes of a message’s signature', async () => {
  const { adapter } = app();
  await adapter.connect();
  expect(await adapter.signMessage(new TextEncoder().encode('CORD'))).toEqual(SIGNATURE);
});

test('an authorization lasts over a reload without opening the app, until it is disconnected', async () => {
  const first = app();
  await first.adapter.connect();
  const { adapter, open } = app();
  await adapter.autoConnect();
  expect(adapter.publicKey?.equals(payer.publicKey)).toBe(true);
  expect(open).not.toHaveBeenCalled();
  const left = vi.fn();
  adapter.on('disconnect', left);
  await adapter.disconnect();
  expect(left).toHaveBeenCalledOnce();
  expect(adapter.connected).toBe(false);
  const after = app();
  await after.adapter.autoConnect();
  expect(after.adapter.publicKey).toBeNull();
});

test.each([
  ['ERROR_WALLET_NOT_FOUND', 'not-found'],
  ['ERROR_BROWSER_NOT_SUPPORTED', 'incompatible'],
  ['ERROR_LOOPBACK_ACCESS_BLOCKED', 'incompatible'],
  ['ERROR_SESSION_TIMEOUT', 'timeout'],
])('maps the protocol error %s to %s', async (code, kind) => {
  const { adapter, open } = app();
  open.mockRejectedValue(Object.assign(new Error('x'), { code }));
  const listener = vi.fn();
  adapter.on('error', listener);
  await expect(adapter.connect()).rejects.toThrow();
  expect(connectFailure(listener.mock.calls[0]?.[0], adapter.name).problem).toEqual({ kind });
});

test.each([
  [-1, 'rejected'],
  [-3, 'rejected'],
  [-4, 'not-sent'],
  ['ERROR_SESSION_CLOSED', 'lost'],
])('maps %s in response to a payment to %s', async (code, kind) => {
  const { adapter, signAndSendTransactions, close } = app();
  await adapter.connect();
  signAndSendTransactions.mockRejectedValue(Object.assign(new Error('x'), { code }));
  const error = await adapter.sendTransaction(paymentOf(DRAFT, 0)).catch((thrown: unknown) => thrown);
  expect(payFailure(error, adapter.name)).toMatchObject({ problem: { kind } });
  expect(close).toHaveBeenCalledTimes(2);
});

test('a session that ends before the request to send is disconnected: nothing was paid', async () => {
  const { adapter, open, close, signAndSendTransactions } = app();
  await adapter.connect();
  const closed = Object.assign(new Error('The wallet session was closed before connection.'), {
    code: 'ERROR_SESSION_CLOSED',
  });
  open.mockImplementation(async () => ({ wallet: Promise.reject(closed), close }));
  const error = await adapter.sendTransaction(paymentOf(DRAFT, 0)).catch((thrown: unknown) => thrown);
  expect(payFailure(error, adapter.name)).toMatchObject({ problem: { kind: 'disconnected' } });
  expect(signAndSendTransactions).not.toHaveBeenCalled();
});

test('is offered on Android, elsewhere only with a reflector', () => {
  const chain = async () => 'solana:mainnet' as const;
  const names = (reflector: string | null) =>
    mobileAdapters({ chain, link: createStore<string | null>(null), reflector }).map(({ name }) => String(name));
  expect(names(null)).toEqual([]);
  expect(names('reflect.example')).toEqual(['Remote Mobile Wallet Adapter']);
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile' });
  for (const reflector of [null, 'reflect.example']) expect(names(reflector)).toEqual(['Mobile Wallet Adapter']);
});
