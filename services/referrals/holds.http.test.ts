import { anticheatAssessed, userErased } from '@cord/contracts/events/user';
import { referralEndpoints } from '@cord/contracts/http/referrals';
import { auditRpc } from '@cord/contracts/rpc/audit';
import { cord } from '@cord/contracts/rules/money';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { describe, expect, test, vi } from 'vitest';
import { PATIENCE, type Person, startReferrals, TEN_MINUTES } from './test/people.js';

/** Removes from a document, in place, what an export without secrets omits. */
const { withoutAddresses } = (await import(new URL('../../infra/dev/backup/contents.ts', import.meta.url).href)) as {
  withoutAddresses: (service: string, collection: string) => (document: object | null) => void;
};

const MINUTE_MS = 60_000;
const SHARED = assessed({ level: 1, factorHundredths: 75, isFlagged: true, usersOnAddress: 3, addressKey: 'home' });

const referrals = forAllTests(() => startReferrals());

/** Creates a friend of a new referrer. */
async function pair(): Promise<[Person, Person]> {
  const [referrer, friend] = [await referrals.person(), await referrals.person()];
  await referrals.joins(friend, referrer.code);
  return [referrer, friend];
}

/** Both are found at one address, and the friend's earnings are held. */
async function share(state: object, referrer: Person, friend: Person): Promise<void> {
  await referrals.publish(anticheatAssessed, referrer.userId, state, 1);
  await referrals.publish(anticheatAssessed, friend.userId, state, 1);
  await shows(referrer, { bonusStatus: 'held' });
}

/** Waits for the referrer's view of the only friend. */
const shows = (referrer: Person, friend: object) =>
  vi.waitFor(async () => expect((await referrals.stats(referrer)).referralHistory[0]).toMatchObject(friend), PATIENCE);
const bonusComes = (referrer: Person) =>
  vi.waitFor(() => expect(referrals.paidTo(referrer.userId, 'refwelcome')).toBe(cord(86)), PATIENCE);

test('an operator cannot decide about their own hold, neither as the referrer nor as the friend', async () => {
  const [referrer, friend] = await pair();
  await share({ ...SHARED, addressKey: 'villa' }, referrer, friend);
  const { userId, friendId } = { userId: referrer.userId, friendId: friend.userId };
  for (const own of [userId, friendId]) {
    await referrals.signer.state.setRoles(own, ['admin']);
    const token = await referrals.tokenOf(own);
    const refused = { status: 403, problem: { type: 'own-hold' } };
    const decide = { params: { friendId }, body: { decision: 'release' as const, reason: 'It is mine' }, token };
    expect(await call(referrals.url, referralEndpoints.decideHold, decide)).toMatchObject(refused);
    const params = { userId, friendId };
    expect(await call(referrals.url, referralEndpoints.release, { params, token })).toMatchObject(refused);
  }
  const { entries } = await referrals.backend.nats.request(auditRpc('referrals'), { limit: 10 });
  expect(entries.filter(({ target }) => target === userId)).toEqual([]);
  await shows(referrer, { bonusStatus: 'held' });
});

describe('a shared address at level 1', () => {
  test('holds payments until the hold ends', async () => {
    const [referrer, friend] = await pair();
    await share(SHARED, referrer, friend);
    await referrals.earns(friend, cord(50), TEN_MINUTES);
    await vi.waitFor(async () => expect((await referrals.stats(referrer)).heldEarnings).toBe(5), PATIENCE);
    await referrals.clock.advance(MINUTE_MS);
    expect(referrals.creditsOf(referrer.userId, 'commission')).toEqual([]);
    await referrals.publish(anticheatAssessed, friend.userId, { ...SHARED, addressKey: 'elsewhere' }, 2);
    await vi.waitFor(async () => {
      await referrals.clock.advance(MINUTE_MS);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(5));
      expect(referrals.paidTo(referrer.userId, 'refwelcome')).toBe(cord(86));
    }, PATIENCE);
  });

  test('keeps its hold after an import without addresses, until the addresses of both are known again', async () => {
    const [referrer, friend] = await pair();
    const lost = { ...SHARED, addressKey: 'barn' };
    await share(lost, referrer, friend);
    await referrals.earns(friend, cord(50), TEN_MINUTES);
    await vi.waitFor(async () => expect((await referrals.stats(referrer)).heldEarnings).toBe(5), PATIENCE);
    const store = await referrals.backend.storeOf('referrals');
    const members = store.collection<{ _id: string }>('members');
    for (const { userId } of [referrer, friend]) {
      // One version more, as with each write: concurrent writes of the service are retried.
      await vi.waitFor(async () => {
        const member = (await members.findOne({ _id: userId })) as unknown as { _id: string; seq: bigint };
        const { seq } = member;
        withoutAddresses('referrals', 'members')(member);
        const { matchedCount } = await members.replaceOne(
          { _id: userId, seq } as never,
          { ...member, seq: seq + 1n } as object,
        );
        expect(matchedCount).toBe(1);
      }, PATIENCE);
    }
    await referrals.earns(friend, cord(20), TEN_MINUTES);
    await vi.waitFor(async () => expect((await referrals.stats(referrer)).heldEarnings).toBe(7), PATIENCE);
    // The check has no address either and sends none.
    for (const { userId } of [referrer, friend])
      await referrals.publish(anticheatAssessed, userId, { ...SHARED, addressKey: null, level: 0 }, 2);
    await referrals.publish(anticheatAssessed, friend.userId, { ...SHARED, addressKey: 'cellar' }, 3);
    await referrals.earns(friend, cord(10), TEN_MINUTES);
    await vi.waitFor(async () => expect((await referrals.stats(referrer)).heldEarnings).toBe(8), PATIENCE);
    expect(referrals.creditsOf(referrer.userId, 'commission')).toEqual([]);
    await referrals.publish(anticheatAssessed, referrer.userId, { ...SHARED, addressKey: 'attic' }, 3);
    await vi.waitFor(async () => {
      await referrals.clock.advance(MINUTE_MS);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(8));
    }, PATIENCE);
  });

  test('has a hold that only an admin can release, and the release is in the audit log', async () => {
    const [referrer, friend] = await pair();
    const adminId = await referrals.signer.state.newOperator();
    await share({ ...SHARED, addressKey: 'office' }, referrer, friend);
    await referrals.earns(friend, cord(10));
    await vi.waitFor(async () => expect((await referrals.stats(referrer)).heldEarnings).toBe(1), PATIENCE);
    const params = { userId: referrer.userId, friendId: friend.userId };
    const release = (token: string) => call(referrals.url, referralEndpoints.release, { params, token });
    const audited = async () =>
      (await referrals.backend.nats.request(auditRpc('referrals'), { limit: 10 })).entries.filter(
        ({ target }) => target === referrer.userId,
      );
    expect((await release(referrer.token)).status).toBe(403);
    expect(await audited()).toEqual([]);
    expect((await release(await referrals.tokenOf(adminId))).status).toBe(200);
    await vi.waitFor(async () => {
      await referrals.clock.advance(MINUTE_MS);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1));
    }, PATIENCE);
    expect(await audited()).toMatchObject([
      { adminId, action: 'referral.release', detail: { friendId: friend.userId } },
    ]);
  });
});

test('admins page through the holds, refuse one and revert that; the audit log has the reasons until an erasure', async () => {
  const [referrer, friend] = await pair();
  const [other, guest] = await pair();
  for (const [one, two] of [
    [referrer, friend],
    [other, guest],
  ] as const) {
    await share({ ...SHARED, addressKey: `loft-${one.code}` }, one, two);
    await referrals.earns(two, cord(50), TEN_MINUTES);
    await vi.waitFor(async () => expect((await referrals.stats(one)).heldEarnings).toBe(5), PATIENCE);
    // The next hold starts later.
    await referrals.clock.advance(1);
  }
  const token = await referrals.tokenOf(await referrals.signer.state.newOperator());
  const list = (query: Record<string, string>) => call(referrals.url, referralEndpoints.holds, { query, token });
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await list({ limit: '1', ...(cursor ? { cursor } : {}) });
    seen.push(...body.holds.map(({ friendId }) => friendId));
    cursor = body.nextCursor;
  }
  // Holds of other tests are listed, too; the longest held come first, none twice.
  expect(seen.filter((id) => [friend.userId, guest.userId].includes(id))).toEqual([friend.userId, guest.userId]);
  expect(new Set(seen).size).toBe(seen.length);

  const decide = async (decision: 'release' | 'refuse' | 'hold') => {
    const body = { decision, reason: `To ${decision}` };
    return (
      await call(referrals.url, referralEndpoints.decideHold, { params: { friendId: friend.userId }, body, token })
    ).body;
  };
  const held = { state: 'held', commission: 5, bonus: 86, paid: 0, sharesAddress: true, level: 1 };
  expect(await decide('refuse')).toMatchObject({ state: 'refused', commission: 0, bonus: 0, paid: 0 });
  expect((await list({ state: 'refused' })).body.holds.map(({ friendId }) => friendId)).toEqual([friend.userId]);
  await shows(referrer, { bonusStatus: 'refused' });
  expect(await decide('hold')).toMatchObject(held);
  expect(await decide('release')).toMatchObject({ state: 'released', commission: 0, bonus: 0 });
  await bonusComes(referrer);
  await vi.waitFor(async () => {
    await referrals.clock.advance(MINUTE_MS);
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(5));
  }, PATIENCE);
  const audited = async () => (await referrals.backend.nats.request(auditRpc('referrals'), { limit: 3 })).entries;
  const acts = await audited();
  // All at the same time, because the clock stands still.
  expect(acts.map(({ action, target, detail }) => [action, target, detail.reason, detail.before]).sort()).toEqual([
    ['referral.hold', referrer.userId, 'To hold', 'refused'],
    ['referral.refuse', referrer.userId, 'To refuse', 'held'],
    ['referral.release', referrer.userId, 'To release', 'held'],
  ]);
  // A reason is about the friend as well as about the referrer.
  await referrals.publish(userErased, friend.userId, {}, 9);
  const reasons = async () => (await audited()).map(({ detail }) => detail.reason ?? null);
  await vi.waitFor(async () => expect(await reasons()).toEqual([null, null, null]), PATIENCE);
  // Also an entry written after the erasure.
  await referrals.handled();
  await referrals.clock.advance(1);
  await decide('hold');
  expect((await audited())[0]).toMatchObject({ action: 'referral.hold', detail: { after: 'hold' } });
  expect(await reasons()).toEqual([null, null, null]);
});

test('a hold of an erased referrer is no longer listed, without any event of the friend', async () => {
  const [referrer, friend] = await pair();
  await share({ ...SHARED, addressKey: 'manor' }, referrer, friend);
  await referrals.earns(friend, cord(50), TEN_MINUTES);
  const token = await referrals.tokenOf(await referrals.signer.state.newOperator());
  const listed = async () =>
    (await call(referrals.url, referralEndpoints.holds, { query: { limit: '100' }, token })).body.holds.map(
      ({ friendId }) => friendId,
    );
  await vi.waitFor(async () => expect(await listed()).toContain(friend.userId), PATIENCE);
  await referrals.publish(userErased, referrer.userId, {}, 9);
  await vi.waitFor(async () => expect(await listed()).not.toContain(friend.userId), PATIENCE);
});

describe('the 86 CORD', () => {
  test('wait while a friend with less than an hour mines where the referrer mines; commission does not wait', async () => {
    const [referrer, friend] = await pair();
    await referrals.earns(referrer, 0n, MINUTE_MS, 'flat');
    await referrals.earns(friend, cord(10), TEN_MINUTES, 'flat');
    await shows(referrer, { friendRanMs: TEN_MINUTES, bonusStatus: 'held' });
    await vi.waitFor(async () => {
      await referrals.clock.advance(MINUTE_MS);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1));
    }, PATIENCE);
    expect(referrals.creditsOf(referrer.userId, 'refwelcome')).toEqual([]);

    // After the hour the network check decides, but only once it has evaluated it.
    await referrals.earns(friend, 0n, 50 * MINUTE_MS, 'flat');
    await shows(referrer, { friendRanMs: 60 * MINUTE_MS, bonusStatus: 'held' });
    await referrals.publish(
      anticheatAssessed,
      friend.userId,
      { ...SHARED, level: 0, factorHundredths: 100, usersOnAddress: 2, addressKey: 'flat', hourMined: true },
      1,
    );
    await bonusComes(referrer);
    await shows(referrer, { bonusStatus: 'credited' });
  });

  test('stay held after the hour if the level requires it', async () => {
    const [referrer, friend] = await pair();
    await referrals.earns(referrer, 0n, MINUTE_MS, 'dorm');
    const inDorm = { ...SHARED, addressKey: 'dorm', hourMined: true };
    await referrals.publish(anticheatAssessed, referrer.userId, inDorm, 1);
    await referrals.publish(anticheatAssessed, friend.userId, inDorm, 1);
    // The level is known before the hour is over: the two events come from different streams, in any order.
    await referrals.handled();
    await referrals.earns(friend, 0n, 60 * MINUTE_MS, 'dorm');
    const [stranger, guest] = await pair();
    await referrals.earns(guest, 0n, TEN_MINUTES, 'dorm');
    await bonusComes(stranger);
    await shows(referrer, { friendRanMs: 60 * MINUTE_MS, bonusStatus: 'held' });
    expect(referrals.creditsOf(referrer.userId, 'refwelcome')).toEqual([]);
  });

  test('come at once from another address, or if no address counts', async () => {
    for (const address of ['their-own', undefined]) {
      const [referrer, friend] = await pair();
      await referrals.earns(referrer, 0n, MINUTE_MS, address && 'mine');
      await referrals.earns(friend, 0n, TEN_MINUTES, address);
      await bonusComes(referrer);
    }
  });

  test('wait until it is known where the friend has mined, however late that event arrives', async () => {
    const [referrer, friend] = await pair();
    const news = await referrals.earnsAhead(friend, TEN_MINUTES, 'their-own');
    await shows(referrer, { friendRanMs: TEN_MINUTES, bonusStatus: 'held' });
    expect(referrals.creditsOf(referrer.userId, 'refwelcome')).toEqual([]);
    await news();
    await bonusComes(referrer);
  });

  test('come without a call after the wait, once 30 days have passed since the referrer last mined there', async () => {
    const [referrer, friend] = await pair();
    await referrals.earns(referrer, 0n, MINUTE_MS, 'attic');
    await referrals.earns(friend, 0n, 2 * MINUTE_MS + TEN_MINUTES, 'attic');
    await shows(referrer, { friendRanMs: 2 * MINUTE_MS + TEN_MINUTES, bonusStatus: 'held' });
    await referrals.clock.advance(31 * 86_400_000);
    await bonusComes(referrer);
    const again = { ...referrer, token: await referrals.tokenOf(referrer.userId) };
    await shows(again, { bonusStatus: 'credited' });
  });

  test('can be released by an admin while they wait', async () => {
    const [referrer, friend] = await pair();
    await referrals.earns(referrer, 0n, MINUTE_MS, 'cellar');
    await referrals.earns(friend, 0n, TEN_MINUTES, 'cellar');
    await shows(referrer, { friendRanMs: TEN_MINUTES, bonusStatus: 'held' });
    const token = await referrals.tokenOf(await referrals.signer.state.newOperator());
    const params = { userId: referrer.userId, friendId: friend.userId };
    expect((await call(referrals.url, referralEndpoints.release, { params, token })).status).toBe(200);
    await bonusComes(referrer);
  });
});
