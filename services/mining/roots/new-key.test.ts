import { readNote, readVkey, signers, vkeyOf } from '@cord/contracts/proof/note';
import { readKeyRecord } from '@cord/contracts/proof/records';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { DAY_MS } from '@cord/contracts/rules/days';
import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../ledger/chain.js';
import { account, FIRST_MS, KEY, ORIGIN, outcomeOf, setUpRoots } from '../test/roots.js';
import { logKey } from './key.js';
import type { RootStore } from './store.js';

const { parts, run, put, collection, ending } = setUpRoots();

describe('a new key', () => {
  const next = logKey('n'.repeat(64));
  const third = logKey('t'.repeat(64));
  const rotating = (own?: RootStore) => ({ ...parts(own), keys: [next, KEY] });
  const signedBy = async (size: number, keys: readonly ReturnType<typeof logKey>[]) => {
    const note = readNote((await parts().store.headOf(size))?.checkpoint ?? '');
    const vkeys = [KEY, next, third].map((one) => readVkey(sha256, one.vkey(ORIGIN)));
    if (!note || !vkeys.every((vkey) => vkey !== null)) throw new Error('there is no such checkpoint');
    const expected = keys.map((one) => one.vkey(ORIGIN));
    const found = (await signers(NODE_PRIMITIVES, note, vkeys)) || [];
    expect(found.map((one) => vkeyOf(sha256, one.name, one.key)).sort()).toEqual(expected.sort());
  };
  beforeEach(async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await run();
  });

  test('gets a record that both keys sign, and both sign for thirty days', async () => {
    await run(FIRST_MS + 1, rotating());
    await run(FIRST_MS + 2, rotating());
    const records = await parts().store.records();
    expect(records.map(({ day }) => day)).toEqual(['2026-11-25', '']);
    const record = { vkey: next.vkey(ORIGIN), from: 2 };
    expect(readKeyRecord(records[1]?.text ?? '')).toEqual(record);
    await signedBy(1, [KEY]);
    await signedBy(2, [KEY, next]);
    await run(FIRST_MS + 29 * DAY_MS, rotating());
    await signedBy(3, [KEY, next]);
    await run(FIRST_MS + 31 * DAY_MS, rotating());
    await signedBy(4, [next]);
    // Then the former one may go.
    await run(FIRST_MS + 32 * DAY_MS, { ...parts(), keys: [next] });
    await signedBy(5, [next]);
    expect((await parts().store.lastRecord())?.day).toBe('2026-12-27');
  });

  test('is added before a day that is due', async () => {
    await run(FIRST_MS + DAY_MS, rotating());
    expect((await parts().store.records()).map(({ day }) => day)).toEqual(['2026-11-25', '', '2026-11-26']);
    await signedBy(2, [KEY, next]);
    await signedBy(3, [KEY, next]);
  });

  test('is refused without its predecessor, and a former key cannot come back', async () => {
    await expect(run(FIRST_MS + 1, { ...parts(), keys: [next] })).rejects.toThrow('does not vouch for it');
    await expect(run(FIRST_MS + 1, { ...parts(), keys: [next, third] })).rejects.toThrow('does not vouch for it');
    expect(await parts().store.records()).toHaveLength(1);
    await run(FIRST_MS + 1, rotating());
    await expect(run(FIRST_MS + DAY_MS)).rejects.toThrow('does not vouch for it');
    await expect(run(FIRST_MS + DAY_MS, { ...parts(), keys: [KEY, next] })).rejects.toThrow('does not vouch for it');
    expect(await parts().store.records()).toHaveLength(2);
    await run(FIRST_MS + DAY_MS, { ...parts(), keys: [third, next] });
    await signedBy(3, [next, third]);
    await signedBy(4, [next, third]);
  });

  test.each(['before', 'after'] as const)('is added once when a run ends %s any of its calls', async (when) => {
    for (let at = 1; ; at += 1) {
      for (const [name, least] of [
        ['root_records', 1],
        ['root_heads', 2],
      ] as const)
        await collection(name).deleteMany({ _id: { $gte: least } } as never);
      const own = ending(at, when);
      const outcome = await outcomeOf(run(FIRST_MS + DAY_MS, rotating(own.store)));
      await run(FIRST_MS + DAY_MS, rotating());
      expect((await parts().store.records()).map(({ day }) => day)).toEqual(['2026-11-25', '', '2026-11-26']);
      await signedBy(2, [KEY, next]);
      await signedBy(3, [KEY, next]);
      if (outcome === 'whole') break;
      expect(outcome).toBe('ended');
    }
  });

  test('is added once by concurrent replicas', async () => {
    await Promise.all([1, 2, 3].map(() => run(FIRST_MS + 1, rotating()).catch(() => undefined)));
    await run(FIRST_MS + 2, rotating());
    expect((await parts().store.records()).map(({ day }) => day)).toEqual(['2026-11-25', '']);
    await signedBy(2, [KEY, next]);
  });
});
