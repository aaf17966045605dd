import { codeOwnerRpc, processReferralRpc } from '@cord/contracts/rpc/referral';
import { cord } from '@cord/contracts/rules/money';
import { crowdSize } from '@cord/kit/testing/crowd-size';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { serveRegistrations } from '@cord/kit/testing/registered';
import { describe, expect, test, vi } from 'vitest';
import { type Member, newMember } from './member.js';
import { PATIENCE, startReferrals, TEN_MINUTES } from './test/people.js';

const referrals = forAllTests(() => startReferrals());

/** Auth's description of a newcomer; for a known user it changes nothing that a bonus depends on. */
const NEWCOMER = { username: 'nova', avatar: null, returning: false, welcomeMicro: cord(870).toString() };

/** The response to auth about a newcomer. */
const requested = (userId: string, referralCode: string | null) =>
  referrals.backend.nats.request(processReferralRpc, { userId, referralCode, newcomer: NEWCOMER });

describe('entering a code', () => {
  test('links for life, credits the newcomer a tenth of the welcome, and promises the referrer 86 CORD', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    const { status, body } = await referrals.enter(friend, ` ${referrer.code.toLowerCase()} `);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      referredBonus: 87,
      referrerBonus: 86,
      referrerStatus: 'pending',
      pending: false,
    });
    expect(body.updatedUser.current_balance).toBe(87);
    expect(await referrals.stats(referrer)).toMatchObject({ totalReferrals: 1, totalEarnings: 0 });
    expect((await referrals.stats(friend)).referredBy).toMatchObject({ userId: referrer.userId });
    const owner = (code: string) => referrals.backend.nats.request(codeOwnerRpc, { code });
    expect(await owner(referrer.code)).toEqual({ userId: referrer.userId });
    expect(await owner('ZZZZZZZ9')).toEqual({ userId: null });
    const again = await referrals.enter(friend, (await referrals.person()).code);
    expect(again.status).toBe(409);
    expect(referrals.paidTo(friend.userId, 'refbonus')).toBe(cord(87));
  });

  test('promises the referrer nothing for a user who returned after an erasure', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person({ returning: true, welcome: 0n })];
    const { body } = await referrals.enter(friend, referrer.code);
    expect(body).toMatchObject({ referredBonus: 0, referrerBonus: 0, referrerStatus: 'credited', pending: false });
    expect((await referrals.stats(referrer)).referralHistory).toMatchObject([{ bonusStatus: 'refused' }]);
  });

  test('rejects an invalid code with a status and a text, and writes nothing', async () => {
    const friend = await referrals.person();
    const refusals = await Promise.all(
      ['', 'ABC', 'ABCD-123', 'ZZZZZZZ9', friend.code].map((code) => referrals.enter(friend, code)),
    );
    expect(refusals.map((each) => each.status)).toEqual([400, 400, 400, 404, 422]);
    expect(refusals[0]?.problem.errors?.[0]?.path).toBe('referralCode');
    const withoutCode = await referrals.enter(friend, undefined);
    for (const { status, problem } of [refusals[0], withoutCode].filter((each) => each !== undefined)) {
      expect([status, problem.error]).toEqual([400, 'referralCode: Invalid user ID or referral code']);
    }
    expect(refusals[4]?.problem.error).toBe('You cannot refer yourself. Please use a different referral code.');
    expect((await referrals.stats(friend)).referredBy).toBeNull();
    expect(referrals.creditsOf(friend.userId, 'refbonus')).toEqual([]);
  });

  test('when two users enter each other’s codes at once, one is linked and the other is refused, with no retry', async () => {
    for (let n = 0; n < crowdSize(4, 12); n += 1) {
      const [a, b] = [await referrals.person(), await referrals.person()];
      const answers = await Promise.all([referrals.enter(a, b.code), referrals.enter(b, a.code)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  test('before the newcomer’s event has arrived requests the newcomer from auth, and brings both bonuses', async () => {
    const referrer = await referrals.person();
    const newcomer = await referrals.stranger();
    const auth = stopAfterTest(await serveRegistrations(referrals.backend.nats, () => newcomer.state()));
    const answer = await referrals.enter(newcomer, referrer.code);
    expect([answer.status, auth.requested]).toEqual([200, [newcomer.userId]]);
    await newcomer.register();
    await referrals.handled();
    expect(answer.body.referredBonus).toBe(87);
    expect(referrals.paidTo(newcomer.userId, 'refbonus')).toBe(cord(87));
    await referrals.earns(newcomer, 0n, TEN_MINUTES);
    await vi.waitFor(() => expect(referrals.paidTo(referrer.userId, 'refwelcome')).toBe(cord(86)), PATIENCE);
  });

  test('before the event is refused if a code was carried through sign-in, which counts first', async () => {
    const [invited, typed] = [await referrals.person(), await referrals.person()];
    const newcomer = await referrals.stranger({ code: invited.code });
    stopAfterTest(await serveRegistrations(referrals.backend.nats, () => newcomer.state()));
    expect((await referrals.enter(newcomer, typed.code)).status).toBe(409);
    expect((await referrals.stats(newcomer)).referredBy).toMatchObject({ userId: invited.userId });
    expect(referrals.paidTo(newcomer.userId, 'refbonus')).toBe(cord(87));
  });

  test('gets 503 while neither the newcomer’s event nor a response of auth has arrived, and can be retried', async () => {
    const referrer = await referrals.person();
    const newcomer = await referrals.stranger();
    const answer = await referrals.enter(newcomer, referrer.code);
    expect([answer.status, answer.problem.type]).toEqual([503, 'user-not-known-yet']);
    expect(answer.headers.get('retry-after')).toBeTruthy();
    expect((await referrals.stats(referrer)).totalReferrals).toBe(0);
    await newcomer.register();
    await vi.waitFor(
      async () => expect((await referrals.enter(newcomer, referrer.code)).body.referredBonus).toBe(87),
      PATIENCE,
    );
  });

  test.each([
    ['through sign-in', true],
    ['by auth, ahead of the event', false],
  ])(
    '%s before the ledger has opened the account stays pending, and is completed afterwards',
    async (_how, byEvent) => {
      const referrer = await referrals.person();
      const newcomer = await referrals.stranger({ code: referrer.code, isOpen: false });
      const { userId } = newcomer;
      if (byEvent) await newcomer.register();
      else {
        expect(await requested(userId, referrer.code)).toMatchObject({
          referredBonusMicro: '0',
          pending: true,
          refused: false,
        });
      }
      await referrals.handled();
      expect((await referrals.stats(newcomer)).pendingCode).toMatchObject({ status: 'pending', reason: null });
      const typed = await referrals.enter(newcomer, referrer.code);
      expect([typed.status, typed.problem.type]).toEqual([503, 'ledger-unknown-user']);
      newcomer.open();
      await vi.waitFor(async () => {
        await referrals.clock.advance(30_000);
        expect((await referrals.stats(newcomer)).pendingCode).toMatchObject({ status: 'credited' });
        expect(referrals.paidTo(userId, 'refbonus')).toBe(cord(87));
      }, PATIENCE);
      expect((await referrals.stats(referrer)).totalReferrals).toBe(1);
    },
  );

  test('is not blocked by pending codes that can never be completed', async () => {
    const store = await referrals.backend.storeOf('referrals');
    const stuck = Array.from({ length: 300 }, () => ({
      ...newMember(randomId()),
      seq: 1n,
      pendingCode: { code: 'ZZZZZZZ2', status: 'pending' as const, reason: null, why: null },
      codeAt: 0,
    }));
    await store.collection<Member>('members').insertMany(stuck);
    const referrer = await referrals.person();
    const newcomer = await referrals.stranger({ code: referrer.code, isOpen: false });
    await newcomer.register();
    await referrals.handled();
    newcomer.open();
    await vi.waitFor(async () => {
      await referrals.clock.advance(30_000);
      expect((await referrals.stats(newcomer)).pendingCode).toMatchObject({ status: 'credited' });
    }, PATIENCE);
  });

  test('links once in 64 concurrent requests of one user', async () => {
    const friend = await referrals.person();
    const referrers = [await referrals.person(), await referrals.person()];
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => referrals.enter(friend, referrers[n % 2]?.code ?? '')),
    );
    // A request that finds another one's link before the books have it completes that, and returns the same link.
    const made = answers.filter((each) => each.status === 200);
    expect(new Set(made.map(({ body }) => body.updatedUser.referred_by)).size).toBe(1);
    expect(referrals.creditsOf(friend.userId, 'refbonus')).toHaveLength(1);
    const friends = await Promise.all(referrers.map(async (each) => (await referrals.stats(each)).totalReferrals));
    expect(friends.toSorted()).toEqual([0, 1]);
  });

  test('through sign-in is completed, and the user sees the result', async () => {
    const referrer = await referrals.person();
    const friend = await referrals.person({ code: referrer.code });
    await vi.waitFor(async () => {
      expect(await referrals.stats(friend)).toMatchObject({ pendingCode: { code: referrer.code, status: 'credited' } });
    }, PATIENCE);
    expect(referrals.paidTo(friend.userId, 'refbonus')).toBe(cord(87));
    const lost = await referrals.person({ code: 'ZZZZZZZ8' });
    await vi.waitFor(async () => {
      expect((await referrals.stats(lost)).pendingCode).toMatchObject({
        status: 'refused',
        reason: 'This referral code does not exist',
        why: 'referral-code-unknown',
      });
    }, PATIENCE);
  });

  test('through auth returns the newcomer’s bonus in the response', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    expect(await requested(friend.userId, referrer.code)).toMatchObject({
      referredBonusMicro: cord(87).toString(),
      pending: false,
      refused: false,
    });
  });

  test('through auth before the event returns the newcomer’s own code and the result of the entered one', async () => {
    const referrer = await referrals.person();
    const welcome = async (referralCode: string | null) => {
      const { userId, token, register } = await referrals.stranger();
      return { made: await requested(userId, referralCode), userId, token, register };
    };
    const invited = await welcome(referrer.code);
    expect(invited.made).toMatchObject({
      referredBonusMicro: cord(87).toString(),
      pending: false,
      refused: false,
      place: { referralCode: expect.stringMatching(/^[A-Z0-9]{8}$/), referredBy: { userId: referrer.userId } },
    });
    expect((await welcome(null)).made).toMatchObject({
      referredBonusMicro: '0',
      pending: false,
      refused: false,
      place: { referralCode: expect.stringMatching(/^[A-Z0-9]{8}$/), referredBy: null, totalReferrals: 0 },
    });
    expect((await welcome('ZZZZZZZ7')).made).toMatchObject({
      pending: false,
      refused: true,
      place: { referredBy: null },
    });

    await invited.register();
    const code = invited.made.place?.referralCode;
    expect(await referrals.stats(invited)).toMatchObject({
      referralCode: code,
      referredBy: { userId: referrer.userId },
    });
    expect(referrals.creditsOf(invited.userId, 'refbonus')).toHaveLength(1);
  });

  test('returns auth the bonus in either order of registration and sign-in', async () => {
    const referrer = await referrals.person();
    const friend = await referrals.person({ code: referrer.code });
    const claimed = () => requested(friend.userId, referrer.code);
    const credited = { referredBonusMicro: cord(87).toString(), pending: false };
    const answers = await Promise.all([claimed(), claimed(), claimed()]);
    for (const { referredBonusMicro } of answers) expect(referredBonusMicro).toBe(credited.referredBonusMicro);
    // A credit whose request timed out waits for a sweep, and the clock stands still.
    await vi.waitFor(async () => {
      await referrals.clock.advance(5_000);
      expect(await claimed()).toMatchObject(credited);
    }, PATIENCE);
    expect((await referrals.stats(friend)).pendingCode).toMatchObject({ status: 'credited', reason: null });
    expect(referrals.creditsOf(friend.userId, 'refbonus')).toHaveLength(1);
  });
});
