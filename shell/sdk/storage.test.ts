import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../infra/build/source-files.ts';
import { PERSONAL_KEYS, safeStorage } from './storage';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Keys that may stay on a device for the next person, with the reason. */
const OF_THE_DEVICE: Readonly<Record<string, string>> = {
  'cord.theme': 'how this device looks',
  'cord.live-motion': 'how this device looks',
  'cord.notices-key': 'how this device is used',
  'cord:operators-keys': 'how this device is used',
  'cord.canary-lot': 'a random number of this browser',
  'cord.ledger-log': 'the public log, which every account is checked against',
  'cord.pending-referral': 'waits for whoever signs up next',
  'cord.payment.lost': 'the id of an order that a wallet may have paid, which nobody is to pay again',
  'cord.payment': 'a signed payment that no server has yet is worth more than a clean device',
};
/** Names of the same form that are no storage keys. */
const NO_KEYS = new Set(['cord.purchase']);

test('every storage key of the pages is personal, or may stay on the device for a named reason', () => {
  const sources = sourceFiles([
    '{shell,infra/admin,storybook/ui,mfe-*}/**/*.{ts,tsx}',
    '!**/*.{test,stories,stage}.{ts,tsx}',
    '!**/testing/**',
  ]);
  const used = new Set(
    sources.flatMap(
      (file) => readFileSync(path.join(ROOT, file), 'utf8').match(/(?<=')cord[.:][a-z][a-z.-]*(?=')/g) ?? [],
    ),
  );
  for (const key of NO_KEYS) used.delete(key);
  expect([...used].sort()).toEqual([...PERSONAL_KEYS, ...Object.keys(OF_THE_DEVICE)].sort());
});

/** Storage that can refuse its values, as when it is full. */
function storageThat(refuses: { values: boolean }) {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (refuses.values) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
    removeItem: (key: string) => stored.delete(key),
  };
  return { stored, safe: safeStorage(() => storage as unknown as Storage) };
}

test('a refused value lasts as long as the page, unless a later one is stored', () => {
  const refuses = { values: true };
  const { stored, safe } = storageThat(refuses);
  safe.setItem('theme', 'dark');
  expect([safe.getItem('theme'), stored.get('theme')]).toEqual(['dark', undefined]);
  refuses.values = false;
  safe.setItem('theme', 'light');
  expect([safe.getItem('theme'), stored.get('theme')]).toEqual(['light', 'light']);
  refuses.values = true;
  safe.setItem('theme', 'dark');
  safe.removeItem('theme');
  expect([safe.getItem('theme'), stored.get('theme')]).toEqual([null, undefined]);
});

test('a browser without storage works without it', () => {
  const blocked = safeStorage(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(blocked.getItem('theme')).toBeNull();
  blocked.setItem('theme', 'dark');
  expect(blocked.getItem('theme')).toBe('dark');
  blocked.removeItem('theme');
  expect(blocked.getItem('theme')).toBeNull();
});
