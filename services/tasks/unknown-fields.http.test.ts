import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { referralLinked } from '@cord/contracts/events/referral';
import { userUpdated } from '@cord/contracts/events/user';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { taskEndpoints } from '@cord/contracts/http/tasks';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered } from '@cord/kit/testing/registered';
import { storedAt, writeAsNewer, writeNewerSchema } from '@cord/kit/testing/unknown-fields';
import { expect, test, vi } from 'vitest';
import { HOUR, openTaskCenter, session, type TaskCenter } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());

type User = Awaited<ReturnType<TaskCenter['newcomer']>>;

/** Performs every action that changes documents. @param n number of earlier runs */
async function useAll(user: User, admin: string, n: number): Promise<void> {
  const { url, clock, publish } = tasks;
  await publish(userUpdated, user.userId, registered(clock.now(), { discordCreatedAt: n }), n + 2);
  await publish(
    referralLinked,
    user.userId,
    { referralCode: 'ABCDEFGH', referredBy: null, totalReferrals: n + 3, earningsMicro: '0' },
    n + 1,
  );
  await vi.waitFor(
    async () => expect((await user.task('invite-friends')).progress).toBeGreaterThanOrEqual(3),
    PATIENCE_MS,
  );
  const ran = session(clock.now() - 2 * HOUR, clock.now());
  const day = { dayKey: new Date(clock.now()).toISOString().slice(0, 10), ms: 2 * HOUR };
  await publish(nodeStarted, user.userId, ran, n * 10 + 1);
  await publish(nodePaused, user.userId, { ...ran, day }, n * 10 + 2);
  await publish(nodeStopped, user.userId, { ...ran, day }, n * 10 + 3);
  await vi.waitFor(async () => expect((await user.task('mine-1-hour')).claimable).toBe(true), PATIENCE_MS);
  expect((await user.complete('mine-1-hour')).status).toBe(200);
  const social = (await user.mine()).find(({ socialUrl }) => socialUrl !== null);
  await user.visit(social?.id ?? '');
  const checked = await call(url, checkinEndpoints.perform, { body: { userId: user.userId }, token: user.token });
  expect(checked.status).toBe(200);
  const params = { id: 'mine-1-hour' };
  expect((await call(url, taskEndpoints.update, { params, body: { title: `Mine ${n}` }, token: admin })).status).toBe(
    200,
  );
}

test('unknown fields of a newer release survive every update of their document', async () => {
  const [user, admin] = [await tasks.newcomer(), await tasks.admin()];
  await useAll(user, admin, 0);
  const newer = await writeAsNewer(tasks.backend, 'tasks', {
    pass: () => tasks.clock.advance(6_000),
    except: { audit: 'never changed', streams: 'where publishing is' },
  });
  expect(newer.collections).toEqual(['catalogue', 'meta', 'records', 'streaks']);
  await tasks.clock.advance(25 * HOUR);
  await useAll(user, await tasks.admin(), 1);
  expect(await newer.lost()).toEqual([]);
  expect(await newer.changed()).toEqual(['catalogue', 'records', 'streaks']);
});

test('a record with a newer schema gets 503 naming the schema, and is not changed', async () => {
  const user = await tasks.newcomer();
  const place = { service: 'tasks', collection: 'records', id: user.userId };
  const newer = await writeNewerSchema(tasks.backend, place);
  const refused = await user.complete('early-adopter');
  expect([refused.status, refused.problem.error]).toEqual([503, expect.stringContaining('task record is of schema 2')]);
  expect(await storedAt(tasks.backend, place)).toEqual(newer);
});
