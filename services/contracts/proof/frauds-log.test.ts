import { describe, expect, test } from 'vitest';
import { dayRecordsFault, historyFault, signingKey } from './history.js';
import { type Memo, memoFault } from './memos.js';
import {
  cosignatureLine,
  cosignedBytes,
  readCheckpoint,
  readNote,
  signedCheckpoint,
  signedNote,
  vkeyOf,
} from './note.js';
import { policyFault, readPolicy } from './policy.js';
import { keyRecordText, readDayRecord, readKeyRecord, readTlogProof, tlogProofText } from './records.js';
import { failure, made, proof, sha256, verdict } from './test/frauds.js';
import { logOf, newKey, pastRecord } from './test/sample.js';
import { NODE_PRIMITIVES } from './verify-file.js';

/* Frauds that an operator could try with the log, its keys, memos and witnesses. */

describe('the verifier finds in the log', () => {
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

  test('another index or another path', async () => {
    expect(await failure(withTlog(() => ({ index: 9 })))).toMatchObject({ part: 'log' });
    expect(await failure(withTlog(({ path }) => ({ path: path.slice(1) })))).toMatchObject({ part: 'log' });
  });

  test('another key', async () => {
    const other = newKey();
    const log = logOf([...made.past, made.day.record], other);
    expect((await failure(proof(() => ({ tlog: log.tlogOf(10) })))).text).toBe(
      'MISMATCH signature: no key of the log has signed the checkpoint',
    );
    // A known key of another name.
    const named = newKey('cord.example/other');
    const text = made.log.text;
    const file = withTlog(() => ({ checkpoint: signedNote(text, [named.line(text)]) }));
    expect(await failure(file, { vkeys: [named.vkey] })).toMatchObject({ part: 'signature' });
    expect(await failure(proof(), { vkeys: ['no key'] })).toMatchObject({ part: 'signature' });
    expect(await failure(proof(), { vkeys: [] })).toMatchObject({ part: 'signature' });
    expect(await verdict(proof(), { vkeys: undefined as never })).toMatchObject({
      ...{ ok: true, signed: false },
      text: expect.stringMatching(/, signature not checked$/),
    });
  });

  test('a signature of another text', async () => {
    const line = made.key.line(made.log.text.replace('11', '12'));
    const file = withTlog(() => ({ checkpoint: signedNote(made.log.text, [line]) }));
    expect((await failure(file)).text).toBe('MISMATCH signature: the signature of a key of the log is wrong');
  });

  test('two records of a day, and a day after a later one', () => {
    const records = [...made.past, keyRecordText({ vkey: made.key.vkey, from: 11 }), made.day.record];
    expect(dayRecordsFault(records)).toBeNull();
    expect(dayRecordsFault([])).toBeNull();
    // A second tree of the same day: each holds the accounts that the other omits.
    expect(dayRecordsFault([...records, pastRecord('2026-11-26')])).toBe('there are two records of 2026-11-26');
    expect(dayRecordsFault([...records, 'another record\n', pastRecord('2026-11-20')])).toBe(
      'the record of 2026-11-20 stands behind the one of 2026-11-26',
    );
  });

  test('a day that is not over, and a day that no calendar has', () => {
    const endMs = Date.parse('2026-11-27T00:00:00Z');
    const records = [...made.past, made.day.record];
    expect(dayRecordsFault(records, endMs)).toBeNull();
    // With such days each half of the accounts could have its own roots in one log.
    expect(dayRecordsFault([...records, pastRecord('2026-11-27')], endMs)).toBe(
      'the record of 2026-11-27 was made before the end of that day',
    );
    for (const day of ['2026-11-31', '2026-02-29', '2026-11-32', '2026-13-01', '2026-00-10'])
      expect(readDayRecord(made.day.record.replace('2026-11-26', day))).toBeNull();
    expect(readDayRecord(made.day.record.replace('2026-11-26', '2028-02-29'))).not.toBeNull();
  });

  test('a checkpoint that no key of its log has signed', async () => {
    const read = (note: string, vkeys: string[]) => signedCheckpoint(NODE_PRIMITIVES, note, vkeys);
    expect(await read(made.log.checkpoint, [made.key.vkey])).toMatchObject({ size: 11 });
    expect(await read(made.log.checkpoint, [newKey().vkey])).toBeNull();
    expect(await read(made.log.checkpoint, [])).toBeNull();
    expect(await read(made.log.checkpoint.replace('\n11\n', '\n12\n'), [made.key.vkey])).toBeNull();
    expect(await read(made.log.text, [made.key.vkey])).toBeNull();
    const named = newKey('cord.example/other');
    expect(await read(signedNote(made.log.text, [named.line(made.log.text)]), [named.vkey])).toBeNull();
  });

  test('a note with control characters or with 17 signatures', async () => {
    const [text, line] = [made.log.text, made.key.line(made.log.text)];
    for (const checkpoint of [signedNote(`\u0007${text}`, [line]), signedNote(text, Array(17).fill(line))])
      expect(await failure(withTlog(() => ({ checkpoint })))).toMatchObject({ part: 'log' });
    const other = newKey('other.example');
    const checkpoint = signedNote(text, [...Array(15).fill(other.line(text)), line]);
    expect(await verdict(withTlog(() => ({ checkpoint })))).toMatchObject({ ok: true });
  });

  test('a checkpoint of another log', () => {
    const now = readCheckpoint(made.log.text) as NonNullable<ReturnType<typeof readCheckpoint>>;
    expect(historyFault(sha256, { ...now, origin: 'other.example' }, now, [])).toContain('other.example');
  });

  test('memos of another signer or program, with one more byte, two of one size, or not final', () => {
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
    const policy = readPolicy(sha256, `witness one ${vkeyOf(sha256, listed.name, listed.key, 4)}; quorum one`);
    const of = async (...lines: string[]) => policyFault(NODE_PRIMITIVES, note(...lines) as never, policy);
    const none = '0 of 1 witnesses of the policy have signed it: no quorum';
    expect(await of(lineOf(listed), lineOf(other))).toBeNull();
    expect(await of(lineOf(other))).toBe(none);
    // Another key under the listed name has another id, so it is not listed.
    expect(await of(lineOf(newKey('witness.example')))).toBe(none);
    // The witness itself, under another checkpoint.
    const elsewhere = cosignedBytes(made.log.text.replace('\n11\n', '\n12\n'), seconds);
    expect(await of(cosignatureLine(sha256, { ...listed, seconds, signature: listed.sign(elsewhere) }))).toBe(
      'the signature of a witness is wrong',
    );
  });

  test('a checkpoint by a key that was rotated out, as one key signs each size', () => {
    const [old, next] = [made.key.vkey, newKey().vkey];
    const record = keyRecordText({ vkey: next, from: 12 });
    expect(readKeyRecord(record)).toEqual({ vkey: next, from: 12 });
    expect(readKeyRecord(`${record}\n`)).toBeNull();
    const records = [...made.past, made.day.record, record, pastRecord('2026-11-27')];
    expect(signingKey(records.slice(0, 11), old)).toBe(old);
    for (const size of [12, 13]) expect(signingKey(records.slice(0, size), old)).toBe(next);
    // A key that was rotated out never comes back.
    for (const vkey of [old, next]) expect(signingKey([...records, keyRecordText({ vkey, from: 14 })], old)).toBeNull();
  });
});
