import { mongo } from 'mongoose';
import { describe, expect, inject, test } from 'vitest';
import { runningStoreUri } from '../../dev/starter/store-address.ts';
import { call, signInByBearer } from './client.js';

const origin = inject('origin');
const dataDir = inject('dataDir');
const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];
/**
 * Where the random id may stay: the ledger's own books, the marks against a return of erased data, a friend's books,
 * the rate limits (an hour), and recently published messages (minutes).
 */
const STAYS =
  /^(cord_\w+\.(rate_windows|recently_published)|cord_mining\.(accounts|entries|sessions)|cord_auth\.(erasures|revocations|audit)|cord_referrals\.(members|sums|totals|buckets|payments)|cord_rewards\.holders|cord_tasks\.(records|streaks)|cord_notices\.people)$/;

/** Returns every document of every collection, as `database.collection` and text. */
async function everything(): Promise<[string, string][]> {
  const client = await new mongo.MongoClient(await runningStoreUri(dataDir), { useBigInt64: true }).connect();
  const found: [string, string][] = [];
  for (const service of SERVICES) {
    const db = client.db(`cord_${service}`);
    for (const { name } of await db.listCollections().toArray()) {
      for await (const document of db.collection(name).find()) {
        const text = JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
        found.push([`cord_${service}.${name}`, text]);
      }
    }
  }
  await client.close();
  return found;
}

describe('erasure across all services', () => {
  test('leaves no Discord id, name or text of the user in any collection; the ledger keeps the random id', async () => {
    const friend = await signInByBearer(origin);
    const code = async () =>
      ((await call(friend, { method: 'GET', path: '/referrals/stats' })).body as { referralCode: string }).referralCode;
    await expect.poll(code).toMatch(/^[A-Z0-9]{8}$/);
    const referralCode = await code();
    const me = await signInByBearer(origin, 5.5, referralCode);
    const post = async (path: string, body: unknown = {}) => {
      const { status } = await call(me, { method: 'POST', path }, { body });
      expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code === 200 || code === 201)]);
    };
    await post('/mining/start');
    await post('/daily-checkin/perform', { userId: me.userId });
    await post('/tasks/early-adopter/complete');
    await post('/compensation/claim', { userId: me.userId });
    await post('/badge-orders');
    await post('/support', { kind: 'support', subject: 'A question', text: `Only ${me.username} would write.` });
    await call(
      me,
      { method: 'PUT', path: '/users/:id/settings' },
      { params: { id: me.userId }, body: { autoStart: true } },
    );
    const holding = (text: string, all: [string, string][]) =>
      [...new Set(all.filter(([, document]) => document.includes(text)).map(([where]) => where))].sort();
    // The boards are in memory, so only the API shows whether they have the name.
    const ranked = () => call(me, { method: 'GET', path: '/leaderboard' }, { query: { search: me.username } });
    const isRanked = async () => JSON.stringify((await ranked()).body).includes(me.username);
    await expect.poll(isRanked).toBe(true);
    const before = await everything();
    expect(holding(me.accountId, before).length).toBeGreaterThan(0);
    expect(holding(me.username, before).length).toBeGreaterThan(2);
    const entriesBefore = before.filter(([where, text]) => where === 'cord_mining.entries' && text.includes(me.userId));

    const answer = await call(
      me,
      { method: 'DELETE', path: '/users/:id' },
      { params: { id: me.userId }, body: { confirm: me.username } },
    );
    expect(answer.status).toBe(204);
    const traces = async () => {
      const all = await everything();
      return [...holding(me.accountId, all), ...holding(me.username, all)];
    };
    await expect.poll(traces, { interval: 500 }).toEqual([]);
    const listed = async () =>
      (await fetch(`${origin}/api/leaderboard?search=${encodeURIComponent(me.username)}`)).text();
    await expect.poll(listed).toBe('[]');

    const after = await everything();
    expect(holding(me.userId, after).filter((where) => !STAYS.test(where))).toEqual([]);
    const entriesAfter = after.filter(([where, text]) => where === 'cord_mining.entries' && text.includes(me.userId));
    expect(entriesAfter.map(([, text]) => text)).toEqual(expect.arrayContaining(entriesBefore.map(([, text]) => text)));
    await expect.poll(async () => (await call(me, { method: 'GET', path: '/auth/me' })).status).toBe(401);
  });
});
