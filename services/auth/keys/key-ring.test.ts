import { createSeal } from '@cord/kit/seal';
import { expect, test } from 'vitest';
import type { KeyStore, StoredKey } from '../store/signing-keys.js';
import { createKeyRing, makeKey, SIGNING_KEYS } from './key-ring.js';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const seal = createSeal(() => ['k'.repeat(32)], SIGNING_KEYS);

test('a slow read that began before a key was revoked does not restore the key after a newer read', async () => {
  const keyOf = async (generation: number): Promise<StoredKey> => ({
    ...(await makeKey(seal)),
    generation,
    signsFromMs: NOW_MS - 1,
  });
  const [leaked, fresh] = [await keyOf(1), await keyOf(2)];
  let found = [leaked];
  const slow: (() => void)[] = [];
  const store = {
    async all() {
      const read = [...found];
      // The first look is slow.
      if (slow.length === 0) await new Promise<void>((resolve) => slow.push(resolve));
      return read;
    },
    add: async () => true,
    removeAll: async () => undefined,
  } as unknown as KeyStore;
  const ring = createKeyRing({ store, seal, now: () => NOW_MS });
  const first = ring.refresh();
  await expect.poll(() => slow.length).toBe(1);
  found = [fresh];
  const second = ring.refresh();
  // As long as a look takes without a wait.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  slow[0]?.();
  await Promise.all([first, second]);
  expect(ring.published().map(({ kid }) => kid)).toEqual([fresh.kid]);
  expect((await ring.current()).kid).toBe(fresh.kid);
});
