import { adminEndpoints } from '@cord/contracts/http/admin';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import type { ChainEntry } from '@cord/contracts/proof/chain';
import { chainBefore, followEntries } from '@cord/contracts/proof/entries';
import { auditRpc } from '@cord/contracts/rpc/audit';
import { dayKey } from '@cord/contracts/rules/days';
import { numberToMicro } from '@cord/contracts/rules/money';
import { opsUrlOf } from '@cord/kit/ops-port';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { allPages } from '@cord/kit/testing/pages';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../ledger/chain.js';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture } from '../test/fixture.js';

const mining = forAllTests(() => startFixture({ bounds: { looked: 1 } }));

describe('a node', () => {
  test('starts, earns by the server’s clock, is saved, and ends', async () => {
    const user = await mining.newUser(5);
    const session = await user.start();
    expect(session).toMatchObject({ status: 'active', rate: 1.75, rateNano: '1750000000', endedAt: null, earnings: 0 });
    expect(session.factors).toEqual({ tier: 3.5, antiCheat: 1, badge: false, epoch: 1, epochId: null });
    await mining.clock.advance(10_000);
    const saved = await user.save(session.id);
    expect(saved).toMatchObject({ success: true, credited: 0.291666, newBalance: 0.291666 });
    expect(saved.session).toMatchObject({ id: session.id, status: 'active', earnings: 0.291666, efficiency: 100 });
    expect(saved.updatedUser).toMatchObject({
      id: user.id,
      current_balance: 0.291666,
      total_earned: 0.291666,
      daily_earnings: 0.291666,
      weekly_earnings: 0.291666,
      is_node_active: true,
      rate: 1.75,
    });
    await mining.clock.advance(50_000);
    const ended = await user.call(api.end, { params: { sessionId: session.id }, body: { finalEarnings: 1e6 } });
    expect(ended.body).toMatchObject({ credited: 1.458334, newBalance: 1.75 });
    expect(ended.body.session).toMatchObject({ status: 'ended', earnings: 1.75 });
    expect(ended.body.updatedUser).toMatchObject({ is_node_active: false, node_start_time: null });
    expect((await user.call(api.current)).body).toBeNull();
  });

  test('keeps its session when started again while it runs, by either client', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    await mining.clock.advance(1_000);
    expect((await user.start()).id).toBe(session.id);
    expect((await user.call(api.startB)).body.id).toBe(session.id);
    const activated = (await user.call(api.activate)).body;
    expect(activated.session?.id).toBe(session.id);
    expect(activated.updatedUser).toMatchObject({ id: user.id, is_node_active: true });
  });

  test('responds 200 to a second stop and credits nothing for it', async () => {
    const user = await mining.newUser();
    const { id: sessionId } = await user.start();
    await mining.clock.advance(MINUTE_MS);
    const end = () => user.call(api.end, { params: { sessionId }, body: {} });
    expect((await end()).body.credited).toBe(0.5);
    await mining.clock.advance(MINUTE_MS);
    const again = await end();
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ credited: 0, newBalance: 0.5 });
    const deactivated = await user.call(api.deactivate);
    expect(deactivated.status).toBe(200);
    expect(deactivated.body.updatedUser).toMatchObject({ is_node_active: false, current_balance: 0.5 });
    expect((await user.call(api.stopB)).body.credited).toBe(0);
  });

  test('earns exactly until its lease ends, then pauses, reports it, and gets nothing more from a save', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    await mining.clock.advance(2 * DAY_MS);
    expect(await mining.balanceMicro(user.id)).toBe(240_000_000n);
    const saved = await user.save(session.id);
    expect(saved).toMatchObject({ success: true, credited: 0, newBalance: 240 });
    expect(saved.session).toMatchObject({
      status: 'paused',
      endedAt: new Date(Date.parse(session.startedAt) + 8 * HOUR_MS).toISOString(),
      // Forty hours at 0.5: shown, and not in the balance.
      missed: 1_200,
    });
    expect(saved.session?.efficiency).toBeCloseTo(16.67, 2);
    expect((await user.call(api.current)).body?.status).toBe('paused');
    const resumed = await user.start();
    expect(resumed.id).not.toBe(session.id);
    expect(resumed.status).toBe('active');
    expect(resumed.missed).toBeUndefined();
    expect(await mining.balanceMicro(user.id)).toBe(240_000_000n);
  });

  test('extends its lease by any contact: a start, a save or a read of the session', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    for (let n = 0; n < 3; n += 1) {
      await mining.clock.advance(7 * HOUR_MS);
      expect((await user.call(api.current)).body?.status).toBe('active');
      await mining.clock.advance(7 * HOUR_MS);
      expect((await user.save(session.id)).session?.status).toBe('active');
      await mining.clock.advance(7 * HOUR_MS);
      expect((await user.start()).id).toBe(session.id);
    }
    expect(await mining.balanceMicro(user.id)).toBe(BigInt((63 * HOUR_MS) / MINUTE_MS) * 500_000n);
  });

  test('is never credited with amounts that a client sends, and the difference is measured', async () => {
    const user = await mining.newUser();
    const { id: sessionId } = await user.start();
    await mining.clock.advance(MINUTE_MS);
    const body = { earningsToAdd: 1_000_000, miningRate: 99 };
    const saved = await user.call(api.save, { params: { id: user.id, sessionId }, body });
    expect(saved.body.newBalance).toBe(0.5);
    const updated = await user.call(api.update, {
      params: { sessionId },
      body: { earnings: 5e9, hashRate: 1, efficiency: 1 },
    });
    expect(updated.body).toMatchObject({ credited: 0, newBalance: 0.5 });
    expect((await user.call(api.updateB, { body: { earnings: -4 } })).body.newBalance).toBe(0.5);
    const figures = await (await fetch(`${opsUrlOf(mining.replicas[0]?.url ?? '')}/metrics`)).text();
    expect(figures).toMatch(/cord_client_claimed_over_cord_sum\{[^}]*call="save"[^}]*\} 999999\.5/);
  });

  test('of another user gets 404, under that user’s path 403, and is not changed', async () => {
    const owner = await mining.newUser();
    const stranger = await mining.newUser();
    const { id: sessionId } = await owner.start();
    await mining.clock.advance(MINUTE_MS);
    for (const answer of [
      await stranger.call(api.end, { params: { sessionId }, body: {} }),
      await stranger.call(api.update, { params: { sessionId }, body: {} }),
      await stranger.call(api.save, { params: { id: stranger.id, sessionId }, body: {} }),
      await stranger.call(api.end, { params: { sessionId: randomId() }, body: {} }),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.problem).toMatchObject({ type: 'session-not-found', success: false });
    }
    const asOwner = await stranger.call(api.save, { params: { id: owner.id, sessionId }, body: {} });
    expect(asOwner.status).toBe(403);
    expect((await owner.save(sessionId)).credited).toBe(0.5);
  });

  test('does not confuse an ended session with the running one', async () => {
    const user = await mining.newUser();
    const first = await user.start();
    await user.call(api.stopB);
    const second = await user.start();
    await mining.clock.advance(MINUTE_MS);
    const ended = await user.call(api.end, { params: { sessionId: first.id }, body: {} });
    expect(ended.body).toMatchObject({ credited: 0 });
    expect(ended.body.session).toMatchObject({ id: first.id, status: 'ended' });
    expect((await user.call(api.current)).body).toMatchObject({ id: second.id, status: 'active', earnings: 0.5 });
  });
});

/** A user who becomes an operator. */
async function newOperator() {
  const operator = await mining.newUser();
  const unknownUser = () => operator.call(adminEndpoints.ledger, { params: { id: 'f'.repeat(32) } });
  expect((await unknownUser()).status).toBe(403);
  await mining.signer.state.setRoles(operator.id, ['admin']);
  expect((await unknownUser()).status).toBe(404);
  return operator;
}
const looksAt = async (target: string) =>
  (await mining.backend.nats.request(auditRpc('mining'), { limit: 10, filter: { targets: [target] } })).entries;

describe('mined CORD', () => {
  test('is listed by session, newest first', async () => {
    const user = await mining.newUser();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.unshift((await user.start()).id);
      await mining.clock.advance(MINUTE_MS);
      if (n < 11) await user.call(api.stopB);
    }
    const history = (await user.call(api.history)).body;
    expect(history.map((session) => session.id)).toEqual(ids.slice(0, 10));
    expect(history.map((session) => session.earnings)).toEqual(Array(10).fill(0.5));
    expect(history[0]?.status).toBe('active');
    expect((await user.call(api.history, { query: { limit: 2 } })).body).toHaveLength(2);
    expect((await user.call(api.history, { query: { limit: 100 } })).body).toHaveLength(12);

    const operator = await newOperator();
    const look = (query: object) =>
      operator.call(adminEndpoints.mining, { params: { id: user.id }, query: { ...query } });
    const pages = await allPages(async (query) => (await look({ limit: 5, ...query })).body);
    expect(pages.map(({ sessions }) => sessions.length)).toEqual([5, 5, 2]);
    expect(pages.flatMap(({ sessions }) => sessions.map(({ id }) => id))).toEqual(ids);
    expect(pages[0]?.sessions[0]?.status).toBe('active');
    expect((await operator.call(adminEndpoints.mining, { params: { id: randomId() } })).status).toBe(404);
    expect(await looksAt(user.id)).toMatchObject([{ detail: { at: 'mining' }, requestId: expect.any(String) }]);
  });

  test('appears in the ledger page by page, each entry with the balance after it', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    await mining.clock.advance(MINUTE_MS);
    await mining.credit(user.id, 'checkin', `checkin:${user.id}:${dayKey(mining.clock.now())}`, 55_000_000n);
    await mining.clock.advance(MINUTE_MS);
    await mining.credit(user.id, 'task', `task:early-adopter:${user.id}:once`, 750_000_000n);
    await mining.clock.advance(MINUTE_MS);
    await user.save(session.id);
    const whole = (await user.call(api.ledger)).body;
    expect(whole.open).toBe(0.5);
    expect(whole.nextCursor).toBeNull();
    expect(whole.entries.map(({ source, amount, balance }) => [source, amount, balance])).toEqual([
      ['task', 750, 806],
      ['mining', 0.5, 56],
      ['checkin', 55, 55.5],
      ['mining', 0.5, 0.5],
    ]);
    const first = (await user.call(api.ledger, { query: { limit: 3 } })).body;
    expect(first.entries).toEqual(whole.entries.slice(0, 3));
    const rest = (await user.call(api.ledger, { query: { limit: 3, cursor: first.nextCursor ?? '' } })).body;
    expect(rest.entries).toEqual(whole.entries.slice(3));
    expect(rest.nextCursor).toBeNull();

    // An operator sees the same: a look is one line of the audit log, however many pages it has, and no other user may.
    const operator = await newOperator();
    const look = (query = {}) => operator.call(adminEndpoints.ledger, { params: { id: user.id }, query });
    const page = (await look({ limit: 3 })).body;
    expect([page.entries, page.open, page.count]).toEqual([first.entries, whole.open, 4]);
    expect((await look({ limit: 3, cursor: page.nextCursor ?? '' })).body.entries).toEqual(rest.entries);
    expect(await looksAt(user.id)).toMatchObject([
      { adminId: operator.id, action: 'user.looked-up', detail: { at: 'ledger' } },
    ]);
    // A cursor that no page before has given is a look as well.
    const second = await newOperator();
    const invented = { params: { id: user.id }, query: { limit: 3, cursor: page.nextCursor ?? '' } };
    expect((await second.call(adminEndpoints.ledger, invented)).body.entries).toEqual(rest.entries);
    expect((await looksAt(user.id)).map(({ adminId }) => adminId).sort()).toEqual([operator.id, second.id].sort());
    // Of one source: a page goes on where it stopped looking, and nothing is missed or sent twice.
    await eventually(async () => expect(await mining.stored.entries.countDocuments({ userId: user.id })).toBe(4));
    const mined = await allPages(async (query) => (await look({ source: 'mining', limit: 3, ...query })).body);
    expect(mined.map(({ entries, count }) => [entries.length, count])).toEqual([0, 1, 0, 1].map((n) => [n, 2]));
    expect(mined.flatMap(({ entries }) => entries)).toEqual(whole.entries.filter(({ source }) => source === 'mining'));
    expect((await look({ source: 'welcome' })).body).toMatchObject({ entries: [], count: 0 });
    const refused = await look({ source: 'gold' });
    expect([refused.status, refused.problem.errors?.map(({ path }) => path)]).toEqual([400, ['source']]);
  });

  test('can be read from any entry on, oldest first, as a chain that the verifier accepts', async () => {
    const user = await mining.newUser();
    const session = await user.start();
    for (let n = 0; n < 6; n += 1) {
      await mining.clock.advance(MINUTE_MS);
      await mining.credit(user.id, 'task', `task:t${n}:${user.id}:once`, 5_000_001n);
    }
    await user.save(session.id);
    const after = async (n: number, limit = 5) =>
      (await user.call(api.ledger, { query: { after: String(n), limit } })).body;
    const follow = async (from: number, limit: number) => {
      const found: ChainEntry[] = [];
      for (let next: string | null = String(from); next !== null; ) {
        const page: Awaited<ReturnType<typeof after>> = await after(Number(next), limit);
        found.push(...page.entries.map(ofListing));
        next = page.nextCursor;
      }
      return found;
    };
    const ofListing = ({
      id,
      at,
      amount,
      balance,
      ...entry
    }: Awaited<ReturnType<typeof after>>['entries'][number]) => ({
      ...entry,
      key: id,
      at: String(Date.parse(at)),
      amount: String(numberToMicro(amount)),
      balance: String(numberToMicro(balance)),
    });
    const whole = await follow(0, 5);
    const start = chainBefore(sha256, user.id);
    expect(followEntries(sha256, user.id, start, whole)).toMatchObject({ n: 12, recomputed: 6 });
    for (let n = 0; n <= 13; n += 1) expect(await follow(n, 200)).toEqual(whole.slice(n));
    // The same once all are written.
    await eventually(async () => expect(await mining.stored.entries.countDocuments({ userId: user.id })).toBe(12));
    for (let n = 0; n <= 13; n += 3) expect(await follow(n, 2)).toEqual(whole.slice(n));
    for (const query of [{ after: '01' }, { after: '-1' }, { after: '1', cursor: '1' }, { limit: 201 }]) {
      const refused = await user.call(api.ledger, { query });
      expect([refused.status, refused.problem.errors?.map(({ path }) => path)]).toEqual([400, [Object.keys(query)[0]]]);
    }
  });

  test('appears in client B’s local node stats', async () => {
    const user = await mining.newUser(1.05);
    await user.start();
    await mining.clock.advance(90_000);
    const stats = (await user.call(api.stats)).body;
    expect(stats).toMatchObject({
      isActive: true,
      uptime: 90,
      totalUptime: 90,
      dailyEarnings: 0.9,
      totalEarnings: 0.9,
      efficiency: 1,
    });
    expect(stats.hashRate).toBeGreaterThan(112);
    expect(stats.hashRate).toBeLessThan(118);
    await user.call(api.stopB);
    expect((await user.call(api.stats)).body).toMatchObject({
      isActive: false,
      startTime: null,
      uptime: 0,
      totalEarnings: 0.9,
    });
  });
});
