import { epochChanged } from '@cord/contracts/events/rewards';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { auditRpc } from '@cord/contracts/rpc/audit';
import { epochsRpc, runningRpc } from '@cord/contracts/rpc/ledger';
import { cord } from '@cord/contracts/rules/money';
import { on } from '@cord/kit/nats/consume';
import { startFixture } from '@cord/kit/testing/fixture';
import { call, collectLive, randomId } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered, serveRegistrations } from '@cord/kit/testing/registered';
import { storedState } from '@cord/kit/testing/stored';
import { describe, expect, test, vi } from 'vitest';
import { startChain } from './test/chain.js';
import { testService } from './test/shop.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const DAY = 86_400_000;

const rewards = forAllTests(() =>
  startFixture(testService, NOON, ({ nats }) => {
    // Three nodes of the first tier, without badge and penalty.
    const group = { tierHundredths: 100, antiCheatHundredths: 100, badge: false, nodes: 3 };
    nats.serve(epochsRpc, async ({ version }) => ({ outcome: 'stored' as const, version }));
    nats.serve(runningRpc, async () => ({ running: 3, sampled: 3, isWhole: true, groups: [group] }));
  }),
);

async function person({ joinedAt = NOON, returning = false, admin = false } = {}) {
  const userId = randomId();
  await rewards.publish(userRegistered, userId, registered(joinedAt, { returning }));
  if (admin) await rewards.signer.state.setRoles(userId, ['admin']);
  const token = await rewards.tokenOf(userId);
  return { userId, token };
}

const compensate = ({ userId, token }: { userId: string; token: string }, at = rewards.url) =>
  call(at, rewardEndpoints.compensation, { body: { userId }, token });
/** Waits until auth's event of the user has arrived. */
const settled = async <T extends { status: number }>(act: () => Promise<T>): Promise<T> =>
  vi.waitFor(async () => {
    const answer = await act();
    expect(answer.status).not.toBe(503);
    return answer;
  }, PATIENCE_MS);

test('while claims and orders are switched off, both get 503 with a text, and nothing is written', async () => {
  const user = await person();
  // Another user calls until the switch takes effect: a claim before that succeeds.
  const another = await person();
  await settled(() => call(rewards.url, rewardEndpoints.compensationStatus, { token: user.token }));
  await rewards.signer.state.setSwitches(['claims', 'orders']);
  await expect.poll(async () => (await compensate(another)).problem?.type).toBe('switched-off');
  expect((await compensate(user)).problem.type).toBe('switched-off');
  const cordClaim = await call(rewards.url, rewardEndpoints.cordClaim, {
    body: { userId: user.userId },
    token: user.token,
  });
  const order = await call(rewards.url, rewardEndpoints.createOrder, { body: {}, token: user.token });
  expect([cordClaim, order].map(({ status, problem }) => [status, problem.type])).toEqual([
    [503, 'switched-off'],
    [503, 'switched-off'],
  ]);
  expect((await call(rewards.url, rewardEndpoints.orders, { token: user.token })).body).toEqual([]);
  await rewards.signer.state.setSwitches([]);
  await expect.poll(async () => (await compensate(user)).status).toBe(200);
});

describe('the compensation', () => {
  test('requests a user from auth if the event has not arrived, and gets 503 while auth does not respond', async () => {
    const userId = randomId();
    const user = { userId, token: await rewards.tokenOf(userId) };
    const early = await compensate(user);
    expect([early.status, early.problem.type]).toEqual([503, 'user-not-known-yet']);
    const state = registered(NOON, { returning: true });
    const auth = stopAfterTest(await serveRegistrations(rewards.backend.nats, (id) => (id === userId ? state : null)));
    expect((await compensate(user)).problem.type).toBe('claim-once');
    expect((await compensate(user)).problem.type).toBe('claim-once');
    expect(auth.requested).toEqual([userId]);
  });

  test('does not restore a user who was erased before auth responded', async () => {
    const userId = randomId();
    const user = { userId, token: await rewards.tokenOf(userId) };
    let answer: (state: ReturnType<typeof registered>) => void = () => undefined;
    const auth = stopAfterTest(
      await serveRegistrations(rewards.backend.nats, () => new Promise((resolve) => (answer = resolve))),
    );
    const first = compensate(user);
    await expect.poll(() => auth.requested).toEqual([userId]);
    await rewards.publish(userErased, userId, {}, 2);
    const holder = async () => {
      const stored = await storedState(rewards.backend, 'rewards');
      return stored.find((text) => text.startsWith(`holders {"_id":"${userId}"`));
    };
    await expect.poll(holder).toContain('"erased":true');
    const tombstone = await holder();
    answer(registered(NOON));
    // On a busy machine the response may be too late for the first call.
    expect([422, 503]).toContain((await first).status);
    const refused = await compensate(user);
    expect([refused.status, refused.problem.type]).toEqual([422, 'account-erased']);
    expect([await holder(), auth.requested]).toEqual([tombstone, [userId]]);
  });

  test('that was pending for a user who is erased ends, and leaves no mark for a sweep', async () => {
    const user = await person();
    rewards.ledger.down = true;
    const answer = await settled(() => compensate(user));
    rewards.ledger.down = false;
    expect(answer.body).toMatchObject({ success: true, pending: true });
    await rewards.publish(userErased, user.userId, {}, 9);
    const holder = async () => {
      const stored = await storedState(rewards.backend, 'rewards');
      return stored.find((text) => text.startsWith(`holders {"_id":"${user.userId}"`));
    };
    await vi.waitFor(async () => expect(await holder()).toContain('"erased":true'), PATIENCE_MS);
    expect(await holder()).not.toMatch(/promised|dirtyAt|outbox/);
  });

  test('pays 5,000 CORD once, even with 16 concurrent calls', async () => {
    const user = await person();
    await settled(() => call(rewards.url, rewardEndpoints.compensationStatus, { token: user.token }));
    await vi.waitFor(async () => {
      const { body } = await call(rewards.url, rewardEndpoints.compensationStatus, { token: user.token });
      expect(body.available).toBe(true);
    }, PATIENCE_MS);
    const answers = await Promise.all(Array.from({ length: 16 }, () => compensate(user)));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    expect(answers.filter((each) => each.status === 409)).toHaveLength(15);
    const made = answers.find((each) => each.status === 200);
    expect(made?.body).toMatchObject({ success: true, rewardAmount: 5000, newBalance: 5000, pending: false });
    expect(made?.body.updatedUser).toMatchObject({ comp_claim: true, current_balance: 5000 });
    expect(rewards.ledger.balanceMicro(user.userId)).toBe(cord(5000));
  });

  test('can be closed, or limited to accounts that joined before a time', async () => {
    const early = await person({ joinedAt: NOON - DAY });
    const late = await person({ joinedAt: NOON });
    const until = await rewards.replica({ env: { COMPENSATION_UNTIL: new Date(NOON).toISOString() } });
    await vi.waitFor(async () => {
      expect((await compensate(late, until.url)).status).toBe(422);
      expect((await compensate(early, until.url)).status).toBe(200);
    }, PATIENCE_MS);
    await until.close();
    const off = await rewards.replica({ env: { COMPENSATION: 'off' } });
    expect((await compensate(late, off.url)).problem.type).toBe('compensation-closed');
    await off.close();
  });
});

describe('the badge holders’ claim', () => {
  test('is refused without a badge, with its text, and leaves no history', async () => {
    const user = await person();
    const { status, problem } = await call(rewards.url, rewardEndpoints.cordClaim, {
      body: { userId: user.userId },
      token: user.token,
    });
    expect([status, problem.error]).toEqual([422, 'Failed to claim CORDs']);
    const history = await call(rewards.url, rewardEndpoints.cordClaimHistory, {
      params: { userId: user.userId },
      token: user.token,
    });
    expect(history.body).toEqual({ claims: [] });
  });
});

describe('epochs', () => {
  test('are readable without a sign-in; a new system is in epoch Alpha', async () => {
    const { body } = await call(rewards.url, rewardEndpoints.currentEpoch);
    expect(body).toMatchObject({ id: 'alpha', name: 'Epoch Alpha', rewardsMultiplier: 1 });
    const german = await call(rewards.url, rewardEndpoints.currentEpoch, { headers: { 'accept-language': 'de' } });
    expect(german.body).toEqual({ ...body, description: 'Die erste Epoche: Mining bringt die einfache Rate.' });
  });

  test('of a period are readable for every user, the whole table only for admins', async () => {
    const { token } = await person();
    const get = (query: Record<string, string>) => call(rewards.url, rewardEndpoints.epochs, { query, token });
    const today = new Date(rewards.clock.now()).toISOString().slice(0, 10);
    const some = await get({ from: today, to: new Date(rewards.clock.now() + 40 * DAY).toISOString() });
    expect(some.body.map(({ id }) => id)).toEqual(['alpha', 'beta', 'gamma']);
    expect((await get({})).problem).toMatchObject({ status: 403, type: 'admin-only' });
    for (const [query, field] of [
      [{ from: today }, 'to'],
      [{ to: today }, 'from'],
      [{ from: '2026-11-22', to: '2026-11-21' }, 'to'],
      [{ from: '2026-11-22', to: '2027-12-28' }, 'to'],
      [{ from: 'yesterday', to: today }, 'from'],
    ] as const) {
      const { status, problem } = await get(query);
      expect([status, problem.errors?.map(({ path }) => path)]).toEqual([400, [field]]);
    }
  });

  test('are added, changed and removed by admins, and each change publishes the whole table', async () => {
    const admin = await person({ admin: true });
    const counts: number[] = [];
    const live = await collectLive(rewards.backend.nats);
    const consuming = rewards.backend.nats.orderedConsume({
      stream: 'CORD_REWARDS',
      handlers: [on(epochChanged, async (event) => void counts.push(event.epochs.length))],
    });
    const far = rewards.clock.now() + 400 * DAY;
    const body = {
      id: 'special',
      name: 'Special',
      description: 'Twice',
      rewardsMultiplier: 2,
      startDate: new Date(far).toISOString(),
      endDate: new Date(far + DAY).toISOString(),
    };
    expect((await call(rewards.url, rewardEndpoints.createEpoch, { body, token: admin.token })).status).toBe(201);
    expect((await call(rewards.url, rewardEndpoints.createEpoch, { body, token: admin.token })).status).toBe(409);
    const changed = await call(rewards.url, rewardEndpoints.updateEpoch, {
      params: { id: 'special' },
      body: { rewardsMultiplier: 2.5 },
      token: admin.token,
    });
    expect(changed.body.rewardsMultiplier).toBe(2.5);
    await vi.waitFor(() => expect(counts.at(-1)).toBe(25), PATIENCE_MS);
    const preview = (change: { rewardsMultiplier: number } | null, id = 'special') =>
      call(rewards.url, rewardEndpoints.previewEpoch, { body: { id, change }, token: admin.token });
    expect((await preview({ rewardsMultiplier: 2 })).body).toMatchObject({ nodes: 3, adds: -1_080, highestRate: 10.5 });
    expect((await preview(null)).body).toMatchObject({ adds: -3_240, spans: [{ multiplierAfter: 1 }] });
    expect((await preview({ rewardsMultiplier: 9 }, 'alpha')).problem.errors?.[0]?.path).toBe('rewardsMultiplier');
    const query = { reason: 'Not this year' };
    const out = { params: { id: 'special' }, query, token: admin.token };
    expect((await call(rewards.url, rewardEndpoints.removeEpoch, out)).status).toBe(204);
    const acts = (await rewards.backend.nats.request(auditRpc('rewards'), { limit: 9 })).entries;
    const detail = acts.find(({ action }) => action === 'epoch.remove')?.detail;
    expect(detail).toMatchObject({ ...query, before: { multiplierHundredths: 250 }, after: null });
    await vi.waitFor(() => expect(counts.at(-1)).toBe(24), PATIENCE_MS);
    await consuming.stop();
    // The live messages to all users: the epochs that are not over, after each of the three changes.
    await vi.waitFor(() => expect(live.epoch).toHaveLength(3), PATIENCE_MS);
    const special = live.epoch.map(({ epochs }) => epochs.find(({ id }) => id === 'special')?.rewardsMultiplier);
    expect(special).toEqual([2, 2.5, undefined]);
    const seqs = live.epoch.map(({ seq }) => Number(seq));
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });

  test('cannot have an id that every object has as a property name', async () => {
    const { token } = await person({ admin: true });
    const [startDate, endDate] = [400, 401].map((days) => new Date(rewards.clock.now() + days * DAY).toISOString());
    const times = { startDate: startDate as string, endDate: endDate as string };
    const body = { id: 'constructor', name: 'Builder', description: '', rewardsMultiplier: 2, ...times };
    const { status, problem } = await call(rewards.url, rewardEndpoints.createEpoch, { body, token });
    expect([status, problem.errors?.map(({ path }) => path)]).toEqual([400, ['id']]);
  });
});

describe('the SOL price', () => {
  test('is the fallback, marked as an estimate, if there is no price service', async () => {
    const user = await person();
    const { body } = await call(rewards.url, rewardEndpoints.solPrice, { token: user.token });
    expect(body).toEqual({ usd: 50, at: new Date(rewards.clock.now()).toISOString(), estimate: true });
  });
});

describe('badge orders', () => {
  test('get 503 with the reason while no wallet network is configured', async () => {
    const user = await person();
    const { status, problem } = await call(rewards.url, rewardEndpoints.createOrder, { body: {}, token: user.token });
    expect([status, problem.type]).toEqual([503, 'wallet-network-away']);
  });

  test('fix price, treasury and reference, are returned again while open, and expire', async () => {
    const chain = await startChain(() => rewards.clock.now());
    const treasury = chain.treasury.toBase58();
    const shop = await rewards.replica({ env: { SOLANA_RPC_URL: chain.url, SOLANA_TREASURY: treasury } });
    const user = await person();
    const order = async () => (await call(shop.url, rewardEndpoints.createOrder, { body: {}, token: user.token })).body;
    const first = await order();
    expect(first).toMatchObject({
      lamports: 20_000_000,
      treasury,
      usd: 1,
      estimate: true,
      status: 'pending',
      walletAddress: null,
    });
    expect((await order()).id).toBe(first.id);
    const stranger = await person();
    const params = { id: first.id };
    expect((await call(shop.url, rewardEndpoints.order, { params, token: stranger.token })).status).toBe(404);
    const paid = {
      userId: user.userId,
      orderId: first.id,
      walletAddress: treasury,
      transactionHash: '1'.repeat(88),
      amountSol: 0.02,
      amountUsd: 1,
    };
    const purchase = await call(shop.url, rewardEndpoints.purchase, { body: paid, token: user.token });
    expect([purchase.status, purchase.problem.type]).toEqual([422, 'not-a-signature']);
    expect(purchase.problem.error).toContain('Failed to create badge purchase record');
    expect(
      (await call(shop.url, rewardEndpoints.purchases, { params: { id: user.userId }, token: user.token })).body,
    ).toEqual([]);
    await rewards.clock.advance(900_000);
    expect((await call(shop.url, rewardEndpoints.order, { params, token: user.token })).body.status).toBe('expired');
    expect((await order()).id).not.toBe(first.id);
    await shop.close();
    await chain.stop();
  });
});
