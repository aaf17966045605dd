import { nodeStopped } from '@cord/contracts/events/node';
import { userErased } from '@cord/contracts/events/user';
import { createLogger } from '@cord/kit/log';
import { connectStore } from '@cord/kit/store';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HOUR, openTaskCenter, session, type TaskCenter } from './test/people.js';

let alone: TaskCenter;
let clock: TaskCenter['clock'];
let ledger: TaskCenter['ledger'];
let publish: TaskCenter['publish'];
let newcomer: TaskCenter['newcomer'];

beforeAll(async () => {
  alone = await openTaskCenter();
  ({ clock, ledger, publish, newcomer } = alone);
});
afterAll(() => alone?.stop());

describe('tasks and an erasure', () => {
  test('one-time tasks do not come again after an erasure', async () => {
    const user = await newcomer({ returning: true, joinedAt: clock.now() - 30 * 24 * HOUR });
    expect((await user.complete('early-adopter')).status).toBe(422);
    await user.visit('follow-x');
    await clock.advance(5_000);
    const social = await user.complete('follow-x');
    expect([social.status, social.problem.type]).toEqual([422, 'task-once']);
    expect(ledger.balanceMicro(user.userId)).toBe(0n);
  });

  test('an erased user is a tombstone: what still arrives brings nothing back, and nothing more is claimed', async () => {
    const user = await newcomer();
    expect((await user.complete('early-adopter')).status).toBe(200);
    await publish(userErased, user.userId, {}, 9);
    await vi.waitFor(async () => expect((await user.task('early-adopter')).progress).toBe(0), PATIENCE_MS);
    const late = session(clock.now() - HOUR, clock.now());
    await publish(nodeStopped, user.userId, late, 99);
    const other = await newcomer();
    await publish(nodeStopped, other.userId, late, 99);
    const store = await connectStore(
      alone.backend.mongodbUri,
      alone.backend.dbName('tasks'),
      createLogger('tasks', 'silent'),
    );
    const record = (userId: string) => store.collection<{ _id: string }>('records').findOne({ _id: userId });
    await vi.waitFor(async () => {
      expect(await record(other.userId)).toMatchObject({ nodeSeq: 99n });
    }, PATIENCE_MS);
    expect(await record(user.userId)).toMatchObject({ erased: true, claims: {}, nodeSeq: 0n });
    expect(await record(user.userId)).not.toHaveProperty('promisedAt');
    expect(await record(user.userId)).not.toHaveProperty('dirtyAt');
    await store.close();
    const refused = await user.complete('mine-1-hour');
    expect([refused.status, refused.problem.type]).toEqual([422, 'account-erased']);
    const stream = await alone.backend.nats.jsm.streams.info('CORD_TASKS', {
      subjects_filter: `cord.*.v1.*.${user.userId}`,
    });
    expect(stream.state.subjects ?? {}).toEqual({});
  });
});
