import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64 } from './bytes.js';
import type { ChainEntry } from './chain.js';
import { chainStart, entryHash } from './chain.js';
import { changed, failure, made, proof, remade, sha256, verdict } from './test/frauds.js';
import { accountId, dayOf, entriesOf, leafOf, logOf, resealed } from './test/sample.js';

/* Frauds that an operator could try with a ledger: the one verifier finds each, and names the first part that breaks. */

test('a valid proof holds, with its figures in the verdict', async () => {
  const own = proof();
  expect(await verdict(own)).toMatchObject({
    ok: true,
    text: `OK 10 entries, balance 425.000005, root ${made.recordOf()?.root.slice(0, 12)}, 5 recomputed, rates not checked`,
    entries: 10,
    recomputed: 5,
    balanceMicro: 425_000_005n,
    signed: true,
    newest: { n: 10, head: own.leaf.head },
  });
  for (let n = 0; n < made.ids.length; n += 1) expect((await verdict(made.proofOf(n))).ok).toBe(true);
});

test('a proof of an account without entries holds, even alone in its day', async () => {
  const leaf = leafOf(accountId(1), []);
  const day = dayOf([leaf]);
  const log = logOf([day.record], made.key);
  const file = { version: 1, account: leaf.account, opened: null, entries: [], leaf, index: 0, path: [] };
  expect(await verdict({ ...file, record: day.record, tlog: log.tlogOf(0) })).toMatchObject({ ok: true, entries: 0 });
});

test('a proof with a carried balance holds, and fails when that balance is changed', async () => {
  const opened = { seq: '900', balance: '62000000000' };
  const own = proof();
  let previous = chainStart(sha256, own.account, opened);
  const entries = own.entries.map((entry) => {
    const carried = {
      ...entry,
      seq: String(Number(entry.seq) + 900),
      balance: String(BigInt(entry.balance) + 62_000_000_000n),
    };
    previous = entryHash(sha256, previous, carried);
    return { ...carried, hash: previous };
  });
  const file = remade({ ...own, opened, entries }, leafOf(own.account, entries));
  expect(await verdict(file)).toMatchObject({
    ...{ ok: true, balanceMicro: 62_425_000_005n },
    text: expect.stringContaining('balance 62425.000005, of which 62000 brought along, '),
  });
  // A carried sum that was changed, with balances that fit it.
  const raised = entries.map((entry) => ({ ...entry, balance: String(BigInt(entry.balance) + 1n) }));
  const wrong = { ...file, opened: { ...opened, balance: '62000000001' } };
  expect(await failure(wrong)).toMatchObject({ part: 'entry', n: '1' });
  expect(await failure({ ...wrong, entries: raised })).toMatchObject({ part: 'entry', n: '1' });
  expect(await failure({ ...file, opened: null })).toMatchObject({ part: 'entry', n: '1' });
  expect(await failure({ ...file, opened: { seq: '900', balance: '062' } })).toMatchObject({ part: 'file' });
});

describe('the verifier finds in the ledger', () => {
  /* A forgery by the key's holder: with its own hash, leaf, root and signature. Only the rule finds it. */
  const own = made.ids[2] as string;
  test.each<[string, (entry: ChainEntry) => Partial<ChainEntry>, string]>([
    [
      'an amount that is not what its facts make',
      ({ balance }) => ({ amount: '30000001', balance: String(BigInt(balance) + 1n) }),
      'its amount is 30000001, its facts make 30000000',
    ],
    [
      'a balance that the amounts do not make',
      ({ balance }) => ({ balance: String(BigInt(balance) + 1n) }),
      'its balance is 170000003, the amounts up to it make 170000002',
    ],
    ["another user's key", () => ({ key: 'mining:x:12' }), 'its key mining:x:12 is of another account'],
    ['a key of another source', () => ({ source: 'task' }), `its key mining:${own}:12 is none of task`],
    ['a number that does not rise', () => ({ seq: '9' }), 'its seq 9 follows 9'],
    ['another spelling', () => ({ amount: '030000000' }), 'its amount is no whole number in its one spelling'],
  ])('%s', async (_what, change, text) => {
    const entries = entriesOf(own, 10, (entry) => (entry.n === '4' ? change(entry) : {}));
    const file = remade({ ...proof(), entries }, leafOf(own, entries));
    expect((await failure(file)).text).toBe(`MISMATCH entry 4: ${text}`);
  });

  test('a dropped entry', async () => {
    const file = proof(({ entries }) => ({ entries: entries.filter(({ n }) => n !== '4') }));
    expect((await failure(file)).text).toBe('MISMATCH entry 4: number 5 stands in its place');
  });

  test('a tail cut off below the leaf', async () => {
    const file = proof(({ entries }) => ({ entries: entries.slice(0, -1) }));
    expect((await failure(file)).text).toBe('MISMATCH leaf: it covers 10 entries, 9 are here');
  });

  test('a tail cut off above the leaf, when the browser has seen it', async () => {
    const own = made.proofOf(0);
    const all = entriesOf(own.account, own.entries.length + 3);
    const later = all.slice(own.entries.length);
    const seen = { n: all.length, head: all.at(-1)?.hash ?? '' };
    expect(await verdict(own, { later, seen })).toMatchObject({ ok: true, newest: seen });
    expect(await failure(own, { later: later.slice(0, -1), seen })).toMatchObject({ part: 'entry', n: String(seen.n) });
    expect(await failure(own, { seen })).toMatchObject({ part: 'entry', n: '13' });
    const other = resealed(
      own.account,
      all.map((entry) => (entry.n === '14' ? { ...entry, reason: 'Other' } : entry)),
    );
    expect(await failure(own, { later: other.slice(12), seen })).toMatchObject({ part: 'entry', n: '15' });
  });

  test('a completely rewritten chain', async () => {
    const file = proof(({ account, entries }) => ({
      entries: resealed(
        account,
        entries.map((entry) => ({ ...entry, reason: 'Other' })),
      ),
    }));
    expect(await failure(file)).toMatchObject({ part: 'leaf' });
    const own = proof();
    const seen = { n: 3, head: own.entries[2]?.hash ?? '' };
    const anew = remade({ ...own, entries: file.entries }, leafOf(own.account, file.entries));
    expect(await verdict(anew)).toMatchObject({ ok: true });
    expect((await failure(anew, { seen })).text).toBe('MISMATCH entry 3: it is not the entry that was seen before');
  });

  test('a lone surrogate, which would be encoded like another text', async () => {
    expect(await failure(changed(5, { reason: '\ud800' }))).toMatchObject({ part: 'entry', n: '5' });
    const { hash: _, ...entry } = proof().entries[4] as ChainEntry;
    expect(() => entryHash(sha256, '', { ...entry, reason: '\ud800' })).toThrow('surrogate');
  });
});

describe('a file that is no proof', () => {
  test.each([
    ['nothing', null],
    ['a text', 'proof'],
    ['a list', []],
    ['another version', proof(() => ({ version: 2 as never }))],
    ['entries that are none', proof(() => ({ entries: {} as never }))],
    ['a path of other parts', proof(() => ({ path: [['1', 'x']] }))],
    ['a leaf without its sum', proof(({ leaf }) => ({ leaf: { ...leaf, sum: undefined as never } }))],
    ['a record that is none', proof(() => ({ record: undefined as never }))],
  ])('%s is reported', async (_, file) => {
    expect(await failure(file)).toMatchObject({ part: 'file' });
  });

  test('never makes the verifier throw, whatever any place of it contains', async () => {
    const places: (string | number)[][] = [];
    const collect = (value: unknown, at: (string | number)[]) => {
      places.push(at);
      if (typeof value === 'object' && value !== null)
        for (const [key, below] of Object.entries(value)) collect(below, [...at, key]);
    };
    const whole = { ...proof(({ entries }) => ({ entries: entries.slice(0, 3) })), rules: '["cord/rules/2"]' };
    collect(whole, []);
    const texts = ['\ud800', '', '-1', '0.5', 'NaN', '1e3', '9'.repeat(40), '=', '\n\n'];
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(...texts, undefined, -1, 0.5, 2 ** 60),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), value, async (place, to) => {
        const file: unknown = place.length === 0 ? to : structuredClone(whole);
        let at = file as Record<string, unknown>;
        for (const key of place.slice(0, -1)) at = at[key] as Record<string, unknown>;
        if (place.length > 0) at[place.at(-1) as string] = to;
        expect(typeof (await verdict(file)).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });

  test('has base64 in one spelling only', () => {
    for (const text of ['AB==', 'AA=', 'A A=', 'AA\n=', '-A==']) expect(fromBase64(text), text).toBeNull();
    expect(fromBase64('AA==')).toEqual(Uint8Array.of(0));
  });
});
