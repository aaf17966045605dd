import { ConfigError, loadConfig } from '@cord/kit/config';
import { expect, test } from 'vitest';
import { config, shopOf, signaturesKey } from './config.js';

/** What stored hashes were keyed with since the first release, for this secret. */
const TOMBSTONE_KEY = 't'.repeat(64);
const SIGNATURES_KEY = 'e150bdda72a8566f70ffacc7028031350fa8d7af930ff93b07e4b83f38a4a40c';

const keyOf = (env: Record<string, string>) => signaturesKey(loadConfig(config, env)).toString('hex');

test('used signatures keep their key, whether the start made it or rewards makes it of the secret', () => {
  expect(keyOf({ SIGNATURES_KEY })).toBe(SIGNATURES_KEY);
  expect(keyOf({ TOMBSTONE_KEY })).toBe(SIGNATURES_KEY);
  expect(keyOf({ TOMBSTONE_KEY: 'u'.repeat(64), SIGNATURES_KEY })).toBe(SIGNATURES_KEY);
});

test('there are orders with an address of the chain and a wallet that is paid; one without the other is named, and rewards does not start', () => {
  const rpcUrl = 'https://rpc.example';
  const treasury = '5PKDPp6cw7CEfnWaJf4EkYPn3jaaH8PbHjL6uj3WSGYj';
  const of = (env: Record<string, string>) => shopOf(loadConfig(config, env));
  expect(of({ SOLANA_RPC_URL: rpcUrl, SOLANA_TREASURY: treasury })).toEqual({ rpcUrl, treasury });
  expect(of({})).toBeNull();
  expect(() => of({ SOLANA_TREASURY: treasury })).toThrow('SOLANA_RPC_URL: is needed with SOLANA_TREASURY');
  expect(() => of({ SOLANA_RPC_URL: rpcUrl })).toThrow('SOLANA_TREASURY: is needed with SOLANA_RPC_URL');
});

test('without either rewards does not start', () => {
  expect(() => keyOf({})).toThrow(ConfigError);
  expect(() => keyOf({ SIGNATURES_KEY: 'short' })).toThrow('SIGNATURES_KEY');
});
