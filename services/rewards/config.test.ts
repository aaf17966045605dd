import { loadConfig } from '@cord/kit/config';
import { expect, test } from 'vitest';
import { config, shopOf } from './config.js';

const SIGNATURES_KEY = 'e1'.repeat(32);

test('orders need both an RPC URL and a treasury; with only one, rewards does not start and names the other', () => {
  const rpcUrl = 'https://rpc.example';
  const treasury = '5PKDPp6cw7CEfnWaJf4EkYPn3jaaH8PbHjL6uj3WSGYj';
  const of = (env: Record<string, string>) => shopOf(loadConfig(config, { SIGNATURES_KEY, ...env }));
  expect(of({ SOLANA_RPC_URL: rpcUrl, SOLANA_TREASURY: treasury })).toEqual({ rpcUrl, treasury });
  expect(of({})).toBeNull();
  expect(() => of({ SOLANA_TREASURY: treasury })).toThrow('SOLANA_RPC_URL: is required with SOLANA_TREASURY');
  expect(() => of({ SOLANA_RPC_URL: rpcUrl })).toThrow('SOLANA_TREASURY: is required with SOLANA_RPC_URL');
});

test('without SIGNATURES_KEY, rewards does not start', () => {
  expect(() => loadConfig(config, { TOMBSTONE_KEY: 't'.repeat(64) })).toThrow('SIGNATURES_KEY: is required');
  expect(() => loadConfig(config, { SIGNATURES_KEY: 'short' })).toThrow('SIGNATURES_KEY');
});
