import { text } from 'node:stream/consumers';
import { createMetrics } from '@cord/kit/metrics';
import { serveHttp } from '@cord/kit/testing/http-server';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { timed } from './timed.js';
import { createWalletNetwork, NetworkAway, Unreadable, type WalletNetwork } from './wallet-network.js';

let network: WalletNetwork;
let answer: (method: string, id: unknown) => { status?: number; body: string };
const server = forAllTests(() =>
  serveHttp(async (request, response) => {
    const { method, id } = JSON.parse(await text(request));
    const { status = 200, body } = answer(method, id);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }),
);
beforeAll(() => {
  network = createWalletNetwork(server.url);
});

const result = (id: unknown, value: unknown) => ({ body: JSON.stringify({ jsonrpc: '2.0', id, result: value }) });
const top = { before: null, limit: 1_000 };
const reference = Keypair.generate().publicKey.toBase58();

describe('the wallet network', () => {
  test('that does not answer is away: neither no nor yes', async () => {
    const nowhere = createWalletNetwork('http://127.0.0.1:1');
    await expect(nowhere.sighting('s')).rejects.toThrow(NetworkAway);
    answer = () => ({ status: 503, body: 'down' });
    await expect(network.signaturesOf(reference, top)).rejects.toThrow(NetworkAway);
    answer = () => ({ status: 429, body: '{"jsonrpc":"2.0","error":{"code":429,"message":"slow down"}}' });
    await expect(network.sighting('s')).rejects.toThrow(NetworkAway);
  });

  test('is measured: what answered, and what was away', async () => {
    const metrics = createMetrics('rewards', { processFigures: false });
    const measured = createWalletNetwork(server.url, timed(metrics, 'payments'));
    answer = (_, id) => result(id, []);
    expect(await measured.signaturesOf(reference, top)).toEqual([]);
    answer = () => ({ status: 503, body: 'down' });
    await expect(measured.signaturesOf(reference, top)).rejects.toThrow(NetworkAway);
    const figures = await metrics.registry.metrics();
    for (const outcome of ['answered', 'away'])
      expect(figures).toContain(
        `cord_wallet_network_duration_seconds_count{service="rewards",who="payments",outcome="${outcome}"} 1`,
      );
  });

  test('that answers an error or nonsense is unreadable for that payment alone', async () => {
    answer = (_, id) => ({
      body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_015, message: 'version 9' } }),
    });
    await expect(network.sighting('s')).rejects.toThrow(Unreadable);
    answer = (_, id) => result(id, { not: 'a transaction' });
    await expect(network.sighting('s')).rejects.toThrow(Unreadable);
    answer = () => ({ body: '<html>' });
    await expect(network.signaturesOf(reference, top)).rejects.toThrow(Unreadable);
  });

  test('that answers more than 8 MiB is unreadable for that payment alone, and is not read to its end', async () => {
    const unseen = { context: { slot: 1 }, value: [null] };
    answer = (method, id) => {
      const { body } = result(id, method === 'getTransaction' ? null : unseen);
      return { body: body + ' '.repeat(8 * 1024 * 1024) };
    };
    await expect(network.sighting('s')).rejects.toThrow(Unreadable);
  });

  test('distinguishes what is not there from what is not final', async () => {
    const status = { slot: 1, confirmations: 1, err: null, confirmationStatus: 'confirmed' };
    const answering = (value: unknown) => (method: string, id: unknown) =>
      method === 'getTransaction' ? result(id, null) : result(id, { context: { slot: 1 }, value: [value] });
    answer = answering(null);
    expect(await network.sighting('s')).toEqual({ kind: 'unseen' });
    answer = answering(status);
    expect(await network.sighting('s')).toEqual({ kind: 'seen' });
  });
});
