import { describe, expect, test } from 'vitest';
import { fromBase64, toBase64, u64, utf8 } from './bytes.js';
import type { ChainEntry } from './chain.js';
import { chainStart, entryHash } from './chain.js';
import { historyFault, type Memo, memoFault, rotationFault, witnesses } from './history.js';
import { logJoin, recordHash } from './log-tree.js';
import { cosignatureLine, cosignedBytes, readCheckpoint, readNote, signedNote, vkeyOf } from './note.js';
import { keyRecordText, readDayRecord, readKeyRecord, readTlogProof, tlogProofText } from './records.js';
import { leafNode, sumJoin } from './sum-tree.js';
import { accountId, dayOf, entriesOf, leafOf, logOf, newKey, pastRecord, resealed, world } from './test/sample.js';
import { consistencyProof, levels, pathIn, rootOfPath } from './tree.js';
import { type Fails, type Known, type ProofFile, verifyProof } from './verify.js';
import { NODE_PRIMITIVES } from './verify-file.js';

/* What an operator could try, each found by the one verifier, which names what breaks first. */

const { sha256 } = NODE_PRIMITIVES;
const made = world();
const known: Known = { vkeys: [made.key.vkey] };
const proof = (changed: (own: ProofFile) => Partial<ProofFile> = () => ({})): ProofFile => {
  const own = made.proofOf(2);
  return { ...own, ...changed(own) };
};
const verdict = (file: unknown, with_: Known = {}) => verifyProof(NODE_PRIMITIVES, file, { ...known, ...with_ });
const failure = async (file: unknown, with_?: Known) => {
  const found = await verdict(file, with_);
  expect(found.ok, found.text).toBe(false);
  return found as Fails;
};
/** The entries of the file with one of them changed. */
const changed = (n: number, fields: Partial<ChainEntry>) =>
  proof(({ entries }) => ({
    entries: entries.map((entry) => (entry.n === String(n) ? { ...entry, ...fields } : entry)),
  }));

/** A file that is right in itself, of a day and a log that the operator made for it. */
function remade(own: ProofFile, leaf: ProofFile['leaf'], key = made.key): ProofFile {
  const day = dayOf(made.leaves.map((one, n) => (n === own.index ? leaf : one)));
  const log = logOf([...made.past, day.record], key);
  return { ...own, leaf, path: day.pathOf(own.index), record: day.record, tlog: log.tlogOf(made.past.length) };
}

test('a proof that holds', async () => {
  const own = proof();
  expect(await verdict(own)).toMatchObject({
    ok: true,
    text: `OK 10 entries, balance 425.000005, root ${made.recordOf()?.root.slice(0, 12)}`,
    entries: 10,
    recomputed: 5,
    balanceMicro: 425_000_005n,
    signed: true,
    newest: { n: 10, head: own.leaf.head },
  });
  for (let n = 0; n < made.ids.length; n += 1) expect((await verdict(made.proofOf(n))).ok).toBe(true);
});

test('of an account without entries, also alone in its day', async () => {
  const leaf = leafOf(accountId(1), []);
  const day = dayOf([leaf]);
  const log = logOf([day.record], made.key);
  const file = { version: 1, account: leaf.account, opened: null, entries: [], leaf, index: 0, path: [] };
  expect(await verdict({ ...file, record: day.record, tlog: log.tlogOf(0) })).toMatchObject({ ok: true, entries: 0 });
});

test('with a balance that was carried forward', async () => {
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
  expect(await verdict(file)).toMatchObject({ ok: true, balanceMicro: 62_425_000_005n });
  // A carried sum that was changed, with balances that fit it.
  const raised = entries.map((entry) => ({ ...entry, balance: String(BigInt(entry.balance) + 1n) }));
  const wrong = { ...file, opened: { ...opened, balance: '62000000001' } };
  expect(await failure(wrong)).toMatchObject({ part: 'entry', n: '1' });
  expect(await failure({ ...wrong, entries: raised })).toMatchObject({ part: 'entry', n: '1' });
  expect(await failure({ ...file, opened: null })).toMatchObject({ part: 'entry', n: '1' });
  expect(await failure({ ...file, opened: { seq: '900', balance: '062' } })).toMatchObject({ part: 'file' });
});

describe('the ledger', () => {
  test('an amount changed', async () => {
    expect(await failure(changed(5, { amount: '55000002' }))).toMatchObject({ part: 'entry', n: '5' });
    const fits = proof(({ entries }) => ({
      entries: entries.map((entry) =>
        Number(entry.n) < 5
          ? entry
          : {
              ...entry,
              amount: entry.n === '5' ? '55000002' : entry.amount,
              balance: String(BigInt(entry.balance) + 1n),
            },
      ),
    }));
    expect((await failure(fits)).text).toBe('MISMATCH entry 5: its hash is not the hash of what it says');
  });

  test('an amount that is not what its facts make', async () => {
    const entries = entriesOf(made.ids[2] as string, 10, (entry) =>
      entry.n === '4' ? { amount: '30000001', balance: String(BigInt(entry.balance) + 1n) } : {},
    );
    const file = remade({ ...proof(), entries }, leafOf(made.ids[2] as string, entries));
    expect((await failure(file)).text).toBe('MISMATCH entry 4: its amount is 30000001, its facts make 30000000');
  });

  test('an entry dropped', async () => {
    const file = proof(({ entries }) => ({ entries: entries.filter(({ n }) => n !== '4') }));
    expect((await failure(file)).text).toBe('MISMATCH entry 4: number 5 stands in its place');
  });

  test('two entries swapped', async () => {
    const file = proof(({ entries }) => ({
      entries: [entries[0], entries[2], entries[1], ...entries.slice(3)] as ChainEntry[],
    }));
    expect(await failure(file)).toMatchObject({ part: 'entry', n: '2' });
  });

  test('the tail cut off below the leaf', async () => {
    const file = proof(({ entries }) => ({ entries: entries.slice(0, -1) }));
    expect((await failure(file)).text).toBe('MISMATCH leaf: it covers 10 entries, 9 are here');
  });

  test('the tail cut off above the leaf, against a browser that remembers', async () => {
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

  test('the whole chain written anew', async () => {
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

  test('an entry inserted, with its number taken twice', async () => {
    const file = proof(({ entries }) => ({
      entries: [...entries.slice(0, 4), entries[3], ...entries.slice(4)] as ChainEntry[],
    }));
    expect((await failure(file)).text).toBe('MISMATCH entry 5: number 4 stands in its place');
  });

  test("another user's entry", async () => {
    const other = made.proofOf(1).entries[4] as ChainEntry;
    expect(await failure(changed(5, { key: other.key, hash: other.hash }))).toMatchObject({ part: 'entry', n: '5' });
    expect((await failure(changed(5, { key: other.key }))).text).toContain('of another account');
  });

  test('a right balance with one amount moved to another source', async () => {
    const key = `checkin:${made.ids[2]}:2026-11-26`;
    expect(await failure(changed(5, { source: 'checkin' }))).toMatchObject({ part: 'entry', n: '5' });
    expect(await failure(changed(5, { source: 'checkin', key }))).toMatchObject({ part: 'entry', n: '5' });
  });

  test.each(['reason', 'seq', 'at', 'key', 'facts', 'hash'] as const)('a changed %s', async (field) => {
    const to = {
      reason: 'Caf\u00e9 visite',
      seq: '16',
      at: '1',
      key: `task:6:${made.ids[2]}:once`,
      facts: '1 1 1',
      hash: toBase64(sha256(utf8(''))),
    };
    expect(await failure(changed(5, { [field]: to[field] }))).toMatchObject({ part: 'entry', n: '5' });
  });

  test.each([
    ['n', '05'],
    ['seq', '015'],
    ['amount', '055000001'],
    ['amount', '+55000001'],
    ['amount', '-0'],
    ['balance', '0x10'],
    ['balance', '9223372036854775808'],
    ['at', '1e3'],
    ['at', ''],
  ] as const)('a number of another spelling: %s %s', async (field, text) => {
    expect(await failure(changed(5, { [field]: text }))).toMatchObject({ part: 'entry', n: '5' });
  });

  test('two spellings of one text', async () => {
    // As JSON they are the same text, and hold; as Unicode they are two, and do not.
    const escaped = JSON.stringify(proof()).replaceAll('\u00e9', '\\u00e9');
    expect(escaped).toContain('Caf\\u00e9');
    expect((await verdict(JSON.parse(escaped))).ok).toBe(true);
    expect(await failure(changed(5, { reason: 'Cafe\u0301 visited' }))).toMatchObject({ part: 'entry', n: '5' });
  });

  test('half of a surrogate pair, which would be encoded like another text', async () => {
    expect(await failure(changed(5, { reason: '\ud800' }))).toMatchObject({ part: 'entry', n: '5' });
    const { hash: _, ...entry } = proof().entries[4] as ChainEntry;
    expect(() => entryHash(sha256, '', { ...entry, reason: '\ud800' })).toThrow('surrogate');
  });
});

describe('the tree', () => {
  const leafFault = async (fields: Partial<ProofFile['leaf']>) =>
    failure(proof(({ leaf }) => ({ leaf: { ...leaf, ...fields } })));

  test("another's leaf", async () => {
    const other = made.proofOf(1);
    expect(await failure(proof(() => ({ leaf: other.leaf, index: other.index, path: other.path })))).toMatchObject({
      part: 'leaf',
    });
    expect(await failure(other, { account: made.ids[2] as string })).toMatchObject({ part: 'file' });
  });

  test('one leaf for two users who have the same', async () => {
    const [one, two] = [made.proofOf(0), made.proofOf(3)];
    expect(one.leaf.sum).toBe(two.leaf.sum);
    expect(await failure({ ...two, leaf: one.leaf, index: one.index, path: one.path })).toMatchObject({ part: 'leaf' });
    const renamed = { ...one.leaf, account: two.account, head: two.leaf.head };
    expect(await failure({ ...two, leaf: renamed, index: one.index, path: one.path })).toMatchObject({ part: 'tree' });
  });

  test.each(['sum', 'n', 'head', 'who', 'salt', 'day'] as const)('another %s in the leaf', async (field) => {
    const to = { sum: '425000006', n: '11', head: toBase64(sha256(utf8(''))), who: 'x', salt: 'x', day: '2026-11-25' };
    expect((await leafFault({ [field]: to[field] })).part).toMatch(/^(leaf|tree)$/);
  });

  const withSibling = (sum: (was: bigint) => bigint) =>
    proof(({ path }) => ({
      path: path.map(([was, hash], at) => (at === 0 ? [String(sum(BigInt(was))), hash] : [was, hash])),
    }));

  test('a lowered sum of a sibling', async () => {
    expect(await failure(withSibling((was) => was - 1n))).toMatchObject({ part: 'tree' });
  });

  test('a negative sum of a sibling', async () => {
    expect((await failure(withSibling(() => -1n))).text).toBe('MISMATCH tree: a sum of -1 micro-CORD is out of range');
  });

  test('a sum that overflows', async () => {
    expect((await failure(withSibling(() => 2n ** 63n - 1n))).text).toContain('out of range');
    expect((await failure(withSibling(() => 2n ** 64n))).text).toContain('out of range');
  });

  test('another number of accounts, another total, another root in the record', async () => {
    const record = made.day.record;
    for (const [from, to] of [
      ['accounts 7', 'accounts 8'],
      ['accounts 7', 'accounts 6'],
      ['total ', 'total 1'],
      ['root ', 'root A'],
      ['erased 0', 'erased 1'],
      ['erased 0\n', 'erased 0\n\n'],
      ['accounts 7', 'accounts 07'],
    ] as const)
      expect((await failure(proof(() => ({ record: record.replace(from, to) })))).part, to).toMatch(/^(tree|log)$/);
  });

  test('the path of another index', async () => {
    for (const index of [0, 1, 3, 4, 5, 6, 7, -1, 0.5])
      expect(await failure(proof(() => ({ index })))).toMatchObject({ part: 'tree' });
  });

  test('a lone leaf that was doubled', async () => {
    const doubled = dayOf([...made.leaves, made.leaves[6] as ProofFile['leaf']]);
    const own = made.proofOf(6);
    expect(await failure({ ...own, path: doubled.pathOf(6) })).toMatchObject({ part: 'tree' });
    expect(readDayRecord(doubled.record)?.root).not.toBe(made.recordOf()?.root);
  });

  test('a leaf that is taken for a node, a node that is taken for a leaf', () => {
    const nodes = made.leaves.map((leaf) => leafNode(sha256, leaf));
    const [left, right] = nodes as [ReturnType<typeof leafNode>, ReturnType<typeof leafNode>];
    const { day, account, n, head, sum, who, salt } = made.leaves[0] as ProofFile['leaf'];
    const list = JSON.stringify(['cord/leaf/1', day, account, n, head, sum, who, salt]);
    expect(toBase64(left.hash)).toBe(toBase64(sha256(Uint8Array.of(0, ...utf8(list)))));
    const both = [left, right].flatMap((node) => [...u64(node.sum), ...node.hash]);
    const above = sumJoin(sha256)(left, right);
    expect(toBase64(above.hash)).toBe(toBase64(sha256(Uint8Array.of(1, ...both))));
    // A node stands one level higher: with its shorter path it is no leaf of this tree.
    const path = pathIn(levels(nodes, sumJoin(sha256)), 0).slice(1);
    expect(rootOfPath(above, 0, nodes.length, path, sumJoin(sha256))).toBeNull();
  });

  test("yesterday's leaf under today's root", async () => {
    const own = proof();
    const before = own.entries.slice(0, 8);
    const leaf = leafOf(own.account, before, '2026-11-25');
    expect(await failure({ ...own, entries: before, leaf })).toMatchObject({ part: 'leaf' });
    expect(await failure({ ...own, entries: before, leaf: { ...leaf, day: own.leaf.day } })).toMatchObject({
      part: 'tree',
    });
  });

  test('an account that was left out', async () => {
    const own = proof();
    const day = dayOf(made.leaves.filter(({ account }) => account !== own.account));
    const log = logOf([...made.past, day.record], made.key);
    for (let index = 0; index < 6; index += 1) {
      const file = { ...own, index, path: day.pathOf(index), record: day.record, tlog: log.tlogOf(made.past.length) };
      expect(await failure(file)).toMatchObject({ part: 'tree' });
    }
  });
});

describe('the log', () => {
  const withTlog = (change: (read: NonNullable<ReturnType<typeof readTlogProof>>) => Partial<typeof read>) =>
    proof(({ tlog }) => {
      const read = readTlogProof(tlog);
      if (!read) throw new Error('the sample has a proof');
      return { tlog: tlogProofText({ ...read, ...change(read) }) };
    });

  test('a day that is not in the log', async () => {
    const log = logOf([...made.past, pastRecord('2026-11-26')], made.key);
    expect((await failure(proof(() => ({ tlog: log.tlogOf(10) })))).text).toBe(
      'MISMATCH log: the record of the day is not in the log',
    );
  });

  test('another size of the log', async () => {
    const file = withTlog(({ checkpoint }) => ({ checkpoint: checkpoint.replace('\n11\n', '\n12\n') }));
    expect((await failure(file)).part).toMatch(/^(log|signature)$/);
  });

  test('another index, another path', async () => {
    expect(await failure(withTlog(() => ({ index: 9 })))).toMatchObject({ part: 'log' });
    expect(await failure(withTlog(({ path }) => ({ path: path.slice(1) })))).toMatchObject({ part: 'log' });
  });

  test('another key', async () => {
    const other = newKey();
    const log = logOf([...made.past, made.day.record], other);
    expect((await failure(proof(() => ({ tlog: log.tlogOf(10) })))).text).toBe(
      'MISMATCH signature: no key of the log has signed the checkpoint',
    );
    // Of another name, although it is known.
    const named = newKey('cord.example/other');
    const text = made.log.text;
    const file = withTlog(() => ({ checkpoint: signedNote(text, [named.line(text)]) }));
    expect(await failure(file, { vkeys: [named.vkey] })).toMatchObject({ part: 'signature' });
    expect(await failure(proof(), { vkeys: ['no key'] })).toMatchObject({ part: 'signature' });
  });

  test('a signature of another text', async () => {
    const line = made.key.line(made.log.text.replace('11', '12'));
    const file = withTlog(() => ({ checkpoint: signedNote(made.log.text, [line]) }));
    expect((await failure(file)).text).toBe('MISMATCH signature: the signature of a key of the log is wrong');
  });

  test('a note with control characters, with 17 signatures', async () => {
    const [text, line] = [made.log.text, made.key.line(made.log.text)];
    for (const checkpoint of [signedNote(`\u0007${text}`, [line]), signedNote(text, Array(17).fill(line))])
      expect(await failure(withTlog(() => ({ checkpoint })))).toMatchObject({ part: 'log' });
    const other = newKey('other.example');
    const checkpoint = signedNote(text, [...Array(15).fill(other.line(text)), line]);
    expect(await verdict(withTlog(() => ({ checkpoint })))).toMatchObject({ ok: true });
  });

  const checkpoint = (text: string) => readCheckpoint(text) as NonNullable<ReturnType<typeof readCheckpoint>>;

  test('two checkpoints of one size, a log that shrank, one that forked', () => {
    const records = [...made.past, made.day.record];
    const other = logOf([...made.past, pastRecord('2026-11-26')], made.key);
    const earlier = logOf(made.past, made.key);
    const now = checkpoint(made.log.text);
    const fault = (seen: string, then: string, hashes: readonly Uint8Array[] = []) =>
      historyFault(sha256, checkpoint(seen), checkpoint(then), hashes);
    const hashes = records.map((record) => recordHash(sha256, utf8(record)));
    const goesOn = consistencyProof(hashes, 10, logJoin(sha256));
    expect(fault(earlier.text, made.log.text, goesOn)).toBeNull();
    expect(fault(made.log.text, made.log.text)).toBeNull();
    expect(fault(made.log.text, other.text)).toBe('there are two roots of the size 11');
    expect(fault(made.log.text, earlier.text, goesOn)).toBe('the log shrank from 11 to 10');
    const forked = logOf([pastRecord('2026-01-01'), ...made.past.slice(1)], made.key);
    expect(fault(forked.text, made.log.text, goesOn)).toContain('does not go on');
    expect(historyFault(sha256, { ...now, origin: 'other.example' }, now, [])).toContain('other.example');
  });

  test('memos: of another signer, of another program, with one byte more, two of one size, not final', () => {
    const anchor = { signer: 'S', program: 'P' };
    const memo: Memo = { ...anchor, text: made.log.text, finalized: true };
    const fault = (...memos: Memo[]) => memoFault(made.log.text, memos, anchor);
    expect(fault(memo)).toBeNull();
    expect(fault(memo, { ...memo, signer: 'T', text: made.log.text.replace('=', '') })).toBeNull();
    expect(fault({ ...memo, signer: 'T' })).toBe('no memo of the known signer has its text');
    expect(fault({ ...memo, program: 'Q' })).toBe('no memo of the known signer has its text');
    expect(fault({ ...memo, text: `${made.log.text} ` })).toBe('no memo of the known signer has its text');
    const other = logOf([...made.past, pastRecord('2026-11-26')], made.key).text;
    expect(fault(memo, { ...memo, text: other })).toBe('there are two memos of the size 11');
    expect(fault({ ...memo, finalized: false })).toBe('its memo is not final');
    expect(fault()).not.toBeNull();
  });

  test('a cosignature of a witness that is not listed', async () => {
    const [listed, other] = [newKey('witness.example'), newKey('other.example')];
    const seconds = 1_700_000_000n;
    const lineOf = (key: typeof listed) =>
      cosignatureLine(sha256, { ...key, seconds, signature: key.sign(cosignedBytes(made.log.text, seconds)) });
    const note = (...lines: string[]) => readNote(signedNote(made.log.text, [made.key.line(made.log.text), ...lines]));
    const vkeys = [vkeyOf(sha256, listed.name, listed.key, 4)];
    const of = async (...lines: string[]) => witnesses(NODE_PRIMITIVES, note(...lines) as never, vkeys);
    expect(await of(lineOf(listed), lineOf(other))).toEqual(['witness.example']);
    expect(await of(lineOf(other))).toEqual([]);
    // Someone else under the listed name has another id, and is not listed either.
    expect(await of(lineOf(newKey('witness.example')))).toEqual([]);
    await expect(witnesses(NODE_PRIMITIVES, note() as never, ['no key'])).rejects.toThrow('no key of a witness');
  });

  test("a key's record without the signature of the key before", async () => {
    const [old, next] = [made.key, newKey()];
    const record = keyRecordText({ vkey: next.vkey, from: 12 });
    expect(readKeyRecord(record)).toEqual({ vkey: next.vkey, from: 12 });
    expect(readKeyRecord(`${record}\n`)).toBeNull();
    const { text } = logOf([...made.past, made.day.record, record], next);
    const fault = (...keys: (typeof old)[]) =>
      rotationFault(
        NODE_PRIMITIVES,
        signedNote(
          text,
          keys.map((key) => key.line(text)),
        ),
        old.vkey,
        next.vkey,
      );
    expect(await fault(old, next)).toBeNull();
    expect(await fault(next)).toBe('the old key has not signed the new one');
    expect(await fault(old)).toBe('the new key has not signed');
    const wrong = signedNote(text, [old.line(`${text}x`), next.line(text)]);
    expect(await rotationFault(NODE_PRIMITIVES, wrong, old.vkey, next.vkey)).toContain('is wrong');
  });
});

describe('what is no proof', () => {
  test.each([
    ['nothing', null],
    ['a text', 'proof'],
    ['a list', []],
    ['another version', proof(() => ({ version: 2 as never }))],
    ['entries that are none', proof(() => ({ entries: {} as never }))],
    ['a path of other parts', proof(() => ({ path: [['1', 'x']] }))],
    ['a leaf without its sum', proof(({ leaf }) => ({ leaf: { ...leaf, sum: undefined as never } }))],
    ['a record that is none', proof(() => ({ record: undefined as never }))],
  ])('%s is named', async (_, file) => {
    expect(await failure(file)).toMatchObject({ part: 'file' });
  });

  test('an entry of another shape is named by its place', async () => {
    for (const entry of [null, 'x', {}, { ...proof().entries[4], amount: 55_000_001 }]) {
      const file = proof(({ entries }) => ({ entries: entries.with(4, entry as never) }));
      expect(await failure(file)).toMatchObject({ part: 'entry', n: '5' });
    }
  });

  test('base64 has one spelling', () => {
    for (const text of ['AB==', 'AA=', 'A A=', 'AA\n=', '-A==']) expect(fromBase64(text), text).toBeNull();
    expect(fromBase64('AA==')).toEqual(Uint8Array.of(0));
  });
});
