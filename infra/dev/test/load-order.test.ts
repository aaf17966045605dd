import type { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { load } from '../backup/load.ts';
import type { Backup } from '../backup/read.ts';

test('an import loads root_records before root_heads, so an interrupted one leaves no head without its record', async () => {
  const read: string[] = [];
  const collections = { accounts: {}, root_heads: {}, root_log: {}, root_records: {}, root_tiles: {} };
  const backup = {
    manifest: { databases: { mining: collections }, schemas: {} },
    async *batches(_service: string, name: string) {
      read.push(name);
      yield [];
    },
  };
  await load(backup as unknown as Backup, 'mining', {} as mongo.Db, true);
  expect([...read].sort()).toEqual(Object.keys(collections));
  expect(read.indexOf('root_records')).toBeLessThan(read.indexOf('root_heads'));
});
