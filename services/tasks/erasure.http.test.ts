import { nodeStopped } from '@cord/contracts/events/node';
import { userErased } from '@cord/contracts/events/user';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { describe, expect, test, vi } from 'vitest';
import { HOUR, openTaskCenter, session } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());

describe('tasks and an erasure', () => {
  test('one-time tasks cannot be claimed again by a user who returns after an erasure', async () => {
    const user = await tasks.newcomer({ returning: true, joinedAt: tasks.clock.now() - 30 * 24 * HOUR });
    expect((await user.complete('early-adopter')).status).toBe(422);
    await user.visit('follow-x');
    await tasks.clock.advance(5_000);
    const social = await user.complete('follow-x');
    expect([social.status, social.problem.type]).toEqual([422, 'task-once']);
    expect(tasks.ledger.balanceMicro(user.userId)).toBe(0n);
  });

  test('an erased user stays a tombstone: late events restore nothing, and claims are refused', async () => {
    const user = await tasks.newcomer();
    expect((await user.complete('early-adopter')).status).toBe(200);
    await tasks.publish(userErased, user.userId, {}, 9);
    await vi.waitFor(async () => expect((await user.task('early-adopter')).progress).toBe(0), PATIENCE_MS);
    const late = session(tasks.clock.now() - HOUR, tasks.clock.now());
    await tasks.publish(nodeStopped, user.userId, late, 99);
    const other = await tasks.newcomer();
    await tasks.publish(nodeStopped, other.userId, late, 99);
    const store = await tasks.backend.storeOf('tasks');
    const record = (userId: string) => store.collection<{ _id: string }>('records').findOne({ _id: userId });
    await vi.waitFor(async () => {
      expect(await record(other.userId)).toMatchObject({ nodeSeq: 99n });
    }, PATIENCE_MS);
    expect(await record(user.userId)).toMatchObject({ erased: true, claims: {}, nodeSeq: 0n });
    expect(await record(user.userId)).not.toHaveProperty('promisedAt');
    expect(await record(user.userId)).not.toHaveProperty('dirtyAt');
    const refused = await user.complete('mine-1-hour');
    expect([refused.status, refused.problem.type]).toEqual([422, 'account-erased']);
    const stream = await tasks.backend.nats.jsm.streams.info('CORD_TASKS', {
      subjects_filter: `cord.*.v1.*.${user.userId}`,
    });
    expect(stream.state.subjects ?? {}).toEqual({});
  });
});
