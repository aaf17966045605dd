import { type AccountState, balanceChanged } from '@cord/contracts/events/balance';
import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { anticheatAssessed, userErased, userRegistered } from '@cord/contracts/events/user';
import { referralEndpoints } from '@cord/contracts/http/referrals';
import { accountRpc } from '@cord/contracts/rpc/ledger';
import { processReferralRpc } from '@cord/contracts/rpc/referral';
import { cord } from '@cord/contracts/rules/money';
import type { RunningService } from '@cord/kit/service';
import {
  call,
  createSigner,
  createTestClock,
  randomId,
  type Signer,
  startForTest,
  startTestBackend,
  type TestBackend,
  type TestClock,
} from '@cord/kit/testing/index';
import { serveTestLedger, type TestLedger } from '@cord/kit/testing/ledger';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { service } from './service.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const TEN_MINUTES = 600_000;

let backend: TestBackend;
let signer: Signer;
let clock: TestClock;
let referrals: RunningService;
let ledger: TestLedger;
/** What the ledger says of each user. */
const accounts = new Map<string, { seq: number; micro: bigint; ranMs: number }>();

beforeAll(async () => {
  backend = await startTestBackend();
  signer = await createSigner(backend.nats);
  clock = createTestClock(NOON);
  ledger = serveTestLedger(backend.nats, 'referrals', () => clock.now());
  backend.nats.serve(accountRpc, async ({ userId }) => {
    const factors = {
      discordCreatedAt: 0,
      tierHundredths: 100,
      antiCheatHundredths: 100,
      badge: false,
      epochHundredths: 100,
      rateNano: '0',
    };
    return accounts.has(userId)
      ? { ...stateOf(userId), userId, seq: String(accounts.get(userId)?.seq), factors }
      : null;
  });
  referrals = await startForTest(service, backend, { clock });
});
afterAll(async () => {
  await referrals?.close();
  await ledger?.stop();
  await backend?.stop();
});

const tell = (kind: EventKind, userId: string, state: Record<string, unknown>, seq: number) => {
  const id = randomId();
  return backend.nats.publish(
    subjectOf(kind, userId),
    { v: 1, id, at: clock.now(), userId, seq: String(seq), ...state },
    id,
  );
};

function stateOf(userId: string): AccountState {
  const { micro, ranMs } = accounts.get(userId) ?? { micro: 0n, ranMs: 0 };
  const period = { key: '', micro: '0', miningMicro: '0', reachedAt: 0 };
  return {
    balance: micro.toString(),
    total: micro.toString(),
    totalReachedAt: clock.now(),
    day: period,
    week: period,
    month: period,
    // Welcome money is in the total and never counts for commission.
    bySource: { mining: micro.toString(), welcome: '999000000' },
    node: {
      status: 'idle',
      sessionId: null,
      startedAt: null,
      creditedUntil: null,
      leaseUntil: null,
      rateNano: '0',
      ranMs,
    },
    epoch: { id: null, joinedAt: null, micro: '0' },
  };
}

interface Person {
  userId: string;
  token: string;
  code: string;
}

async function person({
  welcome = cord(870),
  returning = false,
  code = null as string | null,
  earned = 0n,
} = {}): Promise<Person> {
  const userId = randomId();
  const token = await signer.sign(userId, { nowMs: clock.now() });
  accounts.set(userId, { seq: 1, micro: earned, ranMs: 0 });
  await tell(
    userRegistered,
    userId,
    {
      username: `user-${userId.slice(0, 6)}`,
      avatar: null,
      discordCreatedAt: 0,
      joinedAt: clock.now(),
      lastLoginAt: clock.now(),
      returning,
      referralCode: code,
      welcomeMicro: welcome.toString(),
    },
    1,
  );
  await vi.waitFor(async () => expect((await stats({ userId, token })).referralCode).toMatch(/^[A-Z0-9]{8}$/), 15_000);
  return { userId, token, code: (await stats({ userId, token })).referralCode };
}

const stats = async ({ userId, token }: Pick<Person, 'userId' | 'token'>) =>
  (await call(referrals.url, referralEndpoints.stats, { params: { userId }, token })).body;
const enter = ({ userId, token }: Person, referralCode: string) =>
  call(referrals.url, referralEndpoints.process, { body: { userId, referralCode }, token });
/** The user earns by mining. */
async function earns({ userId }: Person, micro: bigint, ranMs = 0): Promise<void> {
  const before = accounts.get(userId) ?? { seq: 0, micro: 0n, ranMs: 0 };
  const after = { seq: before.seq + 1, micro: before.micro + micro, ranMs: before.ranMs + ranMs };
  accounts.set(userId, after);
  await tell(balanceChanged, userId, { ...stateOf(userId) }, after.seq);
}
const creditsOf = (userId: string, source: string) =>
  ledger.credits.filter((each) => each.userId === userId && each.source === source);
const paidTo = (userId: string, source: string) =>
  creditsOf(userId, source).reduce((sum, each) => sum + BigInt(each.amountMicro), 0n);

describe('entering a code', () => {
  test('links for life, credits the newcomer a tenth of the welcome, and promises the referrer 86', async () => {
    const [referrer, friend] = [await person(), await person()];
    const { status, body } = await enter(friend, ` ${referrer.code.toLowerCase()} `);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      referredBonus: 87,
      referrerBonus: 86,
      referrerStatus: 'pending',
      pending: false,
    });
    expect(body.updatedUser.current_balance).toBe(87);
    expect(await stats(referrer)).toMatchObject({ totalReferrals: 1, totalEarnings: 0 });
    expect((await stats(friend)).referredBy).toMatchObject({ userId: referrer.userId });
    const again = await enter(friend, (await person()).code);
    expect(again.status).toBe(409);
    expect(paidTo(friend.userId, 'refbonus')).toBe(cord(87));
  });

  test('each refusal has its status and text, and nothing is written', async () => {
    const friend = await person();
    const refusals = await Promise.all(
      ['', 'ABC', 'ABCD-123', 'ZZZZZZZ9', friend.code].map((code) => enter(friend, code)),
    );
    expect(refusals.map((each) => each.status)).toEqual([400, 400, 400, 404, 422]);
    expect(refusals[0]?.problem.errors?.[0]?.path).toBe('referralCode');
    expect(refusals[4]?.problem.error).toBe('You cannot refer yourself. Please use a different referral code.');
    expect((await stats(friend)).referredBy).toBeNull();
    expect(creditsOf(friend.userId, 'refbonus')).toEqual([]);
  });

  test('who was referred cannot refer the own referrer, directly or through others', async () => {
    const [a, b, c] = [await person(), await person(), await person()];
    await enter(b, a.code);
    await enter(c, b.code);
    expect((await enter(a, c.code)).status).toBe(422);
    expect((await enter(a, b.code)).status).toBe(422);
    expect((await stats(a)).referredBy).toBeNull();
  });

  test('sixty-four users who enter each other’s codes in a ring at once never close it', async () => {
    const ring = await Promise.all(Array.from({ length: 64 }, () => person()));
    const answers = await Promise.all(
      ring.map((each, index) => enter(each, ring[(index + 1) % ring.length]?.code ?? '')),
    );
    for (const { status } of answers) expect([200, 422, 503]).toContain(status);
    const above = new Map<string, string | undefined>();
    for (const each of ring) above.set(each.userId, (await stats(each)).referredBy?.userId);
    for (const { userId } of ring) {
      const seen = new Set<string>();
      for (let at: string | undefined = userId; at; at = above.get(at)) {
        expect(seen.has(at)).toBe(false);
        seen.add(at);
      }
    }
  });

  test('64 requests of one user link once', async () => {
    const friend = await person();
    const codes = [(await person()).code, (await person()).code];
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => enter(friend, codes[n % 2] ?? '')));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    expect(creditsOf(friend.userId, 'refbonus')).toHaveLength(1);
  });

  test('a code that came through sign-in is processed, and its fate is shown', async () => {
    const referrer = await person();
    const friend = await person({ code: referrer.code });
    await vi.waitFor(async () => {
      expect(await stats(friend)).toMatchObject({ pendingCode: { code: referrer.code, status: 'credited' } });
    }, 5_000);
    expect(paidTo(friend.userId, 'refbonus')).toBe(cord(87));
    const lost = await person({ code: 'ZZZZZZZ8' });
    await vi.waitFor(async () => {
      expect((await stats(lost)).pendingCode).toMatchObject({
        status: 'refused',
        reason: 'This referral code does not exist',
      });
    }, 5_000);
  });

  test('auth gets the newcomer’s bonus in the same moment', async () => {
    const [referrer, friend] = [await person(), await person()];
    const made = await backend.nats.request(processReferralRpc, { userId: friend.userId, referralCode: referrer.code });
    expect(made).toEqual({ referredBonusMicro: cord(87).toString(), pending: false });
  });

  test('who returns after an erasure brings and gets nothing', async () => {
    const [referrer, friend] = [await person(), await person({ returning: true })];
    expect((await enter(friend, referrer.code)).body).toMatchObject({ referredBonus: 0, pending: false });
    await earns(friend, 0n, TEN_MINUTES);
    await vi.waitFor(
      async () => expect((await stats(referrer)).referralHistory[0]?.friendRanMs).toBe(TEN_MINUTES),
      5_000,
    );
    expect((await stats(referrer)).referralHistory[0]?.bonusStatus).toBe('refused');
    expect(creditsOf(referrer.userId, 'refwelcome')).toEqual([]);
  });
});

describe('what friends bring', () => {
  test('a tenth of everything earned after the link, with one floor, paid when the clock moves on', async () => {
    const [referrer, friend, other] = [await person(), await person({ earned: cord(1000) }), await person()];
    await enter(friend, referrer.code);
    await enter(other, referrer.code);
    await earns(friend, 1_000_005n);
    await earns(other, 9n);
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(100_001n);
    }, 10_000);
    expect(await stats(referrer)).toMatchObject({ totalReferrals: 2, totalEarnings: 0.100001 });
    const earnings = await call(referrals.url, referralEndpoints.earnings, {
      params: { userId: referrer.userId },
      token: referrer.token,
    });
    expect(earnings.body.total).toBe(0.100001);
  });

  test('the referrer gets 86 once the friend has run a node for ten minutes', async () => {
    const [referrer, friend] = [await person(), await person()];
    await enter(friend, referrer.code);
    await earns(friend, 1n, TEN_MINUTES - 1);
    await earns(friend, 1n, 1);
    await vi.waitFor(() => expect(paidTo(referrer.userId, 'refwelcome')).toBe(cord(86)), 5_000);
    await earns(friend, 1n, TEN_MINUTES);
    await vi.waitFor(async () => {
      const shown = await stats(referrer);
      expect(shown.referralHistory[0]).toMatchObject({ bonusStatus: 'credited', friendRanMs: 2 * TEN_MINUTES });
      expect(shown.totalEarnings).toBeGreaterThanOrEqual(86);
    }, 5_000);
    expect(creditsOf(referrer.userId, 'refwelcome')).toHaveLength(1);
  });

  test('payments are held while both share an address, and come when the hold ends', async () => {
    const [referrer, friend] = [await person(), await person()];
    await enter(friend, referrer.code);
    const shared = { level: 1, factorHundredths: 75, isFlagged: true, usersOnAddress: 3, addressKey: 'home' };
    await tell(anticheatAssessed, referrer.userId, shared, 1);
    await tell(anticheatAssessed, friend.userId, shared, 1);
    await vi.waitFor(async () => expect((await stats(referrer)).referralHistory[0]?.bonusStatus).toBe('held'), 5_000);
    await earns(friend, cord(50), TEN_MINUTES);
    await vi.waitFor(async () => expect((await stats(referrer)).heldEarnings).toBe(5), 5_000);
    await clock.advance(60_000);
    expect(creditsOf(referrer.userId, 'commission')).toEqual([]);
    await tell(anticheatAssessed, friend.userId, { ...shared, addressKey: 'elsewhere' }, 2);
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(cord(5));
      expect(paidTo(referrer.userId, 'refwelcome')).toBe(cord(86));
    }, 10_000);
  });

  test('an admin releases a hold; nobody else may', async () => {
    const [referrer, friend, admin] = [await person(), await person(), await person()];
    await enter(friend, referrer.code);
    const shared = { level: 2, factorHundredths: 50, isFlagged: true, usersOnAddress: 4, addressKey: 'office' };
    await tell(anticheatAssessed, referrer.userId, shared, 1);
    await tell(anticheatAssessed, friend.userId, shared, 1);
    await vi.waitFor(async () => expect((await stats(referrer)).referralHistory[0]?.bonusStatus).toBe('held'), 5_000);
    await earns(friend, cord(10));
    await vi.waitFor(async () => expect((await stats(referrer)).heldEarnings).toBe(1), 5_000);
    const params = { userId: referrer.userId, friendId: friend.userId };
    expect((await call(referrals.url, referralEndpoints.release, { params, token: referrer.token })).status).toBe(403);
    await signer.state.setRoles(admin.userId, ['admin']);
    await vi.waitFor(async () => {
      expect((await call(referrals.url, referralEndpoints.release, { params, token: admin.token })).status).toBe(200);
    }, 5_000);
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(cord(1));
    }, 10_000);
  });

  test('while the ledger is away a payment stays fixed and comes once', async () => {
    const [referrer, friend] = [await person(), await person()];
    await enter(friend, referrer.code);
    ledger.down = true;
    await earns(friend, cord(10));
    await clock.advance(60_000);
    await earns(friend, cord(10));
    await clock.advance(60_000);
    expect(creditsOf(referrer.userId, 'commission')).toEqual([]);
    ledger.down = false;
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(cord(2));
    }, 15_000);
  });

  test('more friends than a bucket holds are all there and all paid for', async () => {
    const referrer = await person();
    const friends = await Promise.all(Array.from({ length: 260 }, () => person()));
    for (let at = 0; at < friends.length; at += 20) {
      await Promise.all(friends.slice(at, at + 20).map((friend) => enter(friend, referrer.code)));
    }
    expect((await stats(referrer)).totalReferrals).toBe(260);
    await Promise.all(friends.map((friend) => earns(friend, 1_000_000n)));
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(26_000_000n);
    }, 30_000);
  }, 90_000);

  test('a friend who deleted the account stays, without a name', async () => {
    const [referrer, friend] = [await person(), await person()];
    await enter(friend, referrer.code);
    await tell(userErased, friend.userId, {}, 9);
    await vi.waitFor(
      async () => expect((await stats(referrer)).referralHistory[0]?.referredUsername).toBe('Deleted user'),
      5_000,
    );
  });
});
