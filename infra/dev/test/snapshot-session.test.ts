import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { exportTo } from '../backup/export.ts';
import { fill } from './backup.js';
import { startReplicaSet } from './replica-set.js';

const place = forAllTests(scratch);

test.each(['', '&readConcernLevel=majority'])(
  'an export of a replica set reads all databases at one instant, with an address that ends in "%s"',
  async (more) => {
    const dataDir = join(place.folder, `set${more}`);
    mkdirSync(dataDir);
    const set = stopAfterTest(await startReplicaSet(dataDir));
    const client = await mongo.MongoClient.connect(set.uri);
    await fill(client);
    await client.close();
    set.reads.length = 0;
    const secrets = { TOMBSTONE_KEY: 'a'.repeat(64) };
    await exportTo({ file: `${dataDir}.tar`, uri: `${set.uri}${more}`, dataDir, local: false, secrets });
    const [first, ...rest] = set.reads.map(({ concern }) => concern);
    expect(set.reads.map(({ namespace }) => namespace)).toContain('cord_mining.entries');
    expect(first).toEqual({ level: 'snapshot' });
    const later = { level: 'snapshot', atClusterTime: expect.anything() };
    expect(rest).toEqual(rest.map(() => later));
  },
);
