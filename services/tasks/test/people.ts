import { userRegistered } from '@cord/contracts/events/user';
import { taskEndpoints, type UserTask } from '@cord/contracts/http/tasks';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { type Fixture, startFixture } from '@cord/kit/testing/fixture';
import { call, randomId } from '@cord/kit/testing/index';
import { nodeSession } from '@cord/kit/testing/node-state';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered } from '@cord/kit/testing/registered';
import { expect, vi } from 'vitest';
import { service } from '../service.js';

export const NOON = Date.UTC(2026, 10, 18, 12);
export const HOUR = 3_600_000;

/** Starts the service alone, with functions that create users. */
export async function openTaskCenter() {
  const alone: Fixture = await startFixture(service, NOON);
  const { url, clock, publish } = alone;
  return {
    ...alone,
    /** Creates a user with a Discord account of 5.5 years, published by auth. */
    async newcomer({ returning = false, joinedAt = clock.now() } = {}) {
      const userId = randomId();
      const token = await alone.tokenOf(userId);
      const discordCreatedAt = clock.now() - 5.5 * YEAR_MS;
      await publish(userRegistered, userId, registered(joinedAt, { discordCreatedAt, returning }));
      const mine = async () => (await call(url, taskEndpoints.mine, { params: { id: userId }, token })).body;
      const task = async (id: string) => (await mine()).find((each) => each.id === id) as UserTask;
      const complete = (taskId: string) =>
        call(url, taskEndpoints.complete, { params: { id: userId, taskId }, body: { rewardAmount: 1e9 }, token });
      const visit = (taskId: string) => call(url, taskEndpoints.visit, { params: { id: userId, taskId }, token });
      await vi.waitFor(async () => expect((await task('early-adopter')).progress).toBe(1), PATIENCE_MS);
      return { userId, token, mine, task, complete, visit };
    },
    /** @returns an admin's token */
    admin: async (): Promise<string> => alone.tokenOf(await alone.signer.state.newOperator()),
  };
}

export type TaskCenter = Awaited<ReturnType<typeof openTaskCenter>>;

/** A mining session as the ledger publishes it. */
export const session = (startedAt: number, until: number) =>
  nodeSession(startedAt, until, { leaseUntil: until + 8 * HOUR });
