import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../infra/build/source-files.ts';
import { PERSONAL_KEYS } from './storage';

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
