import { ConfigError, loadConfig } from '@cord/kit/config';
import { expect, test } from 'vitest';
import { config, signaturesKey } from './config.js';

/** What stored hashes were keyed with since the first release, for this secret. */
const TOMBSTONE_KEY = 't'.repeat(64);
const SIGNATURES_KEY = 'e150bdda72a8566f70ffacc7028031350fa8d7af930ff93b07e4b83f38a4a40c';

const keyOf = (env: Record<string, string>) => signaturesKey(loadConfig(config, env)).toString('hex');

test('used signatures keep their key, whether the start made it or rewards makes it of the secret', () => {
  expect(keyOf({ SIGNATURES_KEY })).toBe(SIGNATURES_KEY);
  expect(keyOf({ TOMBSTONE_KEY })).toBe(SIGNATURES_KEY);
  expect(keyOf({ TOMBSTONE_KEY: 'u'.repeat(64), SIGNATURES_KEY })).toBe(SIGNATURES_KEY);
});

test('without either rewards does not start', () => {
  expect(() => keyOf({})).toThrow(ConfigError);
  expect(() => keyOf({ SIGNATURES_KEY: 'short' })).toThrow('SIGNATURES_KEY');
});
