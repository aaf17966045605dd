import { RATE_LIMITS } from '@cord/contracts/limits';
import { describe, expect, it } from 'vitest';
import { list, mine, write } from '../test/http-endpoints.js';
import { startHttpFixture } from '../test/http-fixture.js';
import { call, randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';

const SCALE = 0.02;
const BAD_TOKENS = RATE_LIMITS.badToken.points * SCALE;

const fixture = forAllTests(() => startHttpFixture({ scale: SCALE }));

/** A signed-in user behind an address. */
async function userAt(address: string) {
  const id = randomId();
  const token = await fixture.signer.sign(id, { nowMs: fixture.clock.now() });
  const headers = { 'X-Forwarded-For': address };
  return { id, token, get: async () => call(fixture.url, mine, { params: { id }, token, headers }) };
}

/** Tokens like ours, with an invalid signature. */
async function forge(address: string, count: number): Promise<number[]> {
  const { token } = await userAt(address);
  const forged = (n: number) => `${token.slice(0, -20)}${String(n).padStart(20, 'A')}`;
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const answer = await call(fixture.url, write, { token: forged(n), headers: { 'X-Forwarded-For': address } });
    statuses.push(answer.status);
  }
  return statuses;
}

describe('invalid tokens', () => {
  it('get 401 up to the budget of their address, then 429 with Retry-After', async () => {
    const statuses = await forge('203.0.113.1', BAD_TOKENS + 3);
    expect(statuses).toEqual([...Array(BAD_TOKENS).fill(401), 429, 429, 429]);
    const { token } = await userAt('203.0.113.1');
    const headers = { 'X-Forwarded-For': '203.0.113.1' };
    const answer = await call(fixture.url, write, { token: `${token}A`, headers });
    expect([answer.status, answer.problem.type]).toEqual([429, 'too-many-requests']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await forge('203.0.113.2', 1)).toEqual([401]);
  });

  it('lock out no known user, no call without a token and no user who signed in meanwhile', async () => {
    const [known, newcomer] = [await userAt('203.0.113.3'), await userAt('203.0.113.3')];
    expect((await known.get()).status).toBe(200);
    await forge('203.0.113.3', BAD_TOKENS + 1);
    for (let n = 0; n < 3; n += 1) expect((await known.get()).status).toBe(200);
    const headers = { 'X-Forwarded-For': '203.0.113.3' };
    expect((await call(fixture.url, write, { headers })).status).toBe(401);
    expect((await call(fixture.url, list, { headers })).status).toBe(200);
    // Nor a user who has signed in meanwhile: one client behind a NAT blocks no other there.
    expect((await newcomer.get()).status).toBe(200);
    expect((await call(fixture.url, list, { token: newcomer.token, headers })).body).toMatchObject({
      user: newcomer.id,
    });
  });

  it('alone spend the budget of an address: the calls of signed-in users spend nothing', async () => {
    const users = await Promise.all(Array.from({ length: BAD_TOKENS + 2 }, () => userAt('203.0.113.4')));
    for (const user of users) expect((await user.get()).status).toBe(200);
    expect(await forge('203.0.113.4', 1)).toEqual([401]);
  });

  it('of an expired session count towards the budget, although they were valid before', async () => {
    const { token, get } = await userAt('203.0.113.5');
    expect((await get()).status).toBe(200);
    await fixture.clock.advance(8 * 86_400_000);
    const headers = { 'X-Forwarded-For': '203.0.113.5' };
    const statuses: number[] = [];
    for (let n = 0; n < BAD_TOKENS + 1; n += 1)
      statuses.push((await call(fixture.url, write, { token, headers })).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });

  it('of an ended session count towards the budget, although they were valid before', async () => {
    const { id, token, get } = await userAt('203.0.113.7');
    expect((await get()).status).toBe(200);
    await fixture.clock.advance(1);
    await fixture.signer.state.revokeUser(id, fixture.clock.now());
    await expect.poll(async () => (await get()).status).toBe(401);
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    const statuses: number[] = [];
    for (let n = 0; n < BAD_TOKENS; n += 1) statuses.push((await call(fixture.url, write, { token, headers })).status);
    expect(statuses).toEqual([...Array(BAD_TOKENS - 1).fill(401), 429]);
  });
});

describe('without room to wait for the check of an unknown token', () => {
  it('at an address with a spent budget a known user passes; an unknown one gets 429, or is anonymous on public calls', async () => {
    const full = await startHttpFixture({ scale: SCALE, tokensWaitingMax: 0 });
    const headers = { 'X-Forwarded-For': '203.0.113.6' };
    const id = randomId();
    const newcomer = await full.signer.sign(id, { nowMs: full.clock.now() });
    const get = (token: string) => call(full.url, mine, { params: { id }, token, headers });
    const known = await full.signer.sign(id, { nowMs: full.clock.now() });
    expect((await get(known)).status).toBe(200);
    for (let n = 0; n <= BAD_TOKENS; n += 1) await get(`${newcomer}${n}`);
    expect((await get(newcomer)).status).toBe(429);
    expect((await get(known)).status).toBe(200);
    expect((await call(full.url, list, { token: newcomer, headers })).body).toMatchObject({ user: null });
    await full.stop();
  });
});
