import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Address,
  type Bucket,
  bonusStatus,
  type Friend,
  heldMicro,
  recounted,
  type Standing,
  tallyOf,
  withAccount,
  withAddress,
  withBonusCredited,
  withFriend,
  withoutAddress,
  withRelease,
  withReturned,
} from './bucket.js';
import { confirmed } from './commission.js';

const NOWHERE: Address = { key: null, level: 0 };
const HOME: Address = { key: 'home', level: 1 };
const friend = (changes: Partial<Friend> = {}): Friend => ({
  accountSeq: 1n,
  linkedAtMs: 0,
  baselineMicro: 100n,
  eligibleMicro: 100n,
  countedMicro: 0n,
  totalMicro: 100n,
  ranMs: 0,
  bonus: 'pending',
  address: NOWHERE,
  released: false,
  ...changes,
});
/** Where the referrer counts, and whether bonuses wait. */
const at = (referrer: Address, waits = false): Standing => ({ referrer, waits: () => waits });
const the = (bucket: Bucket): Friend => bucket.friends.a as Friend;
const empty: Bucket = { referrerId: 'r', friends: {}, sumMicro: 0n };
const account = (accountSeq: bigint, eligibleMicro: bigint, ranMs = 0) => ({
  accountSeq,
  eligibleMicro,
  totalMicro: eligibleMicro,
  ranMs,
});

describe('a bucket of friends', () => {
  test('counts what friends earn after the link and nothing before, in any order of events', () => {
    const event = fc.record({ id: fc.constantFrom('a', 'b', 'c'), seq: fc.integer({ min: 2, max: 9 }) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let bucket = empty;
        for (const id of ['a', 'b', 'c']) bucket = withFriend(bucket, id, friend(), at(NOWHERE)).bucket;
        const newest: Record<string, number> = {};
        for (const { id, seq } of events) {
          bucket = withAccount(bucket, id, account(BigInt(seq), 100n + BigInt(seq) * 7n), at(NOWHERE)).bucket;
          newest[id] = Math.max(newest[id] ?? 0, seq);
        }
        expect(bucket.sumMicro).toBe(Object.values(newest).reduce((sum, seq) => sum + BigInt(seq) * 7n, 0n));
      }),
    );
  });

  test('a friend who is already in it is not put in twice', () => {
    const { bucket } = withFriend(empty, 'a', friend({ eligibleMicro: 150n }), at(NOWHERE));
    expect(withFriend(bucket, 'a', friend({ eligibleMicro: 900n }), at(NOWHERE)).bucket).toBe(bucket);
    expect(bucket.sumMicro).toBe(50n);
  });

  test('the bonus falls due once, after ten minutes of the friend’s node', () => {
    const { bucket } = withFriend(empty, 'a', friend(), at(NOWHERE));
    expect(withAccount(bucket, 'a', account(2n, 100n, 599_999), at(NOWHERE)).dueBonuses).toEqual([]);
    const due = withAccount(bucket, 'a', account(3n, 100n, 600_000), at(NOWHERE));
    expect(due.dueBonuses).toEqual(['a']);
    const later = withAccount(due.bucket, 'a', account(4n, 200n, 700_000), at(NOWHERE));
    expect(later.dueBonuses).toEqual([]);
    expect(bonusStatus('a', the(withBonusCredited(later.bucket, 'a')), at(NOWHERE))).toBe('credited');
  });

  test('a bonus that waits is shown as held, falls due when it waits no longer, and touches no commission', () => {
    let { bucket } = withFriend(empty, 'a', friend(), at(NOWHERE, true));
    expect(bonusStatus('a', the(bucket), at(NOWHERE, true))).toBe('pending');
    const ran = withAccount(bucket, 'a', account(2n, 300n, 600_000), at(NOWHERE, true));
    expect(ran.dueBonuses).toEqual([]);
    bucket = ran.bucket;
    expect(bucket.sumMicro).toBe(200n);
    expect(bonusStatus('a', the(bucket), at(NOWHERE, true))).toBe('held');
    expect(recounted(bucket, ['a'], at(NOWHERE, true)).bucket).toBe(bucket);
    expect(recounted(bucket, ['a'], at(NOWHERE)).dueBonuses).toEqual(['a']);
  });

  test('while both share an address at level 1 nothing is counted and nothing is lost', () => {
    let { bucket } = withFriend(empty, 'a', friend(), at(HOME));
    bucket = withAddress(bucket, 'a', HOME, at(HOME)).bucket;
    const held = withAccount(bucket, 'a', account(2n, 1_100n, 600_000), at(HOME));
    bucket = held.bucket;
    expect(bucket.sumMicro).toBe(0n);
    expect(held.dueBonuses).toEqual([]);
    expect(heldMicro(the(bucket))).toBe(1_000n);
    expect(bonusStatus('a', the(bucket), at(HOME))).toBe('held');
    const moved = recounted(bucket, ['a'], at({ key: 'elsewhere', level: 0 }));
    expect(moved.bucket.sumMicro).toBe(1_000n);
    expect(moved.dueBonuses).toEqual(['a']);
  });

  test('an admin releases a hold for good', () => {
    let { bucket } = withFriend(empty, 'a', friend({ address: HOME, eligibleMicro: 600n }), at(HOME));
    expect(bucket.sumMicro).toBe(0n);
    bucket = withRelease(bucket, 'a', at(HOME))?.bucket as Bucket;
    expect(bucket.sumMicro).toBe(500n);
    expect(withAccount(bucket, 'a', account(2n, 700n), at(HOME)).bucket.sumMicro).toBe(600n);
  });

  test('a shared address at level 0 holds nothing', () => {
    const shared = { key: 'home', level: 0 };
    const { bucket } = withFriend(empty, 'a', friend({ address: shared, eligibleMicro: 600n }), at(shared));
    expect(bucket.sumMicro).toBe(500n);
  });

  test('what nothing changes is the same bucket: nothing is written', () => {
    const { bucket } = withFriend(empty, 'a', friend({ eligibleMicro: 600n }), at(NOWHERE));
    expect(recounted(bucket, ['a'], at(HOME)).bucket).toBe(bucket);
    expect(withAccount(bucket, 'a', account(1n, 900n), at(NOWHERE)).bucket).toBe(bucket);
    expect(withAddress(bucket, 'a', NOWHERE, at(NOWHERE)).bucket).toBe(bucket);
  });

  test.each([
    ['as it is stored now', { bonus: 'refused', returned: true } as const],
    ['as a former release stored it', { bonus: 'refused' } as const],
  ])('nothing that a friend earns who came back after an erasure counts, %s', (_name, marks) => {
    let { bucket } = withFriend(empty, 'a', friend(marks), at(NOWHERE));
    const earned = withAccount(bucket, 'a', account(2n, 1_100n, 3_600_000), at(NOWHERE));
    bucket = earned.bucket;
    expect([bucket.sumMicro, earned.dueBonuses, heldMicro(the(bucket))]).toEqual([0n, [], 0n]);
    expect(withRelease(bucket, 'a', at(NOWHERE))?.bucket.sumMicro).toBe(0n);
    expect(tallyOf(bucket)).toEqual({ friends: 0, bonuses: 0, sumMicro: 0n });
  });

  test('a friend who turns out to have come back counts no further; what was paid stays', () => {
    let { bucket } = withFriend(empty, 'a', friend({ eligibleMicro: 300n }), at(NOWHERE));
    bucket = withReturned(bucket, 'a').bucket;
    bucket = withAccount(bucket, 'a', account(2n, 900n, 600_000), at(NOWHERE)).bucket;
    expect([bucket.sumMicro, the(bucket).bonus]).toEqual([200n, 'refused']);
    expect(withReturned(bucket, 'a').bucket).toBe(bucket);
  });

  test('of a friend who deleted the account the address goes; what was held stays held until an admin releases it', () => {
    let { bucket } = withFriend(empty, 'a', friend({ address: HOME }), at(HOME));
    bucket = withAccount(bucket, 'a', account(2n, 1_100n, 600_000), at(HOME)).bucket;
    bucket = withoutAddress(bucket, 'a', at(HOME)).bucket;
    expect(JSON.stringify(bucket, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'home',
    );
    expect(withoutAddress(bucket, 'a', at(NOWHERE)).bucket).toBe(bucket);
    expect(recounted(bucket, ['a'], at(NOWHERE)).bucket).toBe(bucket);
    expect(withAddress(bucket, 'a', HOME, at(NOWHERE)).bucket).toBe(bucket);
    expect(withAccount(bucket, 'a', account(3n, 9_100n), at(NOWHERE)).bucket).toBe(bucket);
    expect([heldMicro(the(bucket)), bonusStatus('a', the(bucket), at(NOWHERE))]).toEqual([1_000n, 'held']);
    const released = withRelease(bucket, 'a', at(NOWHERE));
    expect([released?.bucket.sumMicro, released?.dueBonuses]).toEqual([1_000n, ['a']]);
    const free = withoutAddress(
      withFriend(empty, 'a', friend({ eligibleMicro: 300n }), at(HOME)).bucket,
      'a',
      at(HOME),
    );
    expect([free.bucket.sumMicro, bonusStatus('a', the(free.bucket), at(HOME))]).toEqual([200n, 'pending']);
  });
});

describe('commission', () => {
  test('what the ledger has confirmed only rises, and replaces what the release before wrote', () => {
    const before = { n: 3n, paidMicro: 40n, pending: null };
    expect(confirmed(before, 40n)).toBe(before);
    expect(confirmed(before, 39n)).toBe(before);
    expect(confirmed(before, 41n)).toEqual({ paidMicro: 41n });
  });
});
