import { begunAfter } from '@cord/contracts/proof/history';
import { readLogRecord } from '@cord/contracts/proof/records';
import { describe, expect, test } from 'vitest';
import { NEXT, SECOND_MS, setUpBegunLogs, THIRD_MS, WHY } from '../test/begun-logs.js';
import { BY_COMMAND, FIRST_MS, KEY, ORIGIN } from '../test/roots.js';
import { continueLog, LogRefused } from './begin.js';
import { checkpointLines } from './memo.js';

const { parts, run, newest, collection, runNewest, begin, checkpointOf, all, expectBegun } = setUpBegunLogs();

describe('a log restored from a backup', () => {
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

  test('is neither extended nor signed until a person confirms that nobody saw more of it', async () => {
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
  ])('continues after the newest checkpoint that users hold, %s', async (_, form) => {
    await restored();
    await goOn(form(await noteOf(1)));
    expect(await isLeft()).toBe(0);
    await runNewest(SECOND_MS);
    expect((await (await newest()).lastHead())?._id).toBe(2);
  });

  test('continues after a checkpoint signed after the backup, of records that the backup contains', async () => {
    await runNewest(SECOND_MS);
    const seen = await noteOf(2);
    await collection('root_heads').deleteOne({ _id: 2 as never });
    await restored();
    await goOn(seen);
    await runNewest(SECOND_MS);
    expect(await noteOf(2)).toBe(seen);
  });

  test('does not continue after any other checkpoint', async () => {
    await runNewest(SECOND_MS);
    await restored();
    const [old, lines] = [await noteOf(1), checkpointLines({ checkpoint: await noteOf(2) })];
    const refused = async (checkpoint: string, what: string) =>
      expect(goOn(checkpoint)).rejects.toThrow(new LogRefused(what));
    await refused('x', 'checkpoint: neither three lines nor a signed note');
    await refused(lines.replace(ORIGIN, 'x'), `checkpoint: belongs to x, not to ${ORIGIN}`);
    await refused(old, 'checkpoint: has size 1, but the store has signed size 2');
    await refused(
      lines.replace('\n2\n', '\n3\n'),
      'checkpoint: has size 3, but the store has 2 records: import a newer backup, or begin the log anew after this checkpoint',
    );
    const other = checkpointLines({ checkpoint: old }).split('\n')[2] ?? '';
    await refused(
      `${ORIGIN}\n2\n${other}\n`,
      'checkpoint: its root of size 2 differs from the store’s: begin the log anew after this checkpoint',
    );
    expect(await isLeft()).toBe(1);
    await expect(runNewest(THIRD_MS)).rejects.toThrow(REFUSED);
  });

  test('needs no confirmation once it was begun anew, but a later backup of it does', async () => {
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
  /** The log is begun anew and has its first root. @returns the last checkpoint of each log, and the lines of the second */
  const begunAndSeen = async () => {
    const first = await checkpointOf(1, parts().store);
    await begin();
    await runNewest(SECOND_MS);
    const store = await newest();
    const note = checkpointLines((await store.lastHead()) ?? {});
    return { first, second: await checkpointOf(2, store), note };
  };
  const refuses = (act: Promise<unknown>, what: string) => expect(act).rejects.toThrow(new LogRefused(what));

  test('gets no first root until a person confirms that none was published', async () => {
    await setBackTo(0);
    await expect(runNewest(SECOND_MS)).rejects.toThrow(REFUSED);
    expect(await all()).toEqual({ records: [], heads: [] });
    await goOn(null);
    expect(await isLeft()).toBe(0);
    await runNewest(SECOND_MS);
    expect((await (await newest()).lastHead())?._id).toBe(1);
  });

  test('is confirmed without a checkpoint only when the store has none', async () => {
    await restored();
    await refuses(goOn(null), `${ORIGIN} has a signed checkpoint of size 1: pass the newest one that exists outside`);
    expect(await isLeft()).toBe(1);
  });

  test('taken before its first root is begun anew after the checkpoint users saw, and never extends the previous log', async () => {
    await runNewest(SECOND_MS);
    const [note, seen] = [await noteOf(2), await checkpointOf(2, parts().store)];
    await setBackTo(0);
    const stale = parts(await newest());
    await refuses(
      goOn(note),
      'checkpoint: has size 2, but the store has 0 records: import a newer backup, or begin the log anew after this checkpoint',
    );
    await refuses(
      begin(),
      'the log was not signed before the backup: pass the last checkpoint that users saw, or confirm with "log continue --none" that there is none',
    );
    const text = await begin({ checkpoint: note });
    expect(readLogRecord(text)).toMatchObject({ origin: `${ORIGIN}/2`, before: [seen] });
    await expect(run(SECOND_MS, stale)).rejects.toThrow(REFUSED);
    await refuses(goOn(null), 'the log was not restored from a backup: it continues without this command');
    // Also where another command has confirmed it meanwhile.
    await collection('root_log').deleteOne({ _id: 'restored' as never });
    await expect(run(SECOND_MS, stale)).rejects.toThrow('a new log was begun meanwhile');
    await runNewest(SECOND_MS);
    await expectBegun();
    expect(begunAfter(seen, await checkpointOf(2, await newest()), text)?.reason).toBe(WHY);
  });

  test('taken before its first signature continues after the checkpoint that users saw, or without one', async () => {
    const note = await noteOf(1);
    for (const checkpoint of [note, null]) {
      await setBackTo(1, 0);
      await expect(runNewest(SECOND_MS)).rejects.toThrow(REFUSED);
      await goOn(checkpoint);
      await runNewest(FIRST_MS);
      expect(await noteOf(1)).toBe(note);
    }
  });

  test('taken before it was begun anew is begun after the log that users saw, under the next name', async () => {
    const { first, second, note } = await begunAndSeen();
    await setBackTo(1);
    await refuses(
      goOn(note),
      `checkpoint: belongs to ${ORIGIN}/2, not to ${ORIGIN}: import a newer backup, or begin the log anew after this checkpoint`,
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

  test('taken while begun anew but unsigned continues when nobody saw it', async () => {
    await begin();
    await restored();
    await expect(runNewest(SECOND_MS)).rejects.toThrow(REFUSED);
    await refuses(
      goOn(await noteOf(1)),
      `checkpoint: belongs to ${ORIGIN}, not to ${ORIGIN}/2: if ${ORIGIN}/2 has none outside, confirm with --none`,
    );
    await goOn(null);
    await runNewest(SECOND_MS);
    await expectBegun();
  });

  test('taken while begun anew but unsigned is begun once more after the checkpoint that users saw', async () => {
    const { first, second, note } = await begunAndSeen();
    await setBackTo(2, 1);
    const text = await begin({ checkpoint: note });
    expect(readLogRecord(text)).toMatchObject({ origin: `${ORIGIN}/3`, before: [first, second] });
    await runNewest(SECOND_MS);
    expect(await checkpointOf(2, await newest())).toMatchObject({ origin: `${ORIGIN}/3` });
  });

  test('is the only log that can be confirmed', async () => {
    await expect(goOn(await noteOf(1))).rejects.toThrow(
      new LogRefused('the log was not restored from a backup: it continues without this command'),
    );
  });
});
