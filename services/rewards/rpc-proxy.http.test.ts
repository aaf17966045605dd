import type { ServerResponse } from 'node:http';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { serveHttp } from '@cord/kit/testing/http-server';
import { call } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRpcProxy, RPC_METHODS } from './rpc-proxy.js';
import { transferOf, wallet } from './test/chain.js';
import { openShop } from './test/shop.js';

const shop = forAllTests(() => openShop());
let token: string;
beforeAll(async () => {
  ({ token } = await shop.buyer());
});
afterEach(() => shop.chain.fault('clear'));

const rpc = (method: string, params: unknown[] = []) =>
  call(shop.url, rewardEndpoints.rpc, { body: { jsonrpc: '2.0', id: 'mine', method, params }, token });

describe('the RPC proxy', () => {
  test('forwards calls of signed-in users with the caller’s own id, and responds 401 to others', async () => {
    const { status, body } = await rpc('getBalance', [shop.chain.treasury.toBase58()]);
    expect([status, body]).toEqual([
      200,
      { jsonrpc: '2.0', id: 'mine', result: { context: expect.any(Object), value: 0 } },
    ]);
    const body2 = { jsonrpc: '2.0', id: 1, method: 'getBalance', params: [] };
    expect((await call(shop.url, rewardEndpoints.rpc, { body: body2 })).status).toBe(401);
  });

  test('responds 503 without a configured network, and 422 to a method that is not allowed', async () => {
    const without = async (method: string) => {
      const body = { jsonrpc: '2.0' as const, id: 1, method, params: [] };
      return (await call(shop.alone.url, rewardEndpoints.rpc, { body, token })).status;
    };
    expect([await without('getProgramAccounts'), await without('getLatestBlockhash')]).toEqual([422, 503]);
  });

  test('sends a signed transaction, and passes on why the network rejects one', async () => {
    const from = await wallet(shop.chain, 0.01);
    const { blockhash } = ((await rpc('getLatestBlockhash')).body as { result: { value: { blockhash: string } } })
      .result.value;
    const { TransactionMessage, VersionedTransaction } = await import('@solana/web3.js');
    const instructions = [transferOf(from, { to: shop.chain.treasury.toBase58(), lamports: 20_000_000 })];
    const message = new TransactionMessage({ payerKey: from.publicKey, recentBlockhash: blockhash, instructions });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    transaction.sign([from]);
    const wire = Buffer.from(transaction.serialize()).toString('base64');
    const poor = await rpc('sendTransaction', [wire, { encoding: 'base64' }]);
    expect(poor.body).toMatchObject({
      error: { code: -32_002, data: { err: { InstructionError: [0, { Custom: 1 }] } } },
    });
    await shop.chain.airdrop(from.publicKey);
    const sent = (await rpc('sendTransaction', [wire, { encoding: 'base64' }])).body as { result: string };
    const statuses = (await rpc('getSignatureStatuses', [[sent.result]])).body;
    expect(statuses).toMatchObject({ result: { value: [{ err: null, confirmationStatus: 'processed' }] } });
  });

  test.each([
    'getProgramAccounts',
    'requestAirdrop',
    'getTransaction',
    'getSignaturesForAddress',
    '__proto__',
    'GETBALANCE',
  ])('rejects %s with 422', async (method) => {
    const { status, problem } = await rpc(method);
    expect([status, problem.type]).toEqual([422, 'rpc-method-not-allowed']);
  });

  test('forwards every method of the allow-list', async () => {
    const answers = await Promise.all([...RPC_METHODS].map((method) => rpc(method)));
    const codes = answers.map(({ body }) => (body as { error?: { code: number } }).error?.code ?? 0);
    expect(codes).not.toContain(-32_601);
  });

  test('responds 503 with Retry-After while the network is away, and recovers', async () => {
    await shop.chain.fault('rpc-down', 1);
    const { status, headers, problem } = await rpc('getGenesisHash');
    expect([status, problem.type]).toEqual([503, 'wallet-network-away']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await rpc('getGenesisHash')).status).toBe(200);
  });
});

describe('a provider of the network', () => {
  const KEY = 'sk-very-secret';
  let answer: (url: string) => { status: number; headers?: Record<string, string>; body: string };
  const server = forAllTests(() =>
    serveHttp((request, response) => {
      const { status, headers, body } = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    }),
  );

  const through = async () => {
    const proxy = createRpcProxy(`${server.url}/?api-key=${KEY}`);
    try {
      return JSON.stringify(await proxy.forward('a', { jsonrpc: '2.0', id: 1, method: 'getGenesisHash' }));
    } catch (err) {
      const { message, status } = err as Error & { status: number };
      return `${status} ${message}`;
    }
  };

  test('that includes its key in a response does not leak it', async () => {
    answer = (url) => ({ status: 401, body: JSON.stringify({ message: `bad key in ${url}` }) });
    expect(await through()).toBe('503 The wallet network is not available right now.');
    answer = (url) => ({ status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'hash', debug: url }) });
    expect(await through()).toBe('{"jsonrpc":"2.0","id":1,"result":"hash"}');
  });

  test.each([
    [1, 2],
    [3, 9],
  ])('that is slow holds at most %d calls of one user and %d of all users; others get 503', async (ofOne, all) => {
    const held: ServerResponse[] = [];
    const slow = stopAfterTest(await serveHttp((_request, response) => void held.push(response)));
    const proxy = createRpcProxy(slow.url, { ofOne, all });
    const pass = (userId: string) => proxy.forward(userId, { jsonrpc: '2.0', id: 1, method: 'getGenesisHash' });
    const waiting = Array.from({ length: all }, (_, n) => pass(`user-${Math.floor(n / ofOne)}`));
    await expect(pass('user-0')).rejects.toMatchObject({ status: 503 });
    await expect(pass('a-newcomer')).rejects.toMatchObject({ status: 503 });
    await vi.waitFor(() => expect(held).toHaveLength(all), PATIENCE_MS);
    for (const response of held) response.end('{"result":1}');
    await Promise.all(waiting);
    const [one, another] = [pass('user-0'), pass('a-newcomer')];
    await vi.waitFor(() => expect(held).toHaveLength(all + 2), PATIENCE_MS);
    for (const response of held.slice(all)) response.end('{"result":2}');
    expect(await Promise.all([one, another])).toMatchObject([{ result: 2 }, { result: 2 }]);
  });

  test('that redirects, or responds with nonsense or more than 256 KiB, is away', async () => {
    const unavailable = '503 The wallet network is not available right now.';
    answer = () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' });
    expect(await through()).toBe(unavailable);
    answer = () => ({ status: 200, body: '<html>' });
    expect(await through()).toBe(unavailable);
    answer = () => ({ status: 200, body: JSON.stringify({ result: 'x'.repeat(300_000) }) });
    expect(await through()).toBe(unavailable);
  });
});
