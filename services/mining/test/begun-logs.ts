import { type Checkpoint, readCheckpoint, signedCheckpoint } from '@cord/contracts/proof/note';
import { readLogRecord } from '@cord/contracts/proof/records';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { DAY_MS } from '@cord/contracts/rules/days';
import { beforeEach, expect } from 'vitest';
import { beginLog } from '../roots/begin.js';
import { logKey } from '../roots/key.js';
import { checkpointLines } from '../roots/memo.js';
import type { RootStore } from '../roots/store.js';
import { account, BY_COMMAND, FIRST_MS, KEY, ORIGIN, setUpRoots } from './roots.js';

export const SECOND_MS = FIRST_MS + DAY_MS;
export const THIRD_MS = SECOND_MS + DAY_MS;
export const NEXT = logKey('n'.repeat(64));
export const WHY = 'The store was restored from a backup of 24 November';

/** Sets up, for each test, a log of three accounts with its first root, to be begun anew or continued. */
export function setUpBegunLogs() {
  const roots = setUpRoots();
  const { parts, run, put, newest, collection } = roots;
  /** Runs the daily job on the newest log. */
  const runNewest = async (nowMs: number, keys = [KEY]) => run(nowMs, { ...parts(await newest()), keys });
  const begin = async (given: { reason?: string; checkpoint?: string } = {}, store?: RootStore) =>
    beginLog(store ?? (await newest()), { reason: WHY, nowMs: SECOND_MS, ...BY_COMMAND, ...given });
  const checkpointOf = async (size: number, store: RootStore) =>
    readCheckpoint(checkpointLines((await store.headOf(size)) ?? {})) as Checkpoint;

  /** Returns the stored records and heads of all logs. */
  const all = async () => ({
    records: await collection('root_records').find().sort({ _id: 1 }).toArray(),
    heads: await collection('root_heads').find().sort({ _id: 1 }).toArray(),
  });

  beforeEach(async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await run();
  });

  /** Expects that the newest log was begun once, has a root and is signed by a key under its name. */
  async function expectBegun(key = KEY): Promise<RootStore> {
    const store = await newest();
    const records = await store.records();
    expect(records.map(({ day }) => day)).toEqual(['', '2026-11-26']);
    expect(readLogRecord(records[0]?.text ?? '')).toMatchObject({
      origin: `${ORIGIN}/2`,
      reason: WHY,
      atMs: SECOND_MS,
    });
    const head = await store.lastHead();
    const signed = await signedCheckpoint(NODE_PRIMITIVES, head?.checkpoint ?? '', [key.vkey(`${ORIGIN}/2`)]);
    expect(signed).toMatchObject({ origin: `${ORIGIN}/2`, size: 2 });
    expect(await store.log()).toMatchObject({ origin: `${ORIGIN}/2`, vkey: key.vkey(`${ORIGIN}/2`) });
    return store;
  }
  return { ...roots, runNewest, begin, checkpointOf, all, expectBegun };
}
