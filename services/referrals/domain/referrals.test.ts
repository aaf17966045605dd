import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confirmed } from './commission.js';
import {
  bonusStatus,
  counted,
  type Friend,
  holdStateOf,
  type Known,
  newFriend,
  type Standing,
  withAccount,
  withBonusCredited,
  withDecision,
  withDeletedAccount,
  withRelease,
  withReturned,
} from './friend.js';
import { type Address, keysOf, withAddress } from './network.js';

const NOWHERE: Address = { key: null, level: 0 };
const HOME: Address = { key: 'home', level: 1 };
const NOW_MS = Date.UTC(2026, 10, 18, 12);
const TEN_MINUTES = 600_000;
const account = (accountSeq: bigint, eligibleMicro: bigint, ranMs = 0) => ({
  accountSeq,
  eligibleMicro,
  totalMicro: eligibleMicro,
  ranMs,
});
const friendAt = (eligibleMicro: bigint): Friend =>
  withAccount(newFriend(account(1n, 100n), 0, false), account(2n, eligibleMicro));
const minedAt = (...keys: string[]) => ({
  addresses: keys.map((key) => ({ key, ms: 1, atMs: NOW_MS })),
  ranMs: TEN_MINUTES,
  seq: 1n,
  current: null,
});
/** The referrer's address, and the addresses where the referrer mined. */
const at = (referrer: Address, ...mined: string[]): Standing => ({
  referrer,
  mined: minedAt(...mined),
  erased: false,
  nowMs: NOW_MS,
});
const known = (friend: Friend, address = NOWHERE, ...mined: string[]): Known => ({
  friend,
  address,
  mined: minedAt(...mined),
});

describe('a friend', () => {
  test('counts only earnings after the link, in any order of events', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 40 }), (seqs) => {
        let friend = newFriend(account(1n, 100n), 0, false);
        for (const seq of seqs) {
          friend = withAccount(friend, account(BigInt(seq), 100n + BigInt(seq) * 7n));
          friend = counted(known(friend), at(NOWHERE)).friend;
        }
        expect(friend.countedMicro).toBe(BigInt(Math.max(...seqs)) * 7n);
      }),
    );
  });

  test('brings the bonus once, after ten minutes of node time', () => {
    const run = (friend: Friend, seq: bigint, ranMs: number) =>
      counted(known(withAccount(friend, account(seq, 100n, ranMs))), at(NOWHERE));
    const early = run(newFriend(account(1n, 100n), 0, false), 2n, TEN_MINUTES - 1);
    expect(early.bonusDue).toBe(false);
    const due = run(early.friend, 3n, TEN_MINUTES);
    expect([due.bonusDue, due.friend.bonus]).toEqual([true, 'promised']);
    expect(run(due.friend, 4n, TEN_MINUTES + 1).bonusDue).toBe(false);
    expect(bonusStatus(known(withBonusCredited(due.friend)), at(NOWHERE))).toBe('credited');
  });

  test('with a waiting bonus is shown as held, and the commission is not affected', () => {
    const ran = withAccount(friendAt(100n), account(3n, 300n, TEN_MINUTES));
    const waiting = counted(known(ran, NOWHERE, 'flat'), at(NOWHERE, 'flat'));
    expect([waiting.bonusDue, waiting.friend.countedMicro]).toEqual([false, 200n]);
    expect(bonusStatus(known(waiting.friend, NOWHERE, 'flat'), at(NOWHERE, 'flat'))).toBe('held');
    expect(counted(known(waiting.friend, NOWHERE, 'flat'), at(NOWHERE)).bonusDue).toBe(true);
    expect(counted(known(waiting.friend), { ...at(NOWHERE), erased: true }).bonusDue).toBe(false);
  });

  test('keeps held and counted amounts while an address is unknown after an import', () => {
    const lost = withAddress(HOME, { key: null, level: 1 });
    const unknown: Address = { ...lost, unknown: true };
    const held = counted(known(friendAt(1_100n), HOME), at(HOME)).friend;
    const free = counted(known(friendAt(1_100n)), at(NOWHERE)).friend;
    const later = (friend: Friend) => withAccount(friend, account(3n, 1_400n));
    for (const [friend, referrer] of [
      [unknown, HOME] as const,
      [HOME, unknown] as const,
      [unknown, unknown] as const,
    ]) {
      expect(counted(known(later(held), friend), at(referrer)).friend).toMatchObject({
        countedMicro: 0n,
        heldMicro: 1_300n,
      });
      expect(counted(known(later(free), friend), at(referrer)).friend).toMatchObject({ countedMicro: 1_300n });
    }
    // The check sends no key: the address stays unknown. A key ends that, and all friends are counted again.
    expect(withAddress(unknown, NOWHERE)).toEqual({ ...NOWHERE, unknown: true });
    expect(withAddress(unknown, HOME)).toEqual(HOME);
    expect(keysOf(unknown, HOME)).toBe(true);
    expect(counted(known(later(held), HOME), at({ key: 'elsewhere', level: 1 })).friend.countedMicro).toBe(1_300n);
  });

  test('who is refused counts nothing more until the refusal is reverted; paid amounts stay', () => {
    const ran = withAccount(friendAt(600n), account(3n, 600n, TEN_MINUTES));
    const held = counted(known(ran, HOME), at(HOME)).friend;
    expect(holdStateOf(known(held, HOME), at(HOME))).toBe('held');
    const refused = counted(known(withDecision(held, 'refuse'), NOWHERE), at(NOWHERE));
    expect([refused.friend.countedMicro, refused.friend.heldMicro, refused.bonusDue]).toEqual([0n, undefined, false]);
    expect(refused.friend.bonus).toBe('refused');
    expect(holdStateOf(known(refused.friend), at(NOWHERE))).toBe('refused');
    const again = counted(known(withDecision(refused.friend, 'hold'), HOME), at(HOME)).friend;
    expect([again.bonus, again.heldMicro, again.released]).toEqual(['pending', 500n, false]);
    // A friend who returned after an erasure meanwhile stays marked as returned.
    expect(withDecision(withReturned(refused.friend), 'hold').bonus).toBe('refused');
    const paid = counted(known(withDecision(held, 'release'), HOME), at(HOME)).friend;
    expect(counted(known(withDecision(paid, 'refuse')), at(NOWHERE)).friend.countedMicro).toBe(500n);
  });

  test('without a change keeps the same record, so that nothing is written', () => {
    const { friend } = counted(known(friendAt(600n)), at(NOWHERE));
    expect(counted(known(friend), at(HOME)).friend).toBe(friend);
    expect(withAccount(friend, account(2n, 900n))).toBe(friend);
    const held = counted(known(friendAt(600n), HOME), at(HOME)).friend;
    expect(counted(known(held, HOME), at(HOME)).friend).toBe(held);
  });

  test.each([['as it is stored now', newFriend(account(1n, 100n), 0, true)]])(
    'who returned after an erasure counts nothing, %s',
    (_name, returned) => {
      const earned = counted(known(withAccount(returned, account(2n, 1_100n, 3_600_000))), at(NOWHERE));
      expect([earned.friend.countedMicro, earned.bonusDue, earned.friend.heldMicro]).toEqual([0n, false, undefined]);
      expect(counted(known(withRelease(earned.friend)), at(NOWHERE)).friend.countedMicro).toBe(0n);
    },
  );

  test('who turns out to have returned counts nothing further; counted amounts stay', () => {
    const before = counted(known(friendAt(300n)), at(NOWHERE)).friend;
    const returned = withReturned(before);
    const after = counted(known(withAccount(returned, account(3n, 900n, TEN_MINUTES))), at(NOWHERE)).friend;
    expect([after.countedMicro, after.bonus]).toEqual([200n, 'refused']);
    expect(withReturned(after)).toBe(after);
  });

  test('who erased the account stays held until an admin releases it, or keeps the counted amount', () => {
    const ran = withAccount(friendAt(100n), account(3n, 1_100n, TEN_MINUTES));
    const held = counted(known(ran, HOME), at(HOME)).friend;
    const gone = withDeletedAccount(known(held, HOME), at(HOME));
    expect(withDeletedAccount(known(gone), at(NOWHERE))).toBe(gone);
    expect(counted(known(gone), at(NOWHERE)).friend).toBe(gone);
    expect(withAccount(gone, account(9n, 9_100n))).toBe(gone);
    expect([gone.heldMicro, bonusStatus(known(gone), at(NOWHERE))]).toEqual([1_000n, 'held']);
    const released = counted(known(withRelease(gone)), at(NOWHERE));
    expect([released.friend.countedMicro, released.bonusDue]).toEqual([1_000n, true]);
    const free = counted(known(friendAt(300n)), at(HOME)).friend;
    expect([free.countedMicro, withDeletedAccount(known(free), at(HOME)).gone]).toEqual([200n, 'free']);
  });
});

describe('commission', () => {
  test('confirmed by the ledger only rises', () => {
    const before = { paidMicro: 40n, bonusMicro: 7n };
    expect(confirmed(before, 'paidMicro', 40n)).toBe(before);
    expect(confirmed(before, 'bonusMicro', 6n)).toBe(before);
    expect(confirmed(before, 'paidMicro', 41n)).toEqual({ paidMicro: 41n, bonusMicro: 7n });
  });
});
