import { expect, test } from 'vitest';
import { SECOND_MS, setUpBegunLogs, THIRD_MS } from '../test/begun-logs.js';

const { newest, opener, countReads, runNewest, begin, collection } = setUpBegunLogs();

test('the records of a log are read once, and again only after a new one', async () => {
  const open = opener();
  const days = async () => (await (await open()).records()).map(({ day }) => day);
  const reads = countReads();
  for (let n = 0; n < 5; n += 1) expect(await days()).toEqual(['2026-11-25']);
  expect(reads.all).toBe(1);
  await runNewest(SECOND_MS);
  reads.all = 0;
  for (let n = 0; n < 5; n += 1) expect(await days()).toEqual(['2026-11-25', '2026-11-26']);
  expect(reads.all).toBe(1);
});

test('a log begun anew has records of its own, and a log opened before then fails to read any', async () => {
  const open = opener();
  const before = await open();
  expect(await before.records()).toHaveLength(1);
  await begin();
  const records = await (await open()).records();
  expect(records).toEqual(await (await newest()).records());
  expect(records.map(({ _id, day }) => [_id, day])).toEqual([[0, '']]);
  await expect(before.records()).rejects.toThrow('a new log was begun meanwhile');
  await runNewest(THIRD_MS);
  expect((await (await open()).records()).map(({ _id }) => _id)).toEqual([0, 1]);
});

test('after an import the records are read from the store, even when their number is the same', async () => {
  const open = opener();
  await runNewest(SECOND_MS);
  expect(await (await open()).records()).toHaveLength(2);
  const stored = await collection('root_records').find().toArray();
  await collection('root_records').deleteMany({});
  await collection('root_records').insertMany(stored.map((record) => ({ ...record, run: `of another ${record._id}` })));
  expect((await (await open()).records()).map(({ run }) => run)).toEqual(['of another 0', 'of another 1']);
  await collection('root_records').deleteMany({});
  expect(await (await open()).records()).toEqual([]);
  await collection('root_records').insertMany(stored.slice(0, 1));
  expect((await (await open()).records()).map(({ _id }) => _id)).toEqual([0]);
});
