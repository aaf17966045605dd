import { referralLinked } from '@cord/contracts/events/referral';
import { userRegistered } from '@cord/contracts/events/user';
import { processReferralRpc } from '@cord/contracts/rpc/referral';
import { ageTenths } from '@cord/contracts/rules/age';
import { welcomeMicro } from '@cord/contracts/rules/bonuses';
import { microToNumber } from '@cord/contracts/rules/money';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { MovableClock } from '@cord/kit/clock';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { describe, expect, it } from 'vitest';
import { eventually, meOf, startAuth, wholeMeOf } from '../test/auth.js';
import { publish } from '../test/events.js';
import { serveLedger } from '../test/ledger.js';

const auth = forAllTests(() => startAuth({ ledger: false }));

/** Lets what fell due run. */
async function later(clock: MovableClock, ms = 10_000): Promise<void> {
  await clock.setOffset(clock.offsetMs() + ms);
}

const expectedWelcome = (createdAt: string, nowMs: number) => {
  const createdAtMs = Date.parse(createdAt);
  return microToNumber(welcomeMicro(ageTenths(createdAtMs, nowMs), tierHundredths(FIRST_BOOK, nowMs - createdAtMs)));
};

describe('a first sign-in', () => {
  it('stays pending while the ledger does not respond, then is credited once with the stored amount', async () => {
    const createdAt = '2020-06-01';
    const browser = auth.browser();
    const account = await auth.discord.account({ username: 'early', createdAt });
    const signedInMs = auth.clock.now();
    expect(await browser.signIn({ account })).toBe('/?welcome=new');
    expect((await meOf(browser)).welcome).toMatchObject({ isNewUser: true, credited: 0, pending: true });

    const ledger = stopAfterTest(serveLedger(auth.backend.nats));
    await later(auth.clock);
    await eventually(async () => (await meOf(browser)).welcome?.pending === false);
    const { welcome, user } = await wholeMeOf(browser);
    expect(welcome).toEqual({
      isNewUser: true,
      credited: expectedWelcome(createdAt, signedInMs),
      referralBonus: 0,
      pending: false,
    });
    expect(user.current_balance).toBe(welcome?.credited);

    await auth.restart();
    await later(auth.clock);
    expect(await auth.browser().signIn({ account })).toBe('/?welcome=back');
    expect(ledger.credits.map(({ key }) => key)).toEqual([`welcome:${user.id}`]);
  });

  it('is finished at once if its next retry was set by a clock a day ahead', async () => {
    const browser = auth.browser();
    await browser.signIn({ account: await auth.discord.account({ username: 'ahead' }) });
    const { user } = await meOf(browser);
    const store = await auth.backend.storeOf('auth');
    const dueAtMs = auth.clock.now() + 86_400_000;
    const marked = { $set: { 'onboarding.dueAtMs': dueAtMs } };
    await store.collection<{ _id: string }>('users').updateOne({ _id: user.id }, marked);
    stopAfterTest(serveLedger(auth.backend.nats));
    await eventually(async () => (await meOf(browser)).welcome?.pending === false);
    expect(auth.clock.now()).toBeLessThan(dueAtMs);
  });

  it('is finished after a restart if a crash interrupted the ledger’s steps', async () => {
    const browser = auth.browser();
    const account = await auth.discord.account({ username: 'crash', createdAt: '2023-06-01' });
    await browser.signIn({ account });
    await auth.service.close();
    const ledger = stopAfterTest(serveLedger(auth.backend.nats));
    await auth.restart();
    await later(auth.clock, 60_000);
    const again = auth.browser();
    await again.signIn({ account });
    const { welcome } = await meOf(again);
    expect(welcome).toMatchObject({ isNewUser: true, pending: false });
    expect(welcome?.credited).toBeGreaterThan(0);
    expect(ledger.credits).toHaveLength(1);
  });

  it('carries a referral code through Discord and stays pending until referrals has credited it', async () => {
    stopAfterTest(serveLedger(auth.backend.nats));
    const browser = auth.browser();
    const account = await auth.discord.account({ username: 'friend' });
    await browser.signIn({ account, ref: 'abcd1234' });
    expect((await meOf(browser)).welcome).toMatchObject({ referralBonus: null, pending: true });

    const requests: unknown[] = [];
    let credited = false;
    stopAfterTest(
      auth.backend.nats.serve(processReferralRpc, async (request) => {
        requests.push(request);
        const place = { seq: '3', referralCode: 'OWNCODE1', referredBy: null, totalReferrals: 0, earningsMicro: '0' };
        return { referredBonusMicro: '10000000', pending: !credited, refused: false, place };
      }),
    );
    await auth.backend.nats.nc.flush();
    await later(auth.clock, 60_000);
    await eventually(async () => (await meOf(browser)).welcome?.referralBonus === 10);
    expect((await meOf(browser)).welcome).toMatchObject({ referralBonus: 10, pending: true });
    credited = true;
    await later(auth.clock, 600_000);
    await eventually(async () => (await meOf(browser)).welcome?.pending === false);
    const { user } = await meOf(browser);
    expect(requests[0]).toMatchObject({ userId: user.id, referralCode: 'ABCD1234' });
  });

  it.each([
    ['without a code', undefined, null, { referralBonus: 0, pending: false }],
    ['with a code', 'ABCD1234', { userId: 'a'.repeat(32) }, { referralBonus: 10, pending: false }],
  ])(
    'returns a complete first record %s: referrals returns the place before any event',
    async (_name, ref, referredBy, facts) => {
      stopAfterTest(serveLedger(auth.backend.nats));
      const requests: unknown[] = [];
      stopAfterTest(
        auth.backend.nats.serve(processReferralRpc, async (request) => {
          requests.push(request);
          return {
            referredBonusMicro: referredBy ? '10000000' : '0',
            pending: false,
            refused: false,
            place: {
              seq: String(10n ** 18n),
              referralCode: 'OWNCODE1',
              referredBy,
              totalReferrals: 0,
              earningsMicro: '0',
            },
          };
        }),
      );
      await auth.backend.nats.nc.flush();
      const browser = auth.browser();
      const account = await auth.discord.account({ username: 'whole', createdAt: '2021-01-01' });
      await browser.signIn({ account, ...(ref ? { ref } : {}) });
      const { user, welcome } = await meOf(browser);
      expect(user).toMatchObject({ referralCode: 'OWNCODE1', totalReferrals: 0, referralEarnings: 0 });
      expect(user.referred_by).toBe(referredBy ? 'Deleted user' : null);
      expect(welcome).toMatchObject({ isNewUser: true, ...facts });
      const newcomer = { username: 'whole', avatar: null, returning: false, welcomeMicro: expect.any(String) };
      expect(requests).toMatchObject([{ userId: user.id, referralCode: ref ?? null, newcomer }]);
      // Whatever version the reply had: every event counts above it.
      const place = { referralCode: 'BYEVENT2', referredBy, totalReferrals: 0, earningsMicro: '0' };
      await publish(auth.backend.nats, referralLinked, user.id, 4, place);
      await eventually(async () => (await meOf(browser)).user.referralCode === 'BYEVENT2');
    },
  );

  it('without a code does not wait for referrals, and the event brings the place', async () => {
    stopAfterTest(serveLedger(auth.backend.nats));
    const browser = auth.browser();
    await browser.signIn({ account: await auth.discord.account({ username: 'alone' }) });
    const { user, welcome } = await meOf(browser);
    expect(welcome).toMatchObject({ referralBonus: 0, pending: false });
    expect(user.referralCode).toBeNull();
    const place = { referralCode: 'BYEVENT1', referredBy: null, totalReferrals: 2, earningsMicro: '0' };
    await publish(auth.backend.nats, referralLinked, user.id, 4, place);
    await eventually(async () => (await meOf(browser)).user.referralCode === 'BYEVENT1');
  });

  it('completes with a refused code, and drops an invalid one', async () => {
    stopAfterTest(serveLedger(auth.backend.nats));
    stopAfterTest(
      auth.backend.nats.serve(processReferralRpc, async () => {
        const place = { seq: '3', referralCode: 'OWNCODE1', referredBy: null, totalReferrals: 0, earningsMicro: '0' };
        return { referredBonusMicro: '0', pending: false, refused: true, place };
      }),
    );
    await auth.backend.nats.nc.flush();
    for (const ref of ['ZZZZZZZZ', 'not-a-code']) {
      const browser = auth.browser();
      await browser.signIn({ account: await auth.discord.account({ username: ref }), ref });
      const { welcome } = await meOf(browser);
      expect(welcome).toMatchObject({ isNewUser: true, referralBonus: 0, pending: false });
    }
  });

  it('publishes user.registered without the Discord id', async () => {
    const account = await auth.discord.account({ username: 'announced', createdAt: '2022-02-02' });
    const browser = auth.browser();
    await browser.signIn({ account, ref: 'QQQQ1111' });
    const { user } = await meOf(browser);
    const message = await eventually(async () => {
      const subject = `cord.user.v1.registered.${user.id}`;
      return (await auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject })) ?? undefined;
    });
    const event = userRegistered.schema.parse(message.json());
    expect(event).toMatchObject({ username: 'announced', returning: false, referralCode: 'QQQQ1111' });
    expect(message.string()).not.toContain(account);
  });
});
