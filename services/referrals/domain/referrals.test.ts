import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Address,
  type Bucket,
  bonusStatus,
  type Friend,
  heldMicro,
  recountedAll,
  withAccount,
  withAddress,
  withBonusCredited,
  withFriend,
  withRelease,
} from './bucket.js';
import { NO_COMMISSION, nextPayment, paid } from './payment.js';

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
        for (const id of ['a', 'b', 'c']) bucket = withFriend(bucket, id, friend(), NOWHERE).bucket;
        const newest: Record<string, number> = {};
        for (const { id, seq } of events) {
          bucket = withAccount(bucket, id, account(BigInt(seq), 100n + BigInt(seq) * 7n), NOWHERE)?.bucket ?? bucket;
          newest[id] = Math.max(newest[id] ?? 0, seq);
        }
        expect(bucket.sumMicro).toBe(Object.values(newest).reduce((sum, seq) => sum + BigInt(seq) * 7n, 0n));
      }),
    );
  });

  test('a friend who is already in it is not put in twice', () => {
    const { bucket } = withFriend(empty, 'a', friend({ eligibleMicro: 150n }), NOWHERE);
    expect(withFriend(bucket, 'a', friend({ eligibleMicro: 900n }), NOWHERE).bucket).toBe(bucket);
    expect(bucket.sumMicro).toBe(50n);
  });

  test('the bonus falls due once, after ten minutes of the friend’s node', () => {
    const { bucket } = withFriend(empty, 'a', friend(), NOWHERE);
    expect(withAccount(bucket, 'a', account(2n, 100n, 599_999), NOWHERE)?.dueBonuses).toEqual([]);
    const due = withAccount(bucket, 'a', account(3n, 100n, 600_000), NOWHERE);
    expect(due?.dueBonuses).toEqual(['a']);
    const later = withAccount(due?.bucket as Bucket, 'a', account(4n, 200n, 700_000), NOWHERE);
    expect(later?.dueBonuses).toEqual([]);
    expect(bonusStatus(withBonusCredited(later?.bucket as Bucket, 'a').friends.a as Friend, NOWHERE)).toBe('credited');
  });

  test('while both share an address at level 1 nothing is counted and nothing is lost', () => {
    let { bucket } = withFriend(empty, 'a', friend(), HOME);
    bucket = withAddress(bucket, 'a', HOME, HOME)?.bucket as Bucket;
    const held = withAccount(bucket, 'a', account(2n, 1_100n, 600_000), HOME);
    bucket = held?.bucket as Bucket;
    expect(bucket.sumMicro).toBe(0n);
    expect(held?.dueBonuses).toEqual([]);
    expect(heldMicro(bucket.friends.a as Friend)).toBe(1_000n);
    expect(bonusStatus(bucket.friends.a as Friend, HOME)).toBe('held');
    const moved = recountedAll(bucket, { key: 'elsewhere', level: 0 });
    expect(moved.bucket.sumMicro).toBe(1_000n);
    expect(moved.dueBonuses).toEqual(['a']);
  });

  test('an admin releases a hold for good', () => {
    let { bucket } = withFriend(empty, 'a', friend({ address: HOME, eligibleMicro: 600n }), HOME);
    expect(bucket.sumMicro).toBe(0n);
    bucket = withRelease(bucket, 'a', HOME)?.bucket as Bucket;
    expect(bucket.sumMicro).toBe(500n);
    expect(withAccount(bucket, 'a', account(2n, 700n), HOME)?.bucket.sumMicro).toBe(600n);
  });

  test('a shared address at level 0 holds nothing', () => {
    const shared = { key: 'home', level: 0 };
    expect(withFriend(empty, 'a', friend({ address: shared, eligibleMicro: 600n }), shared).bucket.sumMicro).toBe(500n);
  });
});

describe('commission', () => {
  test('paid in any pieces it is floor of a tenth of the running total', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 10n ** 8n), { maxLength: 40 }), (earned) => {
        let commission = NO_COMMISSION;
        let total = 0n;
        let credited = 0n;
        for (const piece of earned) {
          total += piece;
          const fixed = nextPayment(commission, total);
          if (!fixed?.pending) continue;
          credited += fixed.pending.toMicro - fixed.pending.fromMicro;
          commission = paid(fixed, fixed.pending.n);
        }
        expect(credited).toBe(total / 10n);
        expect(commission.paidMicro).toBe(credited);
      }),
    );
  });

  test('a payment that is fixed stays as it is until it stands, whatever is earned meanwhile', () => {
    const fixed = nextPayment(NO_COMMISSION, 1_000n);
    expect(fixed?.pending).toEqual({ n: 1n, fromMicro: 0n, toMicro: 100n });
    expect(nextPayment(fixed as never, 99_999n)).toBeNull();
    expect(paid(fixed as never, 7n)).toBe(fixed);
  });

  test('more than the ledger takes at once is paid in several payments', () => {
    const fixed = nextPayment(NO_COMMISSION, 10n ** 14n);
    expect(fixed?.pending?.toMicro).toBe(10n ** 12n);
    const next = nextPayment(paid(fixed as never, 1n), 10n ** 14n);
    expect(next?.pending).toEqual({ n: 2n, fromMicro: 10n ** 12n, toMicro: 2n * 10n ** 12n });
  });
});
