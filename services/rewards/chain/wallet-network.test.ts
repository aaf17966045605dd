import { text } from 'node:stream/consumers';
import { createMetrics } from '@cord/kit/metrics';
import { serveHttp } from '@cord/kit/testing/http-server';
import { createTestClock } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { timed } from './timed.js';
import { createWalletNetwork, NetworkAway, Unreadable, type WalletNetwork } from './wallet-network.js';

const NOON_MS = Date.UTC(2026, 10, 18, 12);
const clock = createTestClock(NOON_MS);
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
  network = createWalletNetwork(server.url, clock);
});

const result = (id: unknown, value: unknown) => ({ body: JSON.stringify({ jsonrpc: '2.0', id, result: value }) });
/** A node without transactions, and the time of its newest final block. */
const nothingAt = (blockTimeMs: number) => (method: string, id: unknown) => {
  if (method === 'getSlot') return result(id, 7);
  if (method === 'getBlockTime') return result(id, Math.floor(blockTimeMs / 1_000));
  if (method === 'getSignaturesForAddress') return result(id, []);
  return result(id, method === 'getTransaction' ? null : { context: { slot: 9 }, value: [null] });
};
const top = { before: null, limit: 1_000 };
const reference = Keypair.generate().publicKey.toBase58();

describe('the wallet network', () => {
  test('is away if it does not respond or responds with 503 or 429', async () => {
    const nowhere = createWalletNetwork('http://127.0.0.1:1', clock);
    await expect(nowhere.sighting('s')).rejects.toThrow(NetworkAway);
    answer = () => ({ status: 503, body: 'down' });
    await expect(network.signaturesOf(reference, top)).rejects.toThrow(NetworkAway);
    answer = () => ({ status: 429, body: '{"jsonrpc":"2.0","error":{"code":429,"message":"slow down"}}' });
    await expect(network.sighting('s')).rejects.toThrow(NetworkAway);
  });

  test('is measured with the outcomes answered and away', async () => {
    const metrics = createMetrics('rewards', { processFigures: false });
    const measured = createWalletNetwork(server.url, clock, timed(metrics, 'payments'));
    const line = { signature: 's', slot: 1, err: null, memo: null };
    answer = (_, id) => result(id, [line]);
    expect(await measured.signaturesOf(reference, top)).toEqual(['s']);
    answer = () => ({ status: 503, body: 'down' });
    await expect(measured.signaturesOf(reference, top)).rejects.toThrow(NetworkAway);
    const figures = await metrics.registry.metrics();
    for (const outcome of ['answered', 'away'])
      expect(figures).toContain(
        `cord_wallet_network_duration_seconds_count{service="rewards",who="payments",outcome="${outcome}"} 1`,
      );
  });

  test('makes only the queried payment unreadable if the response is an error or malformed', async () => {
    answer = (_, id) => ({
      body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_015, message: 'version 9' } }),
    });
    await expect(network.sighting('s')).rejects.toThrow(Unreadable);
    answer = (_, id) => result(id, { not: 'a transaction' });
    await expect(network.sighting('s')).rejects.toThrow(Unreadable);
    answer = () => ({ body: '<html>' });
    await expect(network.signaturesOf(reference, top)).rejects.toThrow(Unreadable);
  });

  test('makes only the queried payment unreadable if the response exceeds 8 MiB', async () => {
    const unseen = { context: { slot: 1 }, value: [null] };
    answer = (method, id) => {
      const { body } = result(id, method === 'getTransaction' ? null : unseen);
      return { body: body + ' '.repeat(8 * 1024 * 1024) };
    };
    await expect(network.sighting('s')).rejects.toThrow(Unreadable);
  });

  test('distinguishes a missing transaction from one that is not final', async () => {
    const status = { slot: 1, confirmations: 1, err: null, confirmationStatus: 'confirmed' };
    answer = nothingAt(NOON_MS - 13_000);
    expect(await network.sighting('s')).toEqual({ kind: 'unseen' });
    answer = (method, id) => result(id, method === 'getTransaction' ? null : { context: { slot: 1 }, value: [status] });
    expect(await network.sighting('s')).toEqual({ kind: 'seen' });
  });

  test('makes a missing transaction unreadable while the node is more than 60 s behind', async () => {
    const behind = createWalletNetwork(server.url, clock);
    for (const lagMs of [61_000, 3_600_000]) {
      answer = nothingAt(clock.now() - lagMs);
      await expect(behind.sighting('s')).rejects.toThrow(Unreadable);
      await expect(behind.signaturesOf(reference, top)).rejects.toThrow(Unreadable);
    }
    answer = nothingAt(clock.now() - 60_000);
    expect(await behind.sighting('s')).toEqual({ kind: 'unseen' });
    expect(await behind.signaturesOf(reference, top)).toEqual([]);
    // The node stands still: its newest block becomes too old.
    await clock.advance(1_000);
    await expect(behind.sighting('s')).rejects.toThrow(Unreadable);
    answer = () => ({ status: 503, body: 'down' });
    await expect(behind.sighting('s')).rejects.toThrow(NetworkAway);
  });
});
