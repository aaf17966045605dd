import { type AccountState, balanceChanged } from '@cord/contracts/events/balance';
import { NOBODY, subjectOf } from '@cord/contracts/events/envelope';
import { presenceSubject } from '@cord/contracts/events/presence';
import { ranksClosed } from '@cord/contracts/events/ranks';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { userRegistered, userUpdated } from '@cord/contracts/events/user';
import { leaderboardEndpoints } from '@cord/contracts/http/leaderboard';
import { rankCardRpc, rankRpc } from '@cord/contracts/rpc/rank';
import { republishRpc } from '@cord/contracts/rpc/republish';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { opsUrlOf } from '@cord/kit/ops-port';
import { startFixture } from '@cord/kit/testing/fixture';
import { call, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered } from '@cord/kit/testing/registered';
import { describe, expect, test, vi } from 'vitest';
import { service } from './service.js';
import { earnedAt } from './test/account.js';

const NOON = Date.UTC(2026, 10, 18, 12);

const leaderboard = forAllTests(() => startFixture(service, NOON));

const account = (totalCord: number, changes: { activeUntil?: number; at?: number } = {}): AccountState => {
  const micro = String(totalCord * 1_000_000);
  return earnedAt(changes.at ?? leaderboard.clock.now(), micro, {
    bySource: { mining: micro },
    node: { status: changes.activeUntil ? 'active' : 'idle', leaseUntil: changes.activeUntil ?? null },
  });
};

const profile = (username: string) => ({
  username,
  avatar: null,
  discordCreatedAt: NOON - 5.5 * YEAR_MS,
  joinedAt: NOON,
  lastLoginAt: NOON,
  returning: false,
});

async function miner(username: string, totalCord: number, changes = {}): Promise<string> {
  const userId = randomId();
  await leaderboard.publish(userRegistered, userId, registered(NOON, profile(username)), 1);
  await leaderboard.publish(balanceChanged, userId, account(totalCord, changes), 1);
  await vi.waitFor(async () => expect(await search(username)).toHaveLength(1), PATIENCE_MS);
  return userId;
}

const search = async (text: string) =>
  (await call(leaderboard.url, leaderboardEndpoints.list, { query: { search: text } })).body;

describe('the leaderboard over HTTP', () => {
  test('ranks by total, and a search keeps the true ranks', async () => {
    await miner('anna.first', 900_000);
    await miner('bernd.second', 800_000);
    const top = await call(leaderboard.url, leaderboardEndpoints.list, { query: { limit: 2 } });
    expect(top.body.map((each) => [each.rank, each.username])).toEqual([
      [1, 'anna.first'],
      [2, 'bernd.second'],
    ]);
    expect((await search('BERND.SEC'))[0]).toMatchObject({
      rank: 2,
      total_earned: 800_000,
      multiplier: 3.5,
      account_age: 5.5,
    });
  });

  test('is public, but a user’s own place needs a sign-in', async () => {
    const userId = await miner('carla.self', 700_000);
    expect((await call(leaderboard.url, leaderboardEndpoints.me)).status).toBe(401);
    const token = await leaderboard.tokenOf(userId);
    const me = await call(leaderboard.url, leaderboardEndpoints.me, { token });
    expect(me.body.entry).toMatchObject({ userId, rank: 3 });
    expect(me.body.neighbours.map((each) => each.rank)).toContain(2);
    const unranked = await leaderboard.tokenOf(randomId());
    expect((await call(leaderboard.url, leaderboardEndpoints.me, { token: unranked })).body).toEqual({
      entry: null,
      neighbours: [],
    });
  });

  test('shows a miner’s place in each period and its neighbours publicly, and responds 404 for an unknown user', async () => {
    const places = (id: string) => call(leaderboard.url, leaderboardEndpoints.miner, { params: { id } });
    const userId = await miner('mila.places', 650_000);
    const { body } = await places(userId);
    expect(body.ranks.map(({ period, earned }) => [period, earned])).toEqual(
      ['all-time', 'monthly', 'weekly', 'daily'].map((period) => [period, 650_000]),
    );
    const [allTime] = body.ranks;
    const own = body.neighbours.find((each) => each.userId === userId);
    expect(own).toMatchObject({ rank: allTime?.rank, total_earned: 650_000 });
    expect(body.neighbours.length).toBeGreaterThan(1);

    const newcomer = await miner('nora.newcomer', 1);
    await leaderboard.publish(balanceChanged, newcomer, account(0), 2);
    await vi.waitFor(async () => {
      const ranks = ['all-time', 'monthly', 'weekly', 'daily'].map((period) => ({ period, rank: null, earned: 0 }));
      expect((await places(newcomer)).body).toEqual({ ranks, neighbours: [] });
    }, PATIENCE_MS);
    expect((await places(randomId())).status).toBe(404);
  });

  test('shows a new name, badge and total within a moment, and never an older one', async () => {
    const userId = await miner('dora.before', 10);
    await leaderboard.publish(userUpdated, userId, profile('dora.after'), 2);
    await leaderboard.publish(balanceChanged, userId, account(20), 5);
    const shows = (figures: object) =>
      vi.waitFor(async () => expect((await search('dora.after'))[0]).toMatchObject(figures), PATIENCE_MS);
    // The stream keeps only the last message of a subject, so the older one is sent after the newer was read.
    await shows({ total_earned: 20 });
    await leaderboard.publish(balanceChanged, userId, account(15), 4);
    await leaderboard.publish(badgePurchased, userId, { orderId: 'order', purchasedAt: NOON, transaction: 't' }, 1);
    await shows({ total_earned: 20, hasbadgeofhonor: true });
  });

  test('counts live leases, sums and users online', async () => {
    const before = (await call(leaderboard.url, leaderboardEndpoints.global)).body;
    const userId = await miner('emil.active', 5, { activeUntil: leaderboard.clock.now() + 60_000 });
    leaderboard.backend.nats.nc.publish(presenceSubject('mining'), JSON.stringify({ userIds: [userId] }));
    await leaderboard.clock.advance(2_000);
    await vi.waitFor(async () => {
      const after = (await call(leaderboard.url, leaderboardEndpoints.global)).body;
      expect(after.activeMiners).toBe(before.activeMiners + 1);
      expect(after.totalMiners).toBe(before.totalMiners + 1);
      expect(after.totalMined).toBeCloseTo(before.totalMined + 5, 6);
      expect(after.onlineNow).toBe(before.onlineNow + 1);
    }, PATIENCE_MS);
    await leaderboard.clock.advance(301_000);
    expect((await call(leaderboard.url, leaderboardEndpoints.global)).body.onlineNow).toBe(0);
    expect((await call(leaderboard.url, leaderboardEndpoints.stats)).body.activeMiners).toBe(0);
  });

  test('separates mined from earned: a welcome credit raises only earned', async () => {
    const figures = async () => {
      const [mined, earned] = [leaderboardEndpoints.global, leaderboardEndpoints.stats] as const;
      return [
        (await call(leaderboard.url, mined)).body.totalMined,
        (await call(leaderboard.url, earned)).body.total_earned,
      ] as const;
    };
    const userId = await miner('mara.mined', 5);
    const [mined, earned] = await figures();
    const welcomed = { ...account(105), bySource: { mining: '5000000', welcome: '100000000' } };
    await leaderboard.publish(balanceChanged, userId, welcomed, 2);
    await vi.waitFor(async () => {
      const after = await figures();
      expect(after[1]).toBeCloseTo(earned + 100, 6);
      expect(after[0]).toBeCloseTo(mined, 6);
    }, PATIENCE_MS);
  });

  test('measures its size and how long a credit takes to become visible, but not for mining', async () => {
    const figure = async (name: string) => {
      const text = await (await fetch(`${opsUrlOf(leaderboard.url)}/metrics`)).text();
      return Number(new RegExp(`^${name}{[^}]*} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    const [users, seen] = [await figure('cord_board_users'), await figure('cord_credit_visible_seconds_count')];
    const before = await figure('cord_credit_visible_seconds_sum');
    const userId = await miner('lena.seen', 5);
    expect(await figure('cord_credit_visible_seconds_count')).toBe(seen);
    const credited = {
      ...account(7, { at: leaderboard.clock.now() - 3_000 }),
      bySource: { mining: '5000000', task: '2000000' },
    };
    await leaderboard.publish(balanceChanged, userId, credited, 2);
    await vi.waitFor(async () => expect((await search('lena.seen'))[0]?.total_earned).toBe(7), PATIENCE_MS);
    expect(await figure('cord_credit_visible_seconds_count')).toBe(seen + 1);
    expect(await figure('cord_credit_visible_seconds_sum')).toBeCloseTo(before + 3, 3);
    expect(await figure('cord_board_users')).toBe(users + 1);
    expect(await figure('cord_nodes_active')).toBeGreaterThanOrEqual(0);
  });

  test('returns only public facts of a miner for a card, in each period, and nothing for an unknown user', async () => {
    const userId = await miner('dora.card', 1_234.567899);
    const card = (period: 'all-time' | 'daily', of = userId) =>
      leaderboard.backend.nats.request(rankCardRpc, { userId: of, period });
    const facts = { username: 'dora.card', accountAge: 5.5, tierHundredths: 350, badge: false };
    const ranked = { rank: (await search('dora.card'))[0]?.rank, earnedMicro: '1234567899' };
    expect(await card('all-time')).toEqual({ ...facts, ...ranked, miners: expect.any(Number) });
    await leaderboard.clock.advance(DAY_MS);
    expect(await card('daily')).toMatchObject({ rank: null, miners: 0, earnedMicro: '0' });
    expect(await card('all-time', randomId())).toBeNull();
  });

  test('is the same on a second replica', async () => {
    const replica = await leaderboard.replica();
    const top = async (of: string) => (await call(of, leaderboardEndpoints.list, { query: { limit: 5 } })).body;
    expect((await top(replica.url)).map((each) => each.username).slice(0, 3)).toEqual([
      'anna.first',
      'bernd.second',
      'carla.self',
    ]);
    expect(await top(replica.url)).toEqual(await top(leaderboard.url));
    await replica.close();
  });
});

test('who rose is published after a day ends, and published again when it was lost', async () => {
  const { nats } = leaderboard.backend;
  const closed = async () => {
    const found = await nats.jsm.streams.getMessage('CORD_RANKS', { last_by_subj: subjectOf(ranksClosed, NOBODY) });
    return found && { streamSeq: found.seq, ...ranksClosed.schema.parse(found.json()) };
  };
  const closedOf = (day: string) =>
    vi.waitFor(async () => {
      const found = await closed();
      expect(found?.dayKey).toBe(day);
      return found;
    }, PATIENCE_MS);
  const riser = await miner('rita.rises', 2);
  const before = (await nats.request(rankRpc, { userId: riser })).rank ?? 0;
  const yesterday = dayKey(leaderboard.clock.now());
  await leaderboard.clock.advance(DAY_MS);
  await closedOf(yesterday);
  await leaderboard.publish(balanceChanged, riser, account(5_000_000), 2);
  await vi.waitFor(async () => expect((await search('rita.rises'))[0]?.rank).toBe(1), PATIENCE_MS);
  const today = dayKey(leaderboard.clock.now());
  await leaderboard.clock.advance(DAY_MS);
  const last = await closedOf(today);
  expect(last).toMatchObject({ beforeDay: yesterday });
  expect(last?.moved.find(({ userId }) => userId === riser)).toEqual({ userId: riser, rank: 1, before, passedBy: 0 });
  // A closed day is not closed again.
  await leaderboard.clock.advance(60_000);
  await nats.jsm.streams.deleteMessage('CORD_RANKS', last?.streamSeq ?? 0, false);
  await nats.request(republishRpc('leaderboard'), { stream: 'CORD_RANKS', begin: true });
  expect(await closedOf(today)).toEqual({ ...last, streamSeq: expect.any(Number) });
});
