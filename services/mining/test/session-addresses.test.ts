import { miningEndpoints } from '@cord/contracts/http/mining';
import { randomId, startForTest } from '@cord/kit/testing/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mining as service } from '../service.js';
import { eventually, type Fixture, MINUTE_MS, startFixture } from './fixture.js';

/** More than one batch of them. */
const RECORDS = 300;

let mining: Fixture;
beforeAll(async () => {
  mining = await startFixture();
});
afterAll(() => mining?.close());

test('session records of an earlier release forget their address at the next start, and nothing else of them', async () => {
  const user = await mining.newUser();
  await user.start();
  await mining.clock.advance(MINUTE_MS);
  await user.ask(miningEndpoints.stopB);
  const sessions = mining.models.sessions;
  const record = await eventually(async () => {
    const found = await sessions.findOne({ userId: user.id }).lean();
    expect(found).not.toBeNull();
    return found as NonNullable<typeof found>;
  });
  const before = Array.from({ length: RECORDS }, (_, n) => ({ ...record, _id: randomId(), addressHash: `hash ${n}` }));
  await sessions.collection.insertMany(before as never);

  const next = await startForTest(service, mining.backend, {
    clock: mining.clock,
    dbName: mining.backend.dbName('mining'),
  });
  await eventually(async () => expect(await sessions.countDocuments({ addressHash: { $type: 'string' } })).toBe(0));
  await next.close();
  expect(await sessions.countDocuments({})).toBe(RECORDS + 1);
  const [first] = before;
  expect(await sessions.findById(first?._id).lean()).toEqual({ ...first, addressHash: null });
});
