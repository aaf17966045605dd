import { begunAfter } from '@cord/contracts/proof/history';
import { type Checkpoint, readCheckpoint, signedCheckpoint } from '@cord/contracts/proof/note';
import { readLogRecord } from '@cord/contracts/proof/records';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { DAY_MS } from '@cord/contracts/rules/days';
import { beforeEach, describe, expect, test } from 'vitest';
import { account, BY_COMMAND, endingAt, FIRST_MS, KEY, ORIGIN, rootsOfTests } from '../test/roots.js';
import { beginLog, continueLog, LogRefused } from './begin.js';
import { logKey } from './key.js';
import { checkpointLines } from './memo.js';
import type { RootStore } from './store.js';

const { parts, run, put, newest, collection } = rootsOfTests();
const SECOND_MS = FIRST_MS + DAY_MS;
const THIRD_MS = SECOND_MS + DAY_MS;
const NEXT = logKey('n'.repeat(64));
const WHY = 'The store was restored from a backup of 24 November';

/** The daily job on the newest log. */
const runNewest = async (nowMs: number, keys = [KEY]) => run(nowMs, { ...parts(await newest()), keys });
const begin = async (given: { reason?: string; checkpoint?: string } = {}, store?: RootStore) =>
  beginLog(store ?? (await newest()), { reason: WHY, nowMs: SECOND_MS, ...BY_COMMAND, ...given });
const checkpointOf = async (size: number, store: RootStore) =>
  readCheckpoint(checkpointLines((await store.headOf(size)) ?? {})) as Checkpoint;

/** Records and heads of all logs, as they are stored. */
const all = async () => ({
  records: await collection('root_records').find().sort({ _id: 1 }).toArray(),
  heads: await collection('root_heads').find().sort({ _id: 1 }).toArray(),
});

beforeEach(async () => {
  await put([1, 2, 3].map((n) => account(n)));
  await run();
});

/** The newest log is begun once, has a root and is signed by a key under its name. */
async function expectBegun(key = KEY): Promise<RootStore> {
  const store = await newest();
  const records = await store.records();
  expect(records.map(({ day }) => day)).toEqual(['', '2026-11-26']);
  expect(readLogRecord(records[0]?.text ?? '')).toMatchObject({ origin: `${ORIGIN}/2`, reason: WHY, atMs: SECOND_MS });
  const head = await store.lastHead();
  const signed = await signedCheckpoint(NODE_PRIMITIVES, head?.checkpoint ?? '', [key.vkey(`${ORIGIN}/2`)]);
  expect(signed).toMatchObject({ origin: `${ORIGIN}/2`, size: 2 });
  expect(await store.log()).toMatchObject({ origin: `${ORIGIN}/2`, vkey: key.vkey(`${ORIGIN}/2`) });
  return store;
}

describe('a log that is begun anew', () => {
  test('goes on from accounts that were set back, and then holds them against its own roots', async () => {
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

  test('is signed by a key for which no other one vouches, which the log before would not take', async () => {
    await expect(runNewest(SECOND_MS, [NEXT])).rejects.toThrow('does not vouch for it');
    await begin();
    await runNewest(SECOND_MS, [NEXT]);
    await expectBegun(NEXT);
    await expect(runNewest(THIRD_MS)).rejects.toThrow('does not vouch for it');
  });

  test('names every log before it, so that a browser that saw any of them accepts it', async () => {
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

  test('names what users saw last where the store has lost it', async () => {
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

  test.each(['before', 'after'] as const)('is begun once where the command ends %s any of its calls', async (when) => {
    for (let at = 1; ; at += 1) {
      const own = endingAt(at, when)(await newest());
      const outcome = await begin({}, own).then(
        () => 'whole',
        (error: Error) => error.message,
      );
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

  test('is begun once beside the daily job and another command, and nothing is added to the log before', async () => {
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

  test('is nothing to a run that began before it', async () => {
    const stale = parts(await newest());
    const text = await begin();
    await expect(run(SECOND_MS, stale)).rejects.toThrow('another log was begun meanwhile');
    const { records, heads } = await all();
    expect(records.map(({ text: each }) => each).slice(1)).toEqual([text]);
    expect(heads).toHaveLength(1);
  });
});

describe('a log that came out of a backup', () => {
  const REFUSED = 'the log came out of a backup, and users may have seen more of it';
  const goOn = async (checkpoint: string | null) => continueLog(await newest(), { checkpoint, ...BY_COMMAND });
  const noteOf = async (size: number) => (await parts().store.headOf(size))?.checkpoint ?? '';
  const isLeft = () => collection('root_log').countDocuments({ _id: 'restored' as never });
  /** As an import leaves it. */
  const restored = async () =>
    collection('root_log').insertOne({
      _id: 'restored' as never,
      records: await collection('root_records').countDocuments(),
    });

  test('is neither added to nor signed until a person has confirmed that nobody saw more of it', async () => {
    await restored();
    await collection('root_heads').updateOne({ _id: 1 as never }, { $unset: { checkpoint: '' } });
    const before = await all();
    for (const [nowMs, keys] of [
      [FIRST_MS, [KEY]],
      [SECOND_MS, [KEY]],
      [SECOND_MS, [NEXT, KEY]],
    ] as const)
      await expect(runNewest(nowMs, [...keys])).rejects.toThrow(REFUSED);
    expect(await all()).toEqual(before);
  });

  test.each([
    ['as three lines', (checkpoint: string) => checkpointLines({ checkpoint })],
    ['as a signed note', (checkpoint: string) => checkpoint],
  ])('goes on after the newest checkpoint that users hold, %s', async (_, form) => {
    await restored();
    await goOn(form(await noteOf(1)));
    expect(await isLeft()).toBe(0);
    await runNewest(SECOND_MS);
    expect((await (await newest()).lastHead())?._id).toBe(2);
  });

  test('goes on after a checkpoint that was signed after the backup, of records that are in it', async () => {
    await runNewest(SECOND_MS);
    const seen = await noteOf(2);
    await collection('root_heads').deleteOne({ _id: 2 as never });
    await restored();
    await goOn(seen);
    await runNewest(SECOND_MS);
    expect(await noteOf(2)).toBe(seen);
  });

  test('does not go on after any other checkpoint', async () => {
    await runNewest(SECOND_MS);
    await restored();
    const [old, lines] = [await noteOf(1), checkpointLines({ checkpoint: await noteOf(2) })];
    const refused = async (checkpoint: string, what: string) =>
      expect(goOn(checkpoint)).rejects.toThrow(new LogRefused(what));
    await refused('x', 'checkpoint: neither three lines nor a signed note');
    await refused(lines.replace(ORIGIN, 'x'), `checkpoint: of x, not of ${ORIGIN}`);
    await refused(old, 'checkpoint: of size 1, the store has signed size 2');
    await refused(
      lines.replace('\n2\n', '\n3\n'),
      'checkpoint: of size 3, the store has 2 records: import a newer backup, or begin the log anew after this checkpoint',
    );
    const other = checkpointLines({ checkpoint: old }).split('\n')[2] ?? '';
    await refused(
      `${ORIGIN}\n2\n${other}\n`,
      'checkpoint: another root of size 2 than the store has: begin the log anew after this checkpoint',
    );
    expect(await isLeft()).toBe(1);
    await expect(runNewest(THIRD_MS)).rejects.toThrow(REFUSED);
  });

  test('is as good as any other once it was begun anew', async () => {
    await restored();
    await begin();
    await runNewest(SECOND_MS);
    await expectBegun();
    // A later backup of it is one of the log that was begun, too.
    await collection('root_log').deleteOne({ _id: 'restored' as never });
    await restored();
    await expect(runNewest(THIRD_MS)).rejects.toThrow(REFUSED);
    await goOn((await (await newest()).lastHead())?.checkpoint ?? '');
    await runNewest(THIRD_MS);
    expect(await (await newest()).records()).toHaveLength(3);
  });

  /** As an import leaves it into a store with none of it: the first records of all logs, and the heads that had a checkpoint. */
  const setBackTo = async (size: number, signed = size) => {
    await collection('root_records').deleteMany({ _id: { $gte: size } } as never);
    await collection('root_heads').deleteMany({ _id: { $gt: signed } } as never);
    await collection('root_log').deleteMany({
      _id: { $nin: signed > 1 ? ['log', '1'] : signed > 0 ? ['log'] : [] },
    } as never);
    await restored();
  };
  const refuses = (act: Promise<unknown>, what: string) => expect(act).rejects.toThrow(new LogRefused(what));

  test('has no first root until a person has confirmed that none was published', async () => {
    await setBackTo(0);
    await expect(runNewest(SECOND_MS)).rejects.toThrow(REFUSED);
    expect(await all()).toEqual({ records: [], heads: [] });
    await goOn(null);
    expect(await isLeft()).toBe(0);
    await runNewest(SECOND_MS);
    expect((await (await newest()).lastHead())?._id).toBe(1);
  });

  test('is confirmed without a checkpoint only where the store has none', async () => {
    await restored();
    await refuses(goOn(null), `${ORIGIN} has a signed checkpoint of size 1: give the newest one that anybody holds`);
    expect(await isLeft()).toBe(1);
  });

  test('of before its first root is begun anew after what users saw, and never adds to the log before', async () => {
    await runNewest(SECOND_MS);
    const [note, seen] = [await noteOf(2), await checkpointOf(2, parts().store)];
    await setBackTo(0);
    const stale = parts(await newest());
    await refuses(
      goOn(note),
      'checkpoint: of size 2, the store has 0 records: import a newer backup, or begin the log anew after this checkpoint',
    );
    await refuses(
      begin(),
      'the log was not signed before the backup: give the last checkpoint that users saw, or confirm with "log continue --none" that nobody saw one',
    );
    const text = await begin({ checkpoint: note });
    expect(readLogRecord(text)).toMatchObject({ origin: `${ORIGIN}/2`, before: [seen] });
    await expect(run(SECOND_MS, stale)).rejects.toThrow(REFUSED);
    await refuses(goOn(null), 'the log did not come out of a backup: it goes on without this command');
    // Also where another command has confirmed it meanwhile.
    await collection('root_log').deleteOne({ _id: 'restored' as never });
    await expect(run(SECOND_MS, stale)).rejects.toThrow('another log was begun meanwhile');
    await runNewest(SECOND_MS);
    await expectBegun();
    expect(begunAfter(seen, await checkpointOf(2, await newest()), text)?.reason).toBe(WHY);
  });

  test('of before its first signature goes on after the checkpoint that users saw, or without one', async () => {
    const note = await noteOf(1);
    for (const checkpoint of [note, null]) {
      await setBackTo(1, 0);
      await expect(runNewest(SECOND_MS)).rejects.toThrow(REFUSED);
      await goOn(checkpoint);
      await runNewest(FIRST_MS);
      expect(await noteOf(1)).toBe(note);
    }
  });

  test('of before it was begun anew is begun behind the log that users saw, under the next name', async () => {
    const first = await checkpointOf(1, parts().store);
    await begin();
    await runNewest(SECOND_MS);
    const [second, note] = [
      await checkpointOf(2, await newest()),
      checkpointLines((await (await newest()).lastHead()) ?? {}),
    ];
    await setBackTo(1);
    await refuses(
      goOn(note),
      `checkpoint: of ${ORIGIN}/2, not of ${ORIGIN}: import a newer backup, or begin the log anew after this checkpoint`,
    );
    const text = await begin({ checkpoint: note });
    expect(readLogRecord(text)).toMatchObject({ origin: `${ORIGIN}/3`, before: [first, second] });
    await runNewest(SECOND_MS);
    const now = await checkpointOf(2, await newest());
    for (const seen of [first, second]) expect(begunAfter(seen, now, text)?.reason).toBe(WHY);
    // The number is behind all of them, also where one in between is not known.
    const later = note.replace(`${ORIGIN}/2`, `${ORIGIN}/10`);
    const next = readLogRecord(await begin({ checkpoint: later }));
    expect(next?.origin).toBe(`${ORIGIN}/11`);
    expect(next?.before.map(({ origin }) => origin)).toEqual(['', '/2', '/3', '/10'].map((n) => ORIGIN + n));
  });

  test('that was begun anew and not signed before the backup goes on where nobody saw it', async () => {
    await begin();
    await restored();
    await expect(runNewest(SECOND_MS)).rejects.toThrow(REFUSED);
    await refuses(
      goOn(await noteOf(1)),
      `checkpoint: of ${ORIGIN}, not of ${ORIGIN}/2: where nobody holds one of that, --none confirms it`,
    );
    await goOn(null);
    await runNewest(SECOND_MS);
    await expectBegun();
  });

  test('that was begun anew and not signed before the backup is begun once more after what users saw of it', async () => {
    const first = await checkpointOf(1, parts().store);
    await begin();
    await runNewest(SECOND_MS);
    const [second, note] = [
      await checkpointOf(2, await newest()),
      checkpointLines((await (await newest()).lastHead()) ?? {}),
    ];
    await setBackTo(2, 1);
    const text = await begin({ checkpoint: note });
    expect(readLogRecord(text)).toMatchObject({ origin: `${ORIGIN}/3`, before: [first, second] });
    await runNewest(SECOND_MS);
    expect(await checkpointOf(2, await newest())).toMatchObject({ origin: `${ORIGIN}/3` });
  });

  test('is the only one that is confirmed', async () => {
    await expect(goOn(await noteOf(1))).rejects.toThrow(
      new LogRefused('the log did not come out of a backup: it goes on without this command'),
    );
  });
});

describe('nothing is begun', () => {
  const refused = async (given: Parameters<typeof begin>[0], what: string) => {
    const before = await all();
    await expect(begin(given)).rejects.toThrow(new LogRefused(what));
    expect(await all()).toEqual(before);
  };

  test('where the log is not signed yet, or was just begun', async () => {
    await begin();
    await refused(
      {},
      'the log cord.example/ledger/2 was begun at 2026-11-27T00:10:00.000Z, and has no signed checkpoint yet: there is nothing to begin anew',
    );
    for (const name of ['root_records', 'root_heads', 'root_log']) await collection(name).deleteMany({});
    await refused({}, 'the log has no signed checkpoint yet: there is nothing to begin anew');
  });

  test('for a reason that is no line', async () => {
    for (const reason of ['', ' why', 'why ', 'a\nb', 'x'.repeat(201), 'a\u202eb'])
      await refused({ reason }, 'the reason is no line of 1 to 200 characters');
  });

  test('after a checkpoint that is none, of another log, or of less than what is stored', async () => {
    await runNewest(SECOND_MS);
    const { checkpoint = '' } = (await parts().store.headOf(1)) ?? {};
    await refused({ checkpoint: 'x' }, 'checkpoint: neither three lines nor a signed note');
    await refused({ checkpoint }, 'checkpoint: of size 1, the store has 2 records');
    const other = checkpointLines({ checkpoint }).replace(ORIGIN, 'x');
    await refused({ checkpoint: other }, `checkpoint: of x, not of ${ORIGIN}`);
  });
});
