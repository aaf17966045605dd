import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeEach, expect, test } from 'vitest';
import { readFlags } from '../starter/flags.mjs';
import { readSettings } from '../starter/settings.ts';
import { planSolana } from '../starter/solana.ts';
import { type Console, openConsole } from './console.js';
import { openRuntime, type Runtime } from './solana-runtime.js';

const key = 'k'.repeat(32);
const CLUSTER = 'https://rpc.example';
const TREASURY = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

let place: Awaited<ReturnType<typeof scratch>>;
beforeEach(async () => {
  place = stopAfterTest(await scratch());
});

const planned = (env: Record<string, string> = {}) =>
  planSolana({ settings: readSettings(readFlags(['--data', place.folder]), env), port: 4711 });

test('in local mode rewards gets the runtime of this machine, with the same treasury at every start', async () => {
  const first = await planned();
  expect(first?.env.SOLANA_RPC_URL).toBe('http://127.0.0.1:4711');
  expect(first?.env.SOLANA_TREASURY).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  expect((await planned())?.env).toEqual(first?.env);
  expect((await planned({ SOLANA_TREASURY: TREASURY }))?.env.SOLANA_TREASURY).toBe(TREASURY);
});

test('with SOLANA_RPC_URL no runtime is planned', async () => {
  expect(await planned({ SOLANA_RPC_URL: CLUSTER, SOLANA_TREASURY: TREASURY })).toBeNull();
});

test('outside local mode no runtime is planned', async () => {
  expect(await planned({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's' })).toBeNull();
  const secrets = {
    SESSION_SECRET: key,
    KEY_ENCRYPTION_KEY: key,
    ADDRESS_HASH_KEY: key,
    LEDGER_LOG_KEY: key,
    TOMBSTONE_KEY: key,
    GATEWAY_KEY: key,
  };
  const site = { PUBLIC_ORIGIN: 'https://cord.example', DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's' };
  const production = { NODE_ENV: 'production', ...site, ...secrets };
  expect(await planned(production)).toBeNull();
});

test('the runtime does not start outside local mode', async () => {
  const { readConfig } = await import('../solana/config.js');
  expect(() => readConfig({ NODE_ENV: 'production', SOLANA_TREASURY: TREASURY })).toThrow(/local mode/);
  expect(() => readConfig({ DISCORD_CLIENT_ID: '1', SOLANA_TREASURY: TREASURY })).toThrow(/local mode/);
});

test('the console proxies its Solana area to the runtime', async () => {
  const runtime: Runtime = await openRuntime(place.folder, () => Date.now());
  const dev: Console = await openConsole(place.folder, { SOLANA_RUNTIME_URL: runtime.url });
  const about = await (await dev.call('/dev/solana')).json();
  expect(about).toEqual({ rpcUrl: `${dev.origin}/dev/solana/rpc`, treasury: runtime.treasury.toBase58() });
  expect((await dev.json('/dev/solana/airdrop', { address: TREASURY, sol: 1.5 })).status).toBe(200);
  const call = { jsonrpc: '2.0', id: 1, method: 'getBalance', params: [TREASURY] };
  expect(await (await dev.json('/dev/solana/rpc', call)).json()).toMatchObject({ result: { value: 1_500_000_000 } });
  expect((await dev.json('/dev/solana/airdrop', { address: 'no-address', sol: 1 })).status).toBe(400);
  expect((await dev.json('/dev/solana/faults', { mode: 'rpc-down', times: 1 })).status).toBe(200);
  expect((await dev.json('/dev/solana/rpc', call)).status).toBe(503);
  await dev.close();
  await runtime.close();
});

test('without a runtime the console responds with 404 under /dev/solana', async () => {
  const dev = await openConsole(place.folder);
  expect((await dev.call('/dev/solana')).status).toBe(404);
  expect((await dev.json('/dev/solana/airdrop', { address: TREASURY, sol: 1 })).status).toBe(404);
  await dev.close();
});
