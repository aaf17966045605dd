import type { Endpoint } from '@cord/contracts/endpoint';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { RATE_LIMITS } from '@cord/contracts/limits';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, startFixture, type TestUser } from '../test/fixture.js';

const SCALE = 0.05;
const STARTS = RATE_LIMITS.start.points * SCALE;
const STOPS = RATE_LIMITS.stop.points * SCALE;
const SAVES = RATE_LIMITS.save.points * SCALE;

const mining = forAllTests(() => startFixture({ replicas: 2, env: { RATE_LIMIT_SCALE: String(SCALE) } }));

const starts = [api.start, api.startB, api.activate] as const;

async function statusOf(user: TestUser, endpoint: Endpoint, replica: number, sessionId = ''): Promise<number> {
  return (await user.call(endpoint as typeof api.stats, { replica, params: { id: user.id, sessionId } })).status;
}

/** The session of a running node. */
async function sessionOf(user: TestUser): Promise<string> {
  return (await user.call(api.current)).body?.id ?? '';
}

describe('starts', () => {
  test('are limited per user and hour across all paths and replicas, and every stop succeeds', async () => {
    const user = await mining.newUser();
    const stops = [api.deactivate, api.stopB, api.end] as const;
    for (let n = 0; n < STARTS; n += 1) {
      expect(await statusOf(user, starts[n % 3] as Endpoint, n)).toBe(200);
      expect(await statusOf(user, stops[n % 3] as Endpoint, n, await sessionOf(user))).toBe(200);
    }
    for (const [n, endpoint] of starts.entries()) expect(await statusOf(user, endpoint, n)).toBe(429);
    expect(await statusOf(await mining.newUser(), api.start, 0)).toBe(200);
    await mining.clock.advance(HOUR_MS);
    expect(await statusOf(user, api.startB, 1)).toBe(200);
  });
});

describe('a stop', () => {
  test('of a running node is never rate-limited, however many stops without a node came before', async () => {
    const user = await mining.newUser();
    const idle: number[] = [];
    for (let n = 0; n < STOPS + 3; n += 1) idle.push(await statusOf(user, n % 2 ? api.stopB : api.deactivate, 0));
    expect(idle).toEqual([...Array(STOPS).fill(200), 429, 429, 429]);
    for (const endpoint of [api.deactivate, api.stopB, api.end]) {
      await user.start();
      expect(await statusOf(user, endpoint, 0, await sessionOf(user))).toBe(200);
      expect((await user.call(api.current)).body).toBeNull();
    }
    expect(await statusOf(user, api.deactivate, 0)).toBe(429);
  });

  test('of an unknown session still gets 404', async () => {
    const user = await mining.newUser();
    expect(await statusOf(user, api.end, 0, randomId())).toBe(404);
  });
});

test('saves share one limit across their three paths', async () => {
  const user = await mining.newUser();
  const sessionId = (await user.start()).id;
  const saves = [api.save, api.update, api.updateB] as const;
  const save = async (n: number) => {
    const endpoint = saves[n % 3] as typeof api.save;
    return (await user.call(endpoint, { params: { id: user.id, sessionId }, body: {} })).status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < SAVES + 3; n += 1) statuses.push(await save(n));
  expect(statuses).toEqual([...Array(SAVES).fill(200), 429, 429, 429]);
});
