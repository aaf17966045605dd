import { begunAfter } from '@cord/contracts/proof/history';
import { signedCheckpoint } from '@cord/contracts/proof/note';
import { readLogRecord } from '@cord/contracts/proof/records';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { DAY_MS } from '@cord/contracts/rules/days';
import { describe, expect, test } from 'vitest';
import { NEXT, SECOND_MS, setUpBegunLogs, THIRD_MS, WHY } from '../test/begun-logs.js';
import { account, crashAt, KEY, ORIGIN, outcomeOf } from '../test/roots.js';
import { LogRefused } from './begin.js';
import { checkpointLines } from './memo.js';

const { parts, run, newest, collection, runNewest, begin, checkpointOf, all, expectBegun } = setUpBegunLogs();

describe('a log that was begun anew', () => {
  test('continues from accounts that were set back, and then compares them with its own roots', async () => {
    const of = { _id: account(3).userId as never };
    await collection('accounts').updateOne(of, { $set: { 'chain.n': 1, balanceMicro: 1_000n } });
    await expect(runNewest(SECOND_MS)).rejects.toThrow('has 1 entries, the root of 2026-11-25 has 3');
    const before = await all();
    const seen = await checkpointOf(1, parts().store);
    const text = await begin();
    await runNewest(SECOND_MS);
    await expectBegun();
    // The log before stands as it was.
    const after = await all();
    expect(after.records.slice(0, 1)).toEqual(before.records);
    expect(after.heads.slice(0, 1)).toEqual(before.heads);
    const now = await checkpointOf(2, await newest());
    expect(begunAfter(seen, now, text)).toMatchObject({ before: [seen], reason: WHY });
    await collection('accounts').updateOne(of, { $set: { 'chain.n': 0 } });
    await expect(runNewest(THIRD_MS)).rejects.toThrow('has 0 entries, the root of 2026-11-26 has 1');
  });

  test('can be signed by a key that no other key vouches for, which the previous log rejects', async () => {
    await expect(runNewest(SECOND_MS, [NEXT])).rejects.toThrow('does not vouch for it');
    await begin();
    await runNewest(SECOND_MS, [NEXT]);
    await expectBegun(NEXT);
    await expect(runNewest(THIRD_MS)).rejects.toThrow('does not vouch for it');
  });

  test('reports the last root of the previous log until its own first root is signed', async () => {
    const last = async () => (await newest()).lastSigned();
    expect(await last()).toMatchObject({ day: '2026-11-25' });
    await begin();
    expect(await last()).toMatchObject({ day: '2026-11-25' });
    await runNewest(SECOND_MS);
    expect(await last()).toMatchObject({ day: '2026-11-26', _id: 1 });
    // Nothing is signed of the one after it either.
    await begin({ reason: 'Again' });
    expect(await last()).toMatchObject({ day: '2026-11-26', _id: 1 });
  });

  test('names every previous log, so that a browser that saw any of them accepts it', async () => {
    const first = await checkpointOf(1, parts().store);
    await begin();
    await runNewest(SECOND_MS);
    const second = await checkpointOf(2, await newest());
    const text = await begin({ reason: 'Again' });
    await runNewest(THIRD_MS);
    expect(readLogRecord(text)).toMatchObject({ origin: `${ORIGIN}/3`, before: [first, second] });
    const store = await newest();
    expect(await store.records()).toHaveLength(2);
    const now = await checkpointOf(2, store);
    for (const seen of [first, second]) expect(begunAfter(seen, now, text)?.reason).toBe('Again');
    // Another root of what was seen, or less than that, is a fork.
    expect(begunAfter({ ...second, root: first.root }, now, text)).toBeNull();
    expect(begunAfter({ ...second, size: 3 }, now, text)).toBeNull();
    expect(begunAfter({ ...second, origin: 'other.example/ledger' }, now, text)).toBeNull();
  });

  test('names the last checkpoint that users saw even when the store has lost it', async () => {
    await runNewest(SECOND_MS);
    const seen = await checkpointOf(2, parts().store);
    const note = (await parts().store.headOf(2))?.checkpoint ?? '';
    for (const [name, _id] of [
      ['root_records', 1],
      ['root_heads', 2],
    ] as const)
      await collection(name).deleteOne({ _id: _id as never });
    for (const checkpoint of [note, note.split('\n\n')[0] ?? '']) {
      const text = await begin({ checkpoint });
      expect(readLogRecord(text)?.before).toEqual([seen]);
      await collection('root_records').deleteOne({ _id: 1 as never });
    }
  });

  test.each(['before', 'after'] as const)('is begun once when the command ends %s any of its calls', async (when) => {
    for (let at = 1; ; at += 1) {
      const own = crashAt(at, when)(await newest());
      const outcome = await outcomeOf(begin({}, own));
      // An operator who is not sure runs it again.
      if (outcome !== 'whole') await begin().catch((error) => expect(error).toBeInstanceOf(LogRefused));
      await runNewest(SECOND_MS);
      await expectBegun();
      if (outcome === 'whole') break;
      expect(outcome).toBe('ended');
      await collection('root_records').deleteMany({ _id: { $gte: 1 } } as never);
      await collection('root_heads').deleteMany({ _id: { $gte: 2 } } as never);
      await collection('root_log').deleteOne({ _id: '1' } as never);
    }
  });

  test('is begun once beside the daily job and another command, and nothing is added to the previous log', async () => {
    for (let round = 0; round < 5; round += 1) {
      const nowMs = SECOND_MS + round * DAY_MS;
      await Promise.allSettled([runNewest(nowMs), begin(), begin(), runNewest(nowMs)]);
      await runNewest(nowMs);
      await runNewest(nowMs);
      const store = await newest();
      const [record] = await store.records();
      const begun = readLogRecord(record?.text ?? '');
      expect(begun?.before).toHaveLength(round + 1);
      const { records } = await all();
      expect(records.map(({ _id }) => Number(_id))).toEqual(records.map((_, at) => at));
      expect(records.filter(({ origin }) => origin !== undefined)).toHaveLength(round + 1);
      const signed = await signedCheckpoint(NODE_PRIMITIVES, (await store.lastHead())?.checkpoint ?? '', [
        KEY.vkey(begun?.origin ?? ''),
      ]);
      expect(signed).toMatchObject({ origin: begun?.origin, size: 2 });
    }
  });

  test('makes a run that started before it fail', async () => {
    const stale = parts(await newest());
    const text = await begin();
    await expect(run(SECOND_MS, stale)).rejects.toThrow('a new log was begun meanwhile');
    const { records, heads } = await all();
    expect(records.map(({ text: each }) => each).slice(1)).toEqual([text]);
    expect(heads).toHaveLength(1);
  });
});

describe('beginning a log anew', () => {
  const refused = async (given: Parameters<typeof begin>[0], what: string) => {
    const before = await all();
    await expect(begin(given)).rejects.toThrow(new LogRefused(what));
    expect(await all()).toEqual(before);
  };

  test('is refused while the log is unsigned or was just begun', async () => {
    await begin();
    await refused(
      {},
      'the log cord.example/ledger/2 was begun at 2026-11-27T00:10:00.000Z, and has no signed checkpoint yet: nothing to begin anew',
    );
    for (const name of ['root_records', 'root_heads', 'root_log']) await collection(name).deleteMany({});
    await refused({}, 'the log has no signed checkpoint yet: nothing to begin anew');
  });

  test('is refused with a reason that is not one line of 1 to 200 characters', async () => {
    for (const reason of ['', ' why', 'why ', 'a\nb', 'x'.repeat(201), 'a\u202eb'])
      await refused({ reason }, 'the reason is no line of 1 to 200 characters');
  });

  test('is refused after a checkpoint that is invalid, of another log, or of less than the store has', async () => {
    await runNewest(SECOND_MS);
    const { checkpoint = '' } = (await parts().store.headOf(1)) ?? {};
    await refused({ checkpoint: 'x' }, 'checkpoint: neither three lines nor a signed note');
    await refused({ checkpoint }, 'checkpoint: has size 1, but the store has 2 records');
    const other = checkpointLines({ checkpoint }).replace(ORIGIN, 'x');
    await refused({ checkpoint: other }, `checkpoint: belongs to x, not to ${ORIGIN}`);
  });
});
