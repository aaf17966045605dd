import { ownerOf, partitionOf } from '@cord/contracts/rules/affinity';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { origin, upstream } from './origin.js';
import { startSessions } from './sessions.js';

const USERS = Array.from({ length: 12 }, (_, n) => String(n).repeat(32).slice(0, 32));
const sessions = forAllTests(startSessions);

/** Starts replicas of mining with these numbers behind two gateways. */
async function start(numbers: readonly number[]) {
  const replicas = await Promise.all(numbers.map((number) => upstream(undefined, number)));
  const upstreams = { mining: replicas.map(({ url }) => url) };
  const given = { upstreams, ...sessions.given };
  const gateways = [await origin(given), await origin(given)];
  for (const gateway of gateways) await gateway.probed();
  /** Returns the number of the replica that a call reached. */
  const reached = async (gateway: number, path: string, headers: Record<string, string> = {}) => {
    const before = replicas.map(({ seen }) => seen.length);
    const answer = await gateways[gateway]?.call(path, { method: 'POST', headers });
    expect(answer?.status).toBe(200);
    return numbers[replicas.findIndex(({ seen }, n) => seen.length > (before[n] ?? 0))];
  };
  return { replicas, gateways, reached };
}

describe('calls of one user', () => {
  test('reach the replica that owns the user, through any gateway, by path, bearer or cookie', async () => {
    const { reached } = await start([4, 9, 2]);
    const owners = new Set<number | undefined>();
    for (const user of USERS) {
      const owner = ownerOf(partitionOf(user), [2, 4, 9]);
      owners.add(owner);
      for (const gateway of [0, 1]) {
        expect(await reached(gateway, `/api/users/${user}/mining/start`)).toBe(owner);
        const token = await sessions.tokenOf(user);
        expect(await reached(gateway, '/api/mining/start', { authorization: `Bearer ${token}` })).toBe(owner);
        const ours = { cookie: `a=b; cord=${token}`, 'sec-fetch-site': 'same-origin' };
        expect(await reached(gateway, '/api/mining/start', ours)).toBe(owner);
      }
    }
    expect(owners.size).toBeGreaterThan(1);
  });

  test('go to another replica while theirs is away, and to the same one from both gateways once that is known', async () => {
    const { replicas, gateways, reached } = await start([0, 1, 2]);
    const user = USERS.find((one) => ownerOf(partitionOf(one), [0, 1, 2]) === 0) ?? '';
    await replicas[0]?.close();
    expect(await reached(0, `/api/users/${user}/mining/start`)).not.toBe(0);
    for (const gateway of gateways) await gateway.probed();
    const heir = ownerOf(partitionOf(user), [1, 2]);
    for (const gateway of [0, 1]) expect(await reached(gateway, `/api/users/${user}/mining/start`)).toBe(heir);
  });

  test('with an invalid token, or to replicas without a number, are distributed round robin', async () => {
    const { reached } = await start([0, 1]);
    const forged = (await sessions.tokenOf(USERS[0] ?? '')).slice(0, -9);
    for (const bad of ['Bearer x', 'Bearer a.b.c', `Bearer ${forged}`, `Bearer a.${'A'.repeat(4_000)}.c`]) {
      const headers = { authorization: bad };
      const both = [await reached(0, '/api/mining/start', headers), await reached(0, '/api/mining/start', headers)];
      expect(both.sort()).toEqual([0, 1]);
    }
    const old = [await upstream(), await upstream()];
    const site = await origin({ upstreams: { mining: old.map(({ url }) => url) } });
    await site.probed();
    for (let n = 0; n < 4; n += 1) await site.call(`/api/users/${USERS[0]}/mining/start`, { method: 'POST' });
    expect(old.map(({ seen }) => seen.length)).toEqual([2, 2]);
  });
});
